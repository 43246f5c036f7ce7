import { listProblems } from '@switchyard/service-kit'
import type { RouterStartErrorCode } from '../errors/start-errors.ts'

/**
 * The settings are not usable. `problems` names each wrong one with its place, what was given and what was
 * expected.
 */
export class RouterConfigError extends Error {
  readonly code = 'ROUTER_CONFIG_INVALID' satisfies RouterStartErrorCode
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(listProblems("The router's settings are not usable, so nothing was started.", problems))
    this.name = 'RouterConfigError'
    this.problems = problems
  }
}

/**
 * Waits for everything that settings name to be opened, whatever fails, and throws what is wrong with all of
 * it as one RouterConfigError. Another error goes before these: it is thrown alone.
 */
export async function allOpened<Opened extends readonly unknown[]>(
  opening: {
    readonly [Index in keyof Opened]: Promise<Opened[Index]>
  },
): Promise<Opened>
export async function allOpened(opening: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const results = await Promise.allSettled(opening)
  if (results.some(({ status }) => status === 'rejected')) throw joinedError(results)
  return results.map((result) => (result.status === 'fulfilled' ? result.value : null))
}

/** Returns the problems of all RouterConfigErrors as one of them, or the first error of another kind. */
export function joinedError(results: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = results.flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  const other = reasons.find((reason) => !(reason instanceof RouterConfigError))
  if (other !== undefined) return other
  return new RouterConfigError(
    reasons.flatMap((reason) => (reason instanceof RouterConfigError ? reason.problems : [])),
  )
}
