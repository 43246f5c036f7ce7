/** Somebody who issues tokens: keys, a server that publishes them, and tokens signed by them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type SigningKey = {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

export async function newSigningKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** In seconds. */
export const inSeconds = (seconds: number, now = Date.now()): number => Math.floor(now / 1000) + seconds

/** A claim that is undefined is left out. */
export function sign(
  key: SigningKey,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const all: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: inSeconds(600), ...claims }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new SignJWT(given).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)
}

export const ISSUER = 'https://issuer.example/'
export const AUDIENCE = 'shop'

export type KeyServer = AsyncDisposable & {
  readonly url: string
  /** Answers that were given by now. */
  calls(): number
  publish(...keys: readonly JWK[]): void
  answer(by: (request: IncomingMessage, response: ServerResponse) => void): void
}

export async function startKeyServer(...first: readonly JWK[]): Promise<KeyServer> {
  let calls = 0
  let respond: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const publish = (...keys: readonly JWK[]): void => {
    respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
    }
  }
  publish(...first)
  const server = createServer((request, response) => {
    calls++
    respond(request, response)
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    calls: () => calls,
    publish,
    answer: (by) => {
      respond = by
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}
