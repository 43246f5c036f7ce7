/** Views of the trace keys, and the times until which the tokens of each may be valid. */
import { MAX_TRACE_TOKEN_SECONDS, type TraceKeyView } from '@switchyard/contracts'
import type { PublicKey, SystemState } from '@switchyard/domain'
import type { TraceKey } from './trace-key.ts'

const LONGEST_TOKEN_MS = MAX_TRACE_TOKEN_SECONDS * 1000

/** The time at which the last token that this process signed with a key expires, in Unix milliseconds. */
export class TokenTimes {
  readonly #until = new Map<string, number>()

  signed(kid: string, expires: number): void {
    this.#until.set(kid, Math.max(expires, this.lastOf(kid)))
  }

  lastOf(kid: string): number {
    return this.#until.get(kid) ?? 0
  }
}

/** Lists the trace keys, newest first. Keys that are only in the file come before all others. */
export function traceKeyViews(
  system: SystemState,
  held: readonly TraceKey[],
  times: TokenTimes,
  now: number,
): TraceKeyView[] {
  const kids = new Set(held.map(({ kid }) => kid))
  const announced = newestFirst(system.traceKeys.values())
  const signer = announced.find(({ jwk }) => kids.has(jwk.kid))
  const waiting = held.filter(({ kid }) => !system.traceKeys.has(kid) && !system.retiredTraceKeys.has(kid))
  const none = { createdAt: null, retiredAt: null, tokensUntil: null }
  return [
    ...waiting.map(({ kid }): TraceKeyView => ({ kid, state: 'not-announced', ...none })),
    ...announced.map((key): TraceKeyView => {
      const { kid } = key.jwk
      const here = key === signer ? 'signs' : 'can-sign'
      const tokensUntil = new Date(tokensUntilOf(system, key, kids, times, now)).toISOString()
      return {
        kid,
        state: kids.has(kid) ? here : 'cannot-sign',
        createdAt: key.since,
        retiredAt: null,
        tokensUntil,
      }
    }),
    ...newestFirst(system.retiredTraceKeys.values()).map(
      ({ jwk, since, until }): TraceKeyView => ({
        kid: jwk.kid,
        state: 'retired',
        createdAt: since,
        retiredAt: until,
        tokensUntil: null,
      }),
    ),
  ]
}

/** Returns the reasons why it is too early to retire a key, if there are any. */
export function retirementWarnings(
  system: SystemState,
  kid: string,
  held: readonly TraceKey[],
  times: TokenTimes,
  now: number,
): readonly string[] {
  const key = system.traceKeys.get(kid)
  if (key === undefined) return []
  const until = tokensUntilOf(system, key, new Set(held.map((other) => other.kid)), times, now)
  const others = [...system.traceKeys.values()].filter((other) => other !== key)
  return [
    ...(until > now
      ? [
          `Tokens that ${kid} signed may be valid until ${new Date(until).toISOString()}: routers refuse them from now on.`,
        ]
      : []),
    ...lastKeyWarning(others, held),
  ]
}

function lastKeyWarning(others: readonly PublicKey[], held: readonly TraceKey[]): readonly string[] {
  if (others.length === 0)
    return ['There is no other trace key: no token can be signed until one is created.']
  if (others.some(({ jwk }) => held.some(({ kid }) => kid === jwk.kid))) return []
  return [
    'No other trace key is in the key file of this registry: it can sign no token until one is created, or the file is put right.',
  ]
}

/** A key signs until a newer one that can takes over; no token lives longer than a day. */
function tokensUntilOf(
  system: SystemState,
  key: PublicKey,
  held: ReadonlySet<string>,
  times: TokenTimes,
  now: number,
): number {
  const newer = [...system.traceKeys.values()].filter(
    ({ sequence, jwk }) => sequence > key.sequence && held.has(jwk.kid),
  )
  const lastSigned = Math.min(now, ...newer.map(({ since }) => Date.parse(since)))
  return Math.max(lastSigned + LONGEST_TOKEN_MS, times.lastOf(key.jwk.kid))
}

function newestFirst<Key extends PublicKey>(keys: readonly Key[]): readonly Key[] {
  return keys.toSorted((one, other) => other.sequence - one.sequence)
}
