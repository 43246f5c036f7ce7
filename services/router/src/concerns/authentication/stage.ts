/** Verifies the token of a request before the request is read. */
import type { Authentication, VerifiedIdentity } from './authentication.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { Stage } from '../../request/stage.ts'

/** A promise only while a token is verified. Throws, or rejects with, HttpError. */
export function authenticate(authentication: Authentication): Stage<Arrived> {
  return {
    waitsFor: 'token',
    run: ({ exchange, lookUpClient }) => {
      const identity = authentication.identify(exchange.request.headers, lookUpClient)
      if (identity instanceof Promise) return identity.then((late) => identified(exchange, late))
      if (identity !== null) identified(exchange, identity)
      return undefined
    },
  }
}

function identified(exchange: Exchange, identity: VerifiedIdentity): undefined {
  exchange.identify(identity)
  exchange.report.identified(identity.provider)
}
