/** Verifies the token of a WebSocket, which all its operations have, and that of a subscription over HTTP. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ClientLookup } from '../../fairness/client.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Identity } from '../../identity/identity.ts'

/** The result of a check. `unknown`: it could not be made, and may be tried again. */
export type TokenCheck =
  | {
      readonly kind: 'good'
      /** The time at which the token expires, in Unix milliseconds; null if it does not, or there is none. */
      readonly expires: number | null
    }
  | { readonly kind: 'bad' | 'unknown'; readonly detail: string }

/** The part that knows tokens. */
export type Identifying = {
  identify(
    headers: IncomingHttpHeaders,
    lookUpClient: ClientLookup,
  ): Identity | null | Promise<Identity | null>
}

const GOOD: TokenCheck = { kind: 'good', expires: null }

/** Milliseconds between two checks of a token that does not expire before. */
const CHECK_EVERY = 30_000
/** Milliseconds after which a token is checked again whose time is over and which counts all the same. */
const CHECK_AGAIN = 1000

/** Returns the milliseconds until a token is checked again. `expires` is in Unix milliseconds. */
export function untilNextCheck(expires: number | null): number {
  const left = expires === null ? CHECK_EVERY : expires - Date.now()
  return left <= 0 ? CHECK_AGAIN : Math.min(CHECK_EVERY, left + 1)
}

/** Checks the token in the headers. Never rejects for what is wrong with it. */
export async function checkToken(
  authentication: Identifying | null,
  headers: IncomingHttpHeaders,
  lookUpClient: ClientLookup,
): Promise<TokenCheck> {
  if (authentication === null) return GOOD
  try {
    const identity = await authentication.identify(headers, lookUpClient)
    const expires: unknown = identity?.claims['exp']
    return typeof expires === 'number' ? { kind: 'good', expires: expires * 1000 } : GOOD
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { kind: error.status === 401 ? 'bad' : 'unknown', detail: error.message }
  }
}
