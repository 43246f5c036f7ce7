/** Requests that have identities without tokens, for what is done with identities. */
import type { Identity } from '../../src/identity/identity.ts'
import { Exchange } from '../../src/pipeline/exchange.ts'
import { vi } from 'vitest'

/** The header by which a request says who asks. */
export const IDENTITY_HEADER = 'x-test-identity'

/** From now on requests with `IDENTITY_HEADER` have the identity of that name, and no others have any. */
export function identifyBy(identities: Readonly<Record<string, Identity['claims']>>): Disposable {
  const known = new Map(Object.entries(identities).map(([key, claims]) => [key, { key, claims }]))
  const spy = vi.spyOn(Exchange.prototype, 'identity', 'get').mockImplementation(function (this: Exchange) {
    return known.get(String(this.request.headers[IDENTITY_HEADER])) ?? null
  })
  return { [Symbol.dispose]: () => spy.mockRestore() }
}
