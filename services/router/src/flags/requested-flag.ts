/**
 * Which feature flag a request asks for. Whether there is one of that name is for the serving table to say.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { cookieValue } from './cookie.ts'

/** The header by which a client names a feature flag, and by which an answer names the one that answered. */
export const FLAG_HEADER = 'X-Feature-Flag'
/** The cookie by which a client names a feature flag. */
export const FLAG_COOKIE = 'feature_flag'

/** The feature flag that a request names, and where. */
export type RequestedFlag =
  | { readonly from: 'header' | 'cookie'; readonly name: string }
  | { readonly from: 'none' }

/**
 * The reason why this composition answers: what chose its flag, or the reason why base answers. Base answers
 * requests of a rollout that are outside of its percentage (`rollout-control`), and those inside while the
 * composition of its flag is not built (`rollout-not-ready`).
 */
export type SelectionReason =
  | 'header'
  | 'cookie'
  | 'none'
  | 'unknown'
  | 'not-served'
  | 'rollout'
  | 'rollout-control'
  | 'rollout-not-ready'

/** The choice for requests that name no flag, and that no rollout is for. */
export const NO_FLAG: RequestedFlag = { from: 'none' }

/**
 * The header wins even when it names a flag that does not exist; only an absent or blank header leaves the
 * choice to the cookie. Several header lines arrive joined by commas: the first one counts.
 */
export function requestedFlag(headers: IncomingHttpHeaders, cookies: boolean): RequestedFlag {
  const header = headers['x-feature-flag']
  if (typeof header === 'string') {
    const comma = header.indexOf(',')
    const name = (comma < 0 ? header : header.slice(0, comma)).trim()
    if (name !== '') return { from: 'header', name }
  }
  if (!cookies || headers.cookie === undefined) return NO_FLAG
  const name = cookieValue(headers.cookie, FLAG_COOKIE)
  return name === null || name === '' ? NO_FLAG : { from: 'cookie', name }
}
