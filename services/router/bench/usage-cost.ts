/** Measures what counting usage costs a request when it has ended, and what telling a minute takes. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { trace } from '@opentelemetry/api'
import { compileSupergraph, openGraph, prepareOperation } from '@switchyard/engine'
import { TRACE_CONTEXT } from '@switchyard/service-kit'
import { tellMinute } from '../src/concerns/usage/tell-minute.ts'
import { Untold } from '../src/concerns/usage/untold.ts'
import { Usage } from '../src/concerns/usage/usage.ts'
import { createRequestSpans } from '../src/observe/request-spans.ts'
import { RequestReport } from '../src/observe/request-report.ts'
import type { CountedOperation, RequestSummary } from '../src/observe/request-summary.ts'
import { benchOptions } from './bench-options.ts'

const { requests, rounds } = benchOptions({ requests: 200_000, rounds: 7 })

const spans = createRequestSpans(trace.getTracer('bench'), TRACE_CONTEXT, {
  route: '/graphql',
  scheme: 'http',
})
const SPAN = spans(new IncomingMessage(new Socket()))
const FIELDS = Array.from({ length: 3000 }, (_, index) => `field${index}: String`).join(' ')
const graph = openGraph(
  compileSupergraph(`
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.test/") }
    type Query @join__type(graph: A) { item(id: ID): Item }
    type Item @join__type(graph: A) { ${FIELDS} }
    input Filter @join__type(graph: A) { name: String }
  `),
)

function operations(count: number, fields: number): readonly CountedOperation[] {
  const selected = Array.from({ length: fields }, (_, index) => `field${index}`).join(' ')
  return Array.from({ length: count }, (_, number) => {
    const document = `query Q${number} { item(id: "${number}") { ${selected} } }`
    return { document, operation: prepareOperation(graph, { document }), counted: null }
  })
}

/** Requests that have ended: one for each operation and client. */
function ended(
  used: readonly CountedOperation[],
  clients: number,
  address = '1.2.3.4',
): readonly RequestSummary[] {
  return used.flatMap((operation) =>
    Array.from({ length: clients }, (_, client) => {
      const report = new RequestReport({ method: 'POST' }, SPAN, { requestId: 'id', route: '/graphql' }, [])
      // As from headers: each time another string.
      report.clientNamed(Buffer.from(`client-${client}`).toString(), Buffer.from('1.2.3').toString())
      const config = { version: { revision: 1 } }
      report.chose({
        reason: 'none',
        flag: null,
        rollout: null,
        generation: { artifact: 'a'.repeat(64) },
        config,
      })
      report.executing(operation, null, address)
      report.answering(200)
      report.stopClock()
      return report.summary
    }),
  )
}

/** Microseconds of CPU of one request, the median of the rounds. */
function measure(summaries: readonly RequestSummary[]): number {
  const times = Array.from({ length: rounds }, () => {
    const usage = new Usage()
    for (const summary of summaries) usage.ended(summary)
    const before = process.cpuUsage()
    for (let count = 0; count < requests; count += summaries.length)
      for (const summary of summaries) usage.ended(summary)
    const { user, system } = process.cpuUsage(before)
    usage.next()
    return (user + system) / requests
  })
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

const CASES = [
  ['one operation, one client', ended(operations(1, 5), 1)],
  ['one operation, 20 clients in turn', ended(operations(1, 5), 20)],
  ['200 operations, 4 clients in turn', ended(operations(200, 5), 4)],
  ['2,000 operations, more than have room', ended(operations(2000, 5), 1)],
] as const
for (const [name, summaries] of CASES)
  process.stdout.write(`${name.padEnd(40)}${measure(summaries).toFixed(3)} µs\n`)

const usage = new Usage()
for (const summary of ended(operations(60, 3000), 1)) usage.ended(summary)
const minute = usage.next()
const steps = tellMinute(minute, {
  bytes: 63 * 1024,
  tellsDocuments: true,
  untold: new Untold(),
  now: Date.now(),
})
let longest = 0
let whole = 0
for (let isDone = false; !isDone; ) {
  const before = performance.now()
  for (let taken = 0; taken < 2000 && !isDone; ) {
    const { done, value } = steps.next()
    isDone = done === true
    if (done !== true) taken += value
  }
  longest = Math.max(longest, performance.now() - before)
  whole += performance.now() - before
}
process.stdout.write(
  `telling 60 operations with 3,000 fields: ${whole.toFixed(0)} ms, longest slice ${longest.toFixed(1)} ms\n`,
)
