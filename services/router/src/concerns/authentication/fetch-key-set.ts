/**
 * Fetches a JWKS: one GET on a connection of its own, within a time limit and from an address that the
 * settings allow. Redirects are not followed. It is a module of its own because undici takes 5 MB of memory.
 */
import { GatheredPieces } from '@switchyard/service-kit'
import { buildConnector, Client } from 'undici'
import type { AddressGuard } from '../../addresses/address-guard.ts'
import { KeySetError } from './key-set.ts'

/** Bytes of a key set. A hundred keys with their certificates take a fifth of it. */
export const MAX_KEY_SET_SIZE = 1024 * 1024

/**
 * Fetches a key set as text. `timeout` is the time limit for all of it, in milliseconds. Rejects with the
 * reason if there is none.
 */
export async function fetchKeySet(url: URL, timeout: number, guard: AddressGuard): Promise<string> {
  const connectTo = buildConnector({ allowH2: false, timeout, lookup: guard.lookup })
  const client = new Client(url.origin, {
    allowH2: false,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connect(options, callback) {
      // An address in the URL is never looked up.
      const objection = guard.objectionTo(options.hostname)
      if (objection !== null) return callback(objection, null)
      connectTo(options, callback)
    },
  })
  try {
    const { statusCode, body } = await client.request({
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: 'application/jwk-set+json, application/json' },
      signal: AbortSignal.timeout(timeout),
    })
    if (statusCode !== 200) throw new KeySetError(`it was answered with HTTP status ${statusCode}`)
    const chunks: Buffer[] = []
    const pieces = new GatheredPieces((bytes) => chunks.push(bytes))
    for await (const chunk of body as AsyncIterable<Buffer>) {
      pieces.add(chunk)
      if (pieces.length > MAX_KEY_SET_SIZE)
        throw new KeySetError(`it is larger than ${MAX_KEY_SET_SIZE} bytes`)
      if (pieces.areTooMany) throw new KeySetError('it comes in thousands of very small pieces')
    }
    pieces.flush()
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    await client.destroy()
  }
}
