/** Measures what guarded rollouts cost a request: counting it when it has ended, without HTTP. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { trace } from '@opentelemetry/api'
import type { ManifestRollout } from '@switchyard/contracts'
import { createLogger, TRACE_CONTEXT } from '@switchyard/service-kit'
import { GuardEvents } from '../src/concerns/guards/events.ts'
import { GuardedRollouts } from '../src/concerns/guards/guarded-rollouts.ts'
import type { FlagChoice } from '../src/flags/flag-choice.ts'
import { NO_FLAG } from '../src/flags/requested-flag.ts'
import { createRequestSpans } from '../src/observe/request-spans.ts'
import { RequestReport } from '../src/observe/request-report.ts'
import type { RequestSummary } from '../src/observe/request-summary.ts'
import { benchOptions } from './bench-options.ts'

const { requests, rounds } = benchOptions({ requests: 200_000, rounds: 7 })

const spans = createRequestSpans(trace.getTracer('bench'), TRACE_CONTEXT, {
  route: '/graphql',
  scheme: 'http',
})
const SPAN = spans(new IncomingMessage(new Socket()))
const KEYS = Array.from({ length: 1000 }, (_, user) => `user-${user}`)
const GUARDED: ManifestRollout = {
  name: 'new-catalogue',
  flag: 'new-catalogue',
  mode: 'serve',
  where: [],
  percent: 5,
  key: ['claim:sub'],
  salt: 'new-catalogue-5f1c0a9e7b3d2846',
  guard: { step: 7, stop: { errors: { percent: 20 } } },
}

function configOf(rollouts: readonly ManifestRollout[]) {
  return { version: { epoch: 1, revision: 4 }, createdAt: null, rollouts }
}

/** Requests that have ended, one for each key. */
function ended(
  config: ReturnType<typeof configOf>,
  choiceOf: (key: string) => FlagChoice,
  failure: string | null,
): readonly RequestSummary[] {
  return KEYS.map((key, index) => {
    const report = new RequestReport(
      { method: 'POST', url: '/graphql' },
      SPAN,
      { requestId: 'id', route: '/graphql' },
      [],
    )
    const requested = choiceOf(key)
    const reason = requested.from
    report.flagRequested(requested)
    report.chose({ reason, flag: null, rollout: null, generation: { artifact: 'a' }, config })
    report.operationKnown('Products', 'query')
    // Half of them fail, which the emergency stop allows.
    if (failure !== null && index % 2 === 0) report.executed({ count: 1, code: 'other', failure })
    report.answering(200)
    report.stopClock()
    return report.summary
  })
}

const decided = (text: string) => ({
  rollout: GUARDED.name,
  flag: GUARDED.flag,
  percent: GUARDED.percent,
  key: { source: 'claim:sub', text, bucket: 1 },
})
const inside = (key: string): FlagChoice => ({ from: 'rollout', name: GUARDED.flag, by: decided(key) })
const control = (key: string): FlagChoice => ({ from: 'rollout-control', by: decided(key) })

const CASES: readonly (readonly [
  string,
  readonly ManifestRollout[],
  (key: string) => FlagChoice,
  string | null,
])[] = [
  ['no guarded rollout', [], control, null],
  ['one, but the request names a flag', [GUARDED], () => NO_FLAG, null],
  ['one, outside the percentage', [GUARDED], control, null],
  ['one, inside the percentage', [GUARDED], inside, null],
  [
    'one, inside, half of them fail',
    [{ ...GUARDED, guard: { step: 7, stop: { errors: { percent: 99 } } } }],
    inside,
    'DB',
  ],
]

/** Microseconds of CPU of one request, the median of the rounds. */
function measure(
  rollouts: readonly ManifestRollout[],
  choiceOf: (key: string) => FlagChoice,
  failure: string | null,
) {
  const events = new GuardEvents(createLogger({ name: 'bench', level: 'silent' }))
  const times = Array.from({ length: rounds }, () => {
    const guards = new GuardedRollouts({ events, judges: true, onStopped: () => {} })
    const config = configOf(rollouts)
    guards.serve({ config, rollouts: null })
    const summaries = ended(config, choiceOf, failure)
    const before = process.cpuUsage()
    for (let count = 0; count < requests; count += summaries.length)
      for (const summary of summaries) guards.ended(summary)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / requests
  })
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

for (const [name, rollouts, choiceOf, failure] of CASES)
  process.stdout.write(`${name.padEnd(36)}${measure(rollouts, choiceOf, failure).toFixed(3)} µs\n`)
