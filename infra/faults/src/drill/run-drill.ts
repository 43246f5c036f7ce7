/** Carries out steps under load, one after the other, and says of each what clients noticed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, type LoadRequest, startLoad } from '@switchyard/bench'
import type { ComposeWorld } from './compose-world.ts'
import { SEVERAL } from './compose-world.ts'
import type { Step } from './steps.ts'

/** The results of the requests of one step. */
export type StepResult = {
  readonly step: Step
  readonly requests: number
  /** Failed requests that were on the wire of a router when it was killed. */
  readonly lost: readonly Failure[]
  /** All other failures, and what did not work afterwards. */
  readonly wrong: readonly string[]
  /** Milliseconds of the slowest right answer, from when its request was due. */
  readonly longest: number
}

/** Requests are due this often, whether or not earlier ones were answered. */
const PER_SECOND = 20
/** The usual wait of clients, long enough for a machine that does other work, too. */
const TIMEOUT_MS = 60_000
/** The flag that is switched after each step, which tests the whole way from a command to all routers. */
const FLAG = 'drill'

const PRICE = '{ products(first: 1) { name price } }'
const BASE = { products: [{ name: 'Two-person tent', price: 24_900 }] }
const FLAGGED = { products: [{ name: 'Two-person tent', price: 22_410 }] }

/** Plain, flagged and deferred requests, half of the first two by GET. Whole answers are compared. */
const REQUESTS: readonly LoadRequest[] = [
  ...(['POST', 'GET'] as const).flatMap((method) => [
    { name: `plain, ${method}`, method, query: PRICE, weight: 3, expected: [BASE] },
    {
      name: `flagged, ${method}`,
      method,
      query: PRICE,
      headers: { 'X-Feature-Flag': 'new-pricing' },
      weight: 3,
      expected: [FLAGGED],
    },
  ]),
  { name: 'deferred', query: '{ products(first: 1) { name ... @defer { deliveryDays } } }', deferred: true },
]

/** Each step takes `secondsEach` at least. Ends early, after a step, when the signal says so. */
export async function* runDrill(
  world: ComposeWorld,
  steps: readonly Step[],
  { secondsEach, signal }: { readonly secondsEach: number; readonly signal: AbortSignal },
): AsyncGenerator<StepResult> {
  await world.switchyard('feature-flag', 'create', FLAG, '--label', 'team=shop', '--fs', 'products-next')
  for (const [index, step] of steps.entries()) {
    if (signal.aborted) return
    yield await underLoad(world, step, secondsEach, index % 2 === 0 ? 'enable' : 'disable')
  }
}

async function underLoad(
  world: ComposeWorld,
  step: Step,
  secondsEach: number,
  change: 'enable' | 'disable',
): Promise<StepResult> {
  const failures: Failure[] = []
  const load = startLoad({
    urls: [world.url],
    pace: { kind: 'rate', perSecond: PER_SECOND },
    timeout: TIMEOUT_MS,
    requests: REQUESTS,
    onFailure: (failure) => failures.push(failure),
  })
  const least = sleep(secondsEach * 1000)
  const complaints: string[] = []
  let killedAt: number | undefined
  try {
    killedAt = await step.carryOut(world)
    for (const service of [...SEVERAL, 'config-distribution', 'nats', 'redis']) await world.ready(service)
    await world.switchyard('feature-flag', change, FLAG, '--require-composed')
    await least
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  const { requests, latency } = await load.stop()
  const { lost, others } = lostOnTheWire(failures, killedAt)
  return {
    step,
    requests,
    lost,
    wrong: [...others.map(described), ...complaints],
    longest: latency?.max ?? 0,
  }
}

function described({ request, kind, message, sentAt, at }: Failure): string {
  return `${request}: ${kind}: ${message} (${sentAt === null ? 'never sent' : `sent ${sentAt}`}, failed ${at})`
}

/** The failures that a load balancer causes when the router behind it was killed. */
const NO_ANSWER: ReadonlySet<Failure['kind']> = new Set(['connection', 'cut-stream'])

/**
 * Splits failures into those of requests that were sent before a router was killed, whose answer was cut off,
 * replaced by 502 or never began, and all others. HAProxy closes the client's connection without an answer
 * where its own connection to the router had carried other requests before.
 */
export function lostOnTheWire(
  failures: readonly Failure[],
  killedAt: number | undefined,
): { readonly lost: readonly Failure[]; readonly others: readonly Failure[] } {
  const isLost = ({ kind, sentAt, message }: Failure) =>
    killedAt !== undefined &&
    sentAt !== null &&
    Date.parse(sentAt) <= killedAt &&
    (NO_ANSWER.has(kind) || (kind === 'http-status' && message.includes('502')))
  return { lost: failures.filter(isLost), others: failures.filter((failure) => !isLost(failure)) }
}
