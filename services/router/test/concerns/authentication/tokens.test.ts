/** Which tokens are good, and which are not. */
import { createHmac, createPublicKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RandomRun } from '@switchyard/testkit/random-run'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AUDIENCE,
  inSeconds,
  ISSUER,
  type KeyServer,
  newSigningKey,
  sign,
  type SigningKey,
  startKeyServer,
} from '../../support/token-issuer.ts'
import { type Opened, opened, settingsOf } from './opened.ts'

const random = new RandomRun(import.meta.url, 2000)
const stack = new AsyncDisposableStack()
let server: KeyServer
let rsa: SigningKey
let ec: SigningKey
let stranger: SigningKey
let gate: Opened

beforeAll(async () => {
  rsa = await newSigningKey('rsa', 'RS256')
  ec = await newSigningKey('ec')
  stranger = await newSigningKey('ec')
  server = stack.use(await startKeyServer(rsa.publicJwk, ec.publicJwk))
  gate = stack.use(await opened(settingsOf({ jwks: [{ url: server.url }] })))
})
afterAll(() => stack.disposeAsync())

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = () => ({ iss: ISSUER, aud: AUDIENCE, sub: 'eve', exp: inSeconds(600) })
const hmac = (secret: string | Buffer, alg = 'HS256', kid = 'rsa'): string => {
  const signed = `${encoded({ alg, kid })}.${encoded(claims())}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

describe('a token', () => {
  it.each([
    ['of an RSA key', () => sign(rsa)],
    ['of an elliptic curve', () => sign(ec)],
    ['for several audiences', () => sign(ec, { aud: ['else', AUDIENCE] })],
    ['that was valid a moment ago', () => sign(ec, { exp: inSeconds(-3) })],
    ['that will be in a moment', () => sign(ec, { nbf: inSeconds(3), iat: inSeconds(3) })],
  ])('%s is good', async (_, token) => {
    expect(await gate.askWith(await token())).toBe('ann')
  })

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['that has expired', () => sign(ec, { exp: inSeconds(-60) }), /has expired \(exp\)/],
    ['that is not valid yet', () => sign(ec, { nbf: inSeconds(60) }), /not valid yet \(nbf\)/],
    ['from the future', () => sign(ec, { iat: inSeconds(60) }), /issued in the future \(iat\)/],
    ['for somebody else', () => sign(ec, { aud: 'else' }), /not meant for this graph \(aud\)/],
    ['for nobody', () => sign(ec, { aud: undefined }), /claim that it must have is missing/],
    ['without an end', () => sign(ec, { exp: undefined }), /claim that it must have is missing/],
    ['with an end that is no time', () => sign(ec, { exp: 'tomorrow' }), /claim that it must have/],
    ['of another issuer', () => sign(ec, { iss: 'https://evil.example/' }), /issuer whose tokens are not/],
    ['of no issuer', () => sign(ec, { iss: undefined }), /issuer whose tokens are not taken/],
    ['of several issuers', () => sign(ec, { iss: [ISSUER] }), /issuer whose tokens are not taken/],
    ['by another key of the same name', () => sign(stranger), /signature is wrong/],
    ['by a key that is not published', () => sign(ec, {}, { kid: 'other' }), /does not publish/],
    ['by a key of another kind', () => sign(ec, {}, { kid: 'rsa' }), /does not publish/],
    [
      'with an extension that is not known',
      () => `${encoded({ alg: 'ES256', kid: 'ec', crit: ['x'], x: 1 })}.${encoded(claims())}.AAAA`,
      /no signed JSON/,
    ],
    [
      'that nobody signed',
      () => `${encoded({ alg: 'none' })}.${encoded(claims())}.`,
      /algorithm that is not/,
    ],
    [
      'that nobody signed, in other words',
      () => `${encoded({ alg: 'nOnE' })}.${encoded(claims())}.`,
      /algorithm/,
    ],
    [
      'that takes the public key for a secret',
      () =>
        hmac(
          createPublicKey({ key: { ...rsa.publicJwk }, format: 'jwk' }).export({
            type: 'spki',
            format: 'pem',
          }),
        ),
      /algorithm that is not taken/,
    ],
    [
      'that takes it for one and hides the algorithm',
      () =>
        hmac(
          createPublicKey({ key: { ...rsa.publicJwk }, format: 'jwk' }).export({
            type: 'spki',
            format: 'der',
          }),
          'RS256',
        ),
      /signature is wrong/,
    ],
    [
      'that brings its key along',
      () => sign(stranger, {}, { jwk: stranger.publicJwk }),
      /signature is wrong/,
    ],
    ['that names a set of its own', () => sign(stranger, {}, { jku: server.url, kid: 'x' }), /not publish/],
    ['that is encrypted', () => `${encoded({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a.b.c.d`, /no signed JSON/],
    ['of 8193 characters', () => 'a'.repeat(8193), /longer than the 8192/],
    ['of 20 MB', () => 'a'.repeat(20_000_000), /longer than the 8192/],
    ['of nothing', () => '', /no signed JSON Web Token/],
    ['of two parts', () => 'e30.e30', /no signed JSON Web Token/],
    [
      'that is deep',
      () => `${encoded({ alg: 'ES256' })}.${Buffer.from('['.repeat(5000)).toString('base64url')}.x`,
      /no signed/,
    ],
    ['that is no object', () => `${encoded([])}.${encoded(1)}.x`, /no signed JSON Web Token/],
  ])('%s is refused', async (_, token, reason) => {
    const text = await token()
    const answer = await gate.askWith(text)
    expect(answer).toMatch(/^TOKEN_INVALID /)
    expect(answer).toMatch(reason)
    if (text.length > 20) expect(answer).not.toContain(text.slice(0, 20))
  })

  it(
    'that is mutated is never taken, and nothing breaks',
    async () => {
      const good = await sign(ec, { roles: ['a', 'b'] })
      const [header = '', payload = '', signature = ''] = good.split('.')
      const isSame = (text: string): boolean => {
        const parts = text.split('.')
        const bytes = Buffer.from(parts[2] ?? '', 'base64url')
        return (
          parts.length === 3 &&
          parts[0] === header &&
          parts[1] === payload &&
          bytes.equals(Buffer.from(signature, 'base64url'))
        )
      }
      const place = fc.nat({ max: good.length - 1 })
      const json = fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text).toString('base64url'))
      const mutated = fc.oneof(
        fc
          .tuple(place, fc.string({ maxLength: 3 }))
          .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1)),
        fc
          .tuple(place, fc.base64String({ maxLength: 8 }))
          .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1)),
        fc.tuple(place, place).map(([from, to]) => good.slice(Math.min(from, to), Math.max(from, to))),
        place.map((at) => good.slice(at) + good.slice(0, at)),
        json.map((text) => [header, text, signature].join('.')),
        json.map((text) => [text, payload, signature].join('.')),
        fc
          .record({
            alg: fc.constantFrom('ES256', 'RS256', 'none', 'HS256', '', 1),
            kid: fc.constantFrom('ec', 'rsa', 'x', '', 1, null),
          })
          .map((head) => [encoded(head), payload, signature].join('.')),
        fc
          .record({
            sub: fc.anything(),
            exp: fc.oneof(fc.anything(), fc.constant(inSeconds(60))),
            iss: fc.oneof(fc.constant(ISSUER), fc.anything()),
          })
          .map((body) => {
            try {
              return [header, encoded(body), signature].join('.')
            } catch {
              return 'x'
            }
          }),
        fc.string({ maxLength: 9000 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
      )
      let asked = 0
      await fc.assert(
        fc.asyncProperty(mutated, async (text) => {
          if (isSame(text.trim())) return
          asked++
          expect(await gate.askWith(text)).toMatch(/^TOKEN_INVALID /)
        }),
        random.parameters,
      )
      expect(asked).toBeGreaterThan(random.runs * 0.95)
      expect(await gate.askWith(good)).toBe('ann')
    },
    random.timeout(30_000),
  )
})

describe('secrets', () => {
  let folder: string
  const secret = randomBytes(32)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-keys-'))
    stack.defer(() => rm(folder, { recursive: true }))
  })
  const file = async (keys: readonly unknown[]): Promise<Opened> => {
    const path = join(folder, `${keys.length}-${randomBytes(4).toString('hex')}.json`)
    await writeFile(path, JSON.stringify({ keys }))
    return stack.use(await opened(settingsOf({ jwks: [{ file: path }], algorithms: ['HS256'] })))
  }

  it('verify tokens where the settings say so', async () => {
    const own = await file([{ kty: 'oct', kid: 'rsa', k: secret.toString('base64url') }])
    expect(await own.askWith(hmac(secret))).toBe('eve')
    expect(await own.askWith(hmac(randomBytes(32)))).toMatch(/signature is wrong/)
    expect(await own.askWith(await sign(rsa))).toMatch(/algorithm that is not taken/)
  })

  it('are refused as a set as soon as one of the keys is public', async () => {
    const own = await file([{ kty: 'oct', kid: 'rsa', k: secret.toString('base64url') }, rsa.publicJwk])
    expect(await own.askWith(hmac(secret))).toMatch(/^AUTHENTICATION_UNAVAILABLE/)
    expect(own.logs.at(-1)).toMatchObject({ event: 'authentication.keys-missing' })
  })

  it('are not used when they are shorter than the hash', async () => {
    const own = await file([{ kty: 'oct', kid: 'rsa', k: secret.toString('base64url').slice(0, 20) }])
    expect(await own.askWith(hmac(secret))).toMatch(/does not publish/)
    expect(own.logs.at(-1)).toMatchObject({ event: 'authentication.keys-read', keys: 0, unusable: 1 })
  })
})

describe('the source of a token', () => {
  const asked = async (provider: Readonly<Record<string, unknown>>) =>
    stack.use(await opened(settingsOf({ jwks: [{ url: server.url }], ...provider })))

  it('may be another header, with another prefix or none', async () => {
    const other = await asked({
      headers: [
        { name: 'X-Token', prefix: '' },
        { name: 'X-Key', prefix: 'JWT' },
      ],
    })
    const token = await sign(ec)
    expect(await other.ask({ 'x-token': token })).toBe('ann')
    expect(await other.ask({ 'x-key': `jwt ${token}` })).toBe('ann')
    expect(await other.ask({ 'x-key': token })).toBe('nobody')
    expect(await other.ask({ authorization: `Bearer ${token}` })).toBe('nobody')
  })

  it('may be a cookie, which counts where no header has a token', async () => {
    const other = await asked({ cookies: ['session'] })
    const [ann, ben] = await Promise.all([sign(ec), sign(ec, { sub: 'ben' })])
    expect(await other.ask({ cookie: `a=b; session=${ann}` })).toBe('ann')
    expect(await other.ask({ cookie: `session=${ann}`, authorization: `Bearer ${ben}` })).toBe('ben')
    expect(await other.ask({ cookie: `session=${ann}`, authorization: 'Bearer x' })).toMatch(/^TOKEN_INVALID/)
    expect(await other.ask({ cookie: 'session=x' })).toMatch(/^TOKEN_INVALID/)
    expect(await other.ask({ cookie: 'sessions=x' })).toBe('nobody')
  })

  it('says nothing with another scheme', async () => {
    expect(await gate.ask({ authorization: 'Basic YTpi' })).toBe('nobody')
    expect(await gate.ask({ authorization: 'Bearer' })).toMatch(/^TOKEN_INVALID/)
    expect(await gate.ask({ authorization: `bEARER ${await sign(ec)}` })).toBe('ann')
  })
})

describe('several providers', () => {
  it('verify the tokens of their own issuers only, each by its keys and where it may be', async () => {
    const other = await newSigningKey('other')
    const second = stack.use(await startKeyServer(other.publicJwk))
    const providers = [
      { name: 'a', issuers: [ISSUER], jwks: [{ url: server.url }], audiences: [AUDIENCE] },
      {
        name: 'b',
        issuers: ['b', 'c'],
        jwks: [{ url: second.url }],
        audiences: 'any',
        headers: [{ name: 'X-B', prefix: '' }],
      },
    ]
    const both = stack.use(await opened({ authentication: { jwt: { providers } } }))
    expect(await both.askWith(await sign(ec))).toBe('ann')
    expect(await both.ask({ 'x-b': await sign(other, { iss: 'c', sub: 'ben' }) })).toBe('ben')
    expect(await both.ask({ 'x-b': await sign(ec) })).toMatch(/issuer whose tokens are not taken/)
    expect(await both.askWith(await sign(other, { iss: 'c' }))).toMatch(/issuer whose tokens are not taken/)
    expect(await both.askWith(await sign(other))).toMatch(/does not publish/)
    expect(await both.ask({ 'x-b': await sign(ec, { iss: 'b' }) })).toMatch(/does not publish/)
  })
})

it('each token has a key of its own, and the same one while it is remembered', async () => {
  const identify = async (token: string) =>
    gate.authentication.identify({ authorization: `Bearer ${token}` }, () => ({ address: '', name: '' }))
  const [ann, ben] = await Promise.all([sign(ec), sign(ec, { sub: 'ben' })])
  const keys = await Promise.all([ann, ben, ann, ben].map(async (token) => (await identify(token))?.key))
  expect(new Set(keys).size).toBe(2)
  expect(keys.slice(0, 2)).toEqual(keys.slice(2))
  expect(
    gate.authentication.identify({ authorization: `Bearer ${ann}` }, () => ({ address: '', name: '' })),
  ).toMatchObject({ key: keys[0], provider: 'shop', claims: { sub: 'ann' } })
})
