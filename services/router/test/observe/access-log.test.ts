import { readFileSync } from 'node:fs'
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { AccessLog } from '../../src/observe/access-log.ts'
import { RequestReport } from '../../src/observe/request-report.ts'
import type { RequestSummary } from '../../src/observe/request-summary.ts'
import type { ActiveSpan } from '../../src/observe/spans.ts'

const IDS = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const SPAN = IDS as unknown as ActiveSpan

function summary(more: Partial<RequestSummary> = {}): RequestSummary {
  const { summary: request } = new RequestReport(
    { method: 'POST', url: '/graphql' },
    SPAN,
    { requestId: 'r-1', route: '/graphql' },
    [],
  )
  request.phases.end()
  return { ...request, status: 200, ...more }
}

function composition(artifact: string, revision: number, flag: string | null, rollout: string | null = null) {
  const reason: 'header' | 'none' = flag === null ? 'none' : 'header'
  return { reason, flag, rollout, generation: { artifact }, config: { version: { revision } } }
}

const ARTIFACT = '001140644756c0ffee'

const ALL_KNOWN: Partial<RequestSummary> = {
  url: '/graphql?query=%7Bsecret%7D',
  clientName: 'shop "web"',
  clientVersion: '1.2',
  provider: 'accounts',
  composition: composition(ARTIFACT, 7, 'beta "1"', 'catalogue'),
  requested: { from: 'header', name: 'gamma\n' },
  operation: 'Find',
  cost: { estimated: 12, exceeded: 'operation', actual: 3.5 },
  document: 'abc',
  joined: true,
  code: 'OVERLOADED',
  waitedForPlan: 3.6,
  denied: 2,
  parts: 2,
  firstPart: 1.23456,
  errors: 4,
  aborted: true,
  stalled: 'traffic.write_timeout',
}

const SUBSCRIPTION = {
  began: 0,
  events: 3,
  withErrors: 1,
  dropped: 0,
  source: null,
  end: 'SUBSCRIPTION_QUEUE_FULL',
}

function loggedBy(tell: (log: AccessLog) => void): readonly string[] {
  const lines: string[] = []
  const logger = createLogger({ name: 'router', to: { write: (line: string) => lines.push(line) } })
  tell(new AccessLog(logger))
  return lines.map((line) => line.replace(/"time":"[^"]*"/, '"time":"?"'))
}

/** The same line, as the logger prints these fields. */
function printed(fields: Readonly<Record<string, unknown>>, message: string): string {
  const lines: string[] = []
  createLogger({ name: 'router', to: { write: (line: string) => lines.push(line) } }).info(fields, message)
  return String(lines[0]).replace(/"time":"[^"]*"/, '"time":"?"')
}

const base = (request: RequestSummary) => ({
  event: 'request.answered',
  method: 'POST',
  path: '/graphql',
  status: 200,
  milliseconds: Math.round(request.phases.whole * 1000) / 1000,
  trace_id: IDS.traceId,
  span_id: IDS.spanId,
  request_id: 'r-1',
})

/** What docs/log-events.md says of the event: the fields of every line, and all fields. */
function documented(): { readonly always: readonly string[]; readonly all: readonly string[] } {
  const page = readFileSync(new URL('../../../../docs/log-events.md', import.meta.url), 'utf8')
  const row = page.split('\n').find((line) => line.startsWith('| `request.answered` |')) ?? ''
  const [, , , , fields = '', meaning = ''] = row.split('|')
  const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  return { always: named(fields), all: [...named(fields), ...named(meaning)] }
}

/** What lines of all events have. */
const EVERY_LINE = new Set(['level', 'time', 'pid', 'hostname', 'service.version', 'name', 'event', 'msg'])

describe('the access log', () => {
  it('has the fields that docs/log-events.md names', () => {
    const { always, all } = documented()
    const [plain = '', full = ''] = loggedBy((log) => {
      log.ended(summary())
      log.ended(summary({ ...ALL_KNOWN, subscription: SUBSCRIPTION }))
    })
    const own = (line: string) => Object.keys(JSON.parse(line)).filter((name) => !EVERY_LINE.has(name))
    expect(own(plain)).toEqual(always)
    expect(own(full).sort()).toEqual([...all].sort())
  })

  it('writes what is known of a plain request, to the byte as the logger does', () => {
    const request = summary()
    const lines = loggedBy((log) => log.ended(request))
    expect(lines).toEqual([printed(base(request), 'request answered')])
  })

  it('writes all that can be known of a request, in one order', () => {
    const request = summary(ALL_KNOWN)
    const lines = loggedBy((log) => log.ended(request))
    const fields = {
      ...base(request),
      client: 'shop "web"',
      clientVersion: '1.2',
      tokenProvider: 'accounts',
      flagReason: 'header',
      flag: 'beta "1"',
      rollout: 'catalogue',
      artifact: ARTIFACT.slice(0, 12),
      revision: 7,
      requestedFlag: 'gamma\n',
      operation: 'Find',
      cost: 12,
      actualCost: 3.5,
      costExceeded: 'operation',
      document: 'abc',
      joined: true,
      code: 'OVERLOADED',
      waitedForPlan: 4,
      denied: 2,
      parts: 2,
      firstPart: 1.235,
      errors: 4,
      aborted: true,
      stalled: true,
    }
    const outcome = 'the client read nothing for traffic.write_timeout: its answer was ended'
    expect(lines).toEqual([printed(fields, outcome)])
  })

  it('says of a subscription why it ended, how long it lasted, and how many events it had', () => {
    const request = summary({ subscription: SUBSCRIPTION })
    const [line = ''] = loggedBy((log) => log.ended(request))
    const { lasted } = JSON.parse(line) as { readonly lasted: number }
    expect(lasted).toBeGreaterThan(0)
    const ended = { subscription: SUBSCRIPTION.end, lasted, events: 3, eventsWithErrors: 1 }
    expect(line).toBe(printed({ ...base(request), ...ended }, 'subscription ended'))
  })

  it('names the composition of each request where they change from one to the next', () => {
    const chosen = [
      composition(ARTIFACT, 1, null),
      composition(ARTIFACT, 1, null),
      composition(ARTIFACT, 2, null),
      composition(ARTIFACT, 2, 'beta'),
      composition('feedbeef00000000', 2, 'beta'),
      composition(ARTIFACT, 1, null),
      composition(ARTIFACT, 1, null, 'catalogue'),
      composition(ARTIFACT, 1, null, 'prices'),
    ]
    const lines = loggedBy((log) => {
      for (const one of chosen) log.ended(summary({ composition: one }))
    })
    const told = lines.map((line) => {
      const { flag, flagReason, rollout, artifact, revision } = JSON.parse(line)
      return { flag, flagReason, rollout, artifact, revision }
    })
    expect(told).toEqual(
      chosen.map(({ flag, reason, rollout, generation, config }) => ({
        flag,
        ...(rollout === null ? {} : { rollout }),
        flagReason: reason,
        artifact: generation.artifact.slice(0, 12),
        revision: config.version.revision,
      })),
    )
  })

  it('writes the path of a request line that no JSON text could hold as it is', () => {
    const request = summary({ method: 'GET', url: '/"quoted"\\\u00ff?x' })
    const [line = ''] = loggedBy((log) => log.ended(request))
    expect(line).toBe(
      printed({ ...base(request), method: 'GET', path: '/"quoted"\\\u00ff' }, 'request answered'),
    )
  })
})
