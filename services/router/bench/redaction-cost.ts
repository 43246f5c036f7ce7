/**
 * Measures the time to take secrets out of traces that were made to be expensive, and the longest slice of
 * that. See README.md.
 *
 *   node services/router/bench/redaction-cost.ts
 */
import type { Trace } from '@switchyard/request-trace'
import { Meter } from '../src/tracing/cleaning/meter.ts'
import { Secrets } from '../src/tracing/cleaning/secrets.ts'
import { JsonValues } from '../src/tracing/cleaning/json-values.ts'
import { presentTrace } from '../src/tracing/present-trace.ts'
import { RecordedJson } from '../src/tracing/cleaning/recorded-json.ts'
import { Redaction } from '../src/tracing/cleaning/redact-trace.ts'
import { redactionRules } from '../src/tracing/cleaning/redaction-rules.ts'
import { SlicedResult } from '../src/tracing/cleaning/sliced.ts'
import { answered, createTrace } from '../test/tracing/traces.ts'

const SLICE_STEPS = 5000
const RULES = redactionRules({
  allowedHeaders: [],
  sensitiveNames: ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'],
  vendor: 'VENDOR',
})

const numbered = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index))
const words = 'these are some words of an answer, number 12345678; '

/** Answers of subgraphs, by name. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  '8,000 secrets, texts of 2.8 MB': () => ({
    tokens: numbered(8_000, (n) => `value-${n}-of-it`),
    note: 'value-7777-of-it',
    texts: numbered(28_000, () => words.repeat(2)),
  }),
  '8,000 secrets, one text of 2.8 MB': () => ({
    tokens: numbered(8_000, (n) => `value-${n}-of-it`),
    text: words.repeat(54_000),
  }),
  '400 secrets of one letter, 2.8 MB of it': () => ({
    tokens: numbered(400, (n) => 'a'.repeat(8 + n)),
    text: 'a'.repeat(2_800_000),
  }),
  '2.8 MB of percent codes, a secret of them': () => ({ token: '%'.repeat(20), text: '%25'.repeat(933_000) }),
  '8 MB of percent codes between letters': () => ({ token: 'value-of-it', text: 'a%41 '.repeat(1_600_000) }),
  '2.8 MB of quotes in a string': () => ({ token: 'value-of-it', text: '"a":'.repeat(700_000) }),
  '2.8 MB of URLs': () => ({ token: 'value-of-it', text: 'a://b@c?d=1 '.repeat(233_000) }),
  '40 MB of small objects': () => ({
    token: 'value-of-it',
    list: numbered(600_000, (n) => ({ id: n, name: words })),
  }),
}

console.log(['answer', 'CPU in ms', 'longest slice', 'size of the trace'].join('\t'))
for (const [name, answer] of Object.entries(ANSWERS)) {
  const text = JSON.stringify(answer())
  const trace: Trace = createTrace({ loads: [answered(RecordedJson.ofText(text))] })
  const meter = new Meter(64 << 20)
  const making = { values: new JsonValues(meter), meter }
  const work = new SlicedResult(
    meter,
    presentTrace(trace, {
      redaction: new Redaction(RULES, making),
      glance: { rules: RULES, secrets: new Secrets(meter) },
      making,
      maxSize: 16 << 20,
      predictableTimings: false,
      requestIdHeader: 'x-request-id',
      leaveOut: (whole) => whole,
    }),
  )
  const before = process.cpuUsage()
  let longest = 0
  for (let isDone = false; !isDone; ) {
    const began = process.cpuUsage()
    try {
      isDone = work.proceed(SLICE_STEPS)
    } catch (error) {
      console.log(`${name}: ${String(error)}`)
      isDone = true
    }
    longest = Math.max(longest, cpuSince(began))
  }
  console.log([name, cpuSince(before).toFixed(0), longest.toFixed(1), work.result?.length ?? 0].join('\t'))
}

/** Milliseconds. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
