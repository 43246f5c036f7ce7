/** `--require-live`: how many routers have to serve what a command caused, and whether they do. */
import type { CommandOutcome } from '@switchyard/contracts'
import { UsageError } from '../run/errors.ts'

/** A number of routers, or all that have reported for the graphs; at least one. */
export type RequiredRouters = number | 'all'

/** The value of the option; without one it is `all`. */
export function parseRequiredRouters(raw: unknown): RequiredRouters | null {
  if (raw === undefined || raw === false) return null
  if (raw === true || raw === 'all') return 'all'
  const text = typeof raw === 'string' ? raw : ''
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError(`A number of routers from 1 to 99999, or all, was expected, not "${text}".`)
}

/**
 * True if enough routers serve the result of the command, or the graphs that it named if it changed nothing.
 * If there is nothing to serve, no router is needed.
 */
export function isLive(outcome: CommandOutcome, required: RequiredRouters): boolean {
  const { changed, namedGraphs = [], rolloutGraphs = [], pending, compositions, routers } = outcome
  if (pending) return false
  if (compositions.some(({ status }) => status === 'failed')) return false
  const isNothing = changed
    ? rolloutGraphs.length === 0 && compositions.every(({ status }) => status === 'empty')
    : namedGraphs.length === 0
  if (isNothing) return true
  const { serving, total } = routers
  return required === 'all' ? total > 0 && serving === total : serving >= required
}

/** True if more routers may serve the result later. A composition that failed will not be served later. */
export function mayGetLive({ pending, compositions }: CommandOutcome): boolean {
  return pending || !compositions.some(({ status }) => status === 'failed')
}
