/** One gateway under the load of one scenario. */
import type { LoadRequest } from '../load-options.ts'
import type { LoadReport } from '../load-report.ts'
import { startLoad } from '../start-load.ts'
import { usageOfTree } from '@switchyard/lab'
import type { Scenario } from './scenarios.ts'

export type Measurement = {
  /** CPU of the gateway's processes, user and system, for one answered request, in milliseconds. */
  readonly cpuMs: number
  readonly perSecond: number
  /** Milliseconds, as this machine gave them to gateway, subgraphs and load generator together. */
  readonly p50: number
  readonly p99: number
  /** MB at the end of the load, and at most since the gateway was started. */
  readonly residentMb: number
  readonly peakMb: number
}

export type Duration = { readonly warmUpMs: number; readonly measuredMs: number }

/** The number of requests after which V8 has compiled its code for a question, and every flag was used. */
const WARM_REQUESTS = 3000
/** Times the shortest one: slow gateways have warmed up after fewer requests. */
const LONGEST_WARM_UP = 4

/** A gateway gave a wrong answer or none. */
export class WrongAnswersError extends Error {
  override readonly name = 'WrongAnswersError'
}

/**
 * Warms up and measures. Every answer of both is compared with the expected one. Throws WrongAnswersError
 * when one of them is not equal.
 */
export async function measure(
  gateway: { readonly pid: number; readonly url: string },
  { connections }: Scenario,
  requests: readonly LoadRequest[],
  { warmUpMs, measuredMs }: Duration,
): Promise<Measurement> {
  const load = (duration: number) =>
    startLoad({
      urls: [gateway.url],
      pace: { kind: 'connections', count: connections },
      requests,
      duration,
      timeout: 30_000,
    }).finished
  const warmUpEnd = performance.now() + warmUpMs * LONGEST_WARM_UP
  for (let warm = 0; warm < WARM_REQUESTS && performance.now() < warmUpEnd; )
    warm += answered(await load(warmUpMs))
  const before = usageOfTree(gateway.pid)
  const report = await load(measuredMs)
  const after = usageOfTree(gateway.pid)
  const count = answered(report)
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / count,
    perSecond: count / report.seconds,
    p50: report.latency?.p50 ?? 0,
    p99: report.latency?.p99 ?? 0,
    residentMb: after.resident / 2 ** 20,
    peakMb: after.mostResident / 2 ** 20,
  }
}

/** Returns the number of right answers, which has to be that of all requests. */
function answered({ requests, failed, failures }: LoadReport): number {
  if (failed === 0 && requests > 0) return requests
  const [kind] = Object.values(failures)
  const example = kind?.examples[0]?.message ?? 'no request was answered'
  throw new WrongAnswersError(`${failed} of ${requests} requests failed: ${example}`)
}
