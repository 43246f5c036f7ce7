/** What somebody without a token of this graph would try. */
import { createHmac } from 'node:crypto'
import type { Jwks } from '@switchyard/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { TraceTokens } from '../../src/tracing/trace-token.ts'
import {
  AUDIENCE,
  encoded,
  goodClaims,
  goodHeader,
  newTestKey,
  NOW,
  SECONDS,
  signed,
  type TestKey,
} from './trace-tokens.ts'

const HOUR = 3600

let key: TestKey
let other: TestKey
let keys: Jwks
beforeAll(async () => {
  key = await newTestKey('k1')
  other = await newTestKey('k2')
  keys = { keys: [key.publicJwk] }
})

async function check(token: string, known = keys, now = NOW) {
  return new TraceTokens().check(token, { keys: known, audience: AUDIENCE, now })
}

async function refusalOf(token: string, known = keys, now = NOW): Promise<string> {
  const checked = await check(token, known, now)
  return checked.kind === 'bad' ? checked.message : 'accepted'
}

const HEADER = /header is not that of a trace token/
const KEY = /key is none that this router knows/
const SIGNATURE = /signature is wrong/
const CLAIMS = /lacks claims/

describe('a trace token is taken', () => {
  it('as a registry signs it, with or without the type', async () => {
    expect(await check(signed(key))).toEqual({ kind: 'good', exclude: [] })
    expect(await check(signed(key, goodClaims(), { alg: 'EdDSA', kid: 'k1' }))).toMatchObject({
      kind: 'good',
    })
  })

  it('with what it excludes', async () => {
    const exclude = ['output', 'raw_input_data']
    expect(await check(signed(key, goodClaims({ exclude })))).toEqual({ kind: 'good', exclude })
  })

  it('by clocks that are up to 30 seconds apart', async () => {
    expect((await check(signed(key), keys, NOW - 30_000)).kind).toBe('good')
    expect(await refusalOf(signed(key), keys, NOW - 30_001)).toMatch(/not valid yet/)
    expect((await check(signed(key), keys, NOW + 629_999)).kind).toBe('good')
    expect(await refusalOf(signed(key), keys, NOW + 630_000)).toMatch(/expired/)
  })

  it('for 24 hours and not a second more', async () => {
    const day = goodClaims({ exp: SECONDS + 24 * HOUR })
    expect((await check(signed(key, day))).kind).toBe('good')
    const longer = goodClaims({ exp: SECONDS + 24 * HOUR + 1 })
    expect(await refusalOf(signed(key, longer))).toMatch(/longer than the 24 hours/)
  })

  it('by each of several keys', async () => {
    const both = { keys: [key.publicJwk, other.publicJwk] }
    for (const one of [key, other]) expect((await check(signed(one), both)).kind).toBe('good')
  })
})

describe('a trace token is refused', () => {
  it('when it is not signed at all', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const head = encoded(goodHeader(key, { alg }))
      expect(await refusalOf(`${head}.${encoded(goodClaims())}.`)).toMatch(/no signed token/)
      expect(await refusalOf(signed(key, goodClaims(), goodHeader(key, { alg })))).toMatch(HEADER)
    }
    expect(await refusalOf(`${encoded(goodHeader(key))}.${encoded(goodClaims())}.`)).toMatch(
      /no signed token/,
    )
  })

  it('when it is signed by HMAC with the public key, which everybody may know', async () => {
    const secrets = [
      Buffer.from(String(key.publicJwk['x']), 'base64url'),
      Buffer.from(String(key.publicJwk['x'])),
      Buffer.from(JSON.stringify(key.publicJwk)),
    ]
    for (const secret of secrets) {
      for (const alg of ['HS256', 'EdDSA']) {
        const text = `${encoded(goodHeader(key, { alg }))}.${encoded(goodClaims())}`
        const mac = createHmac('sha256', secret).update(text).digest('base64url')
        expect(await refusalOf(`${text}.${mac}`)).toMatch(alg === 'EdDSA' ? SIGNATURE : HEADER)
      }
    }
  })

  it('when another algorithm is named, however the signature was made', async () => {
    for (const alg of ['HS256', 'RS256', 'ES256', 'Ed25519', 'Ed448', 'eddsa', ['EdDSA'], null, 1]) {
      expect(await refusalOf(signed(key, goodClaims(), goodHeader(key, { alg })))).toMatch(HEADER)
    }
  })

  it('when its header brings a key of its own, names where one is, or changes the rules', async () => {
    const extras = [
      { jwk: other.publicJwk },
      { jku: 'https://evil.example/jwks.json' },
      { x5c: ['MIIB'] },
      { x5u: 'https://evil.example/cert.pem' },
      { crit: ['exp'] },
      { crit: [] },
      { b64: false, crit: ['b64'] },
      { zip: 'DEF' },
      { cty: 'JWT' },
      { typ: 'at+jwt' },
    ]
    for (const extra of extras) {
      for (const signer of [key, other])
        expect(await refusalOf(signed(signer, goodClaims(), goodHeader(key, extra)))).toMatch(HEADER)
    }
  })

  it('without the id of a key, and with one that is unknown', async () => {
    expect(await refusalOf(signed(key, goodClaims(), { alg: 'EdDSA' }))).toMatch(HEADER)
    for (const kid of ['', null, 0, ['k1'], { k1: 1 }])
      expect(await refusalOf(signed(key, goodClaims(), goodHeader(key, { kid })))).toMatch(HEADER)
    for (const kid of ['k9', 'K1', ' k1', '__proto__', 'constructor', '../k1'])
      expect(await refusalOf(signed(key, goodClaims(), goodHeader(key, { kid })))).toMatch(KEY)
  })

  it('when somebody else signed it, or it was changed afterwards', async () => {
    expect(await refusalOf(signed(other, goodClaims(), goodHeader(key)))).toMatch(SIGNATURE)
    const [header, , signature] = signed(key).split('.')
    const longer = encoded(goodClaims({ exp: SECONDS + 6000 }))
    expect(await refusalOf(`${header}.${longer}.${signature}`)).toMatch(SIGNATURE)
    expect(await refusalOf(signed(key).slice(0, -20))).toMatch(SIGNATURE)
    expect(await refusalOf(`${header}.${longer}.${'A'.repeat(86)}`)).toMatch(SIGNATURE)
  })

  it('when it is for another graph, or for several', async () => {
    for (const aud of [
      'default/other',
      'other/shop',
      'default/shop/',
      'default',
      '',
      'DEFAULT/SHOP',
      ' default/shop',
    ])
      expect(await refusalOf(signed(key, goodClaims({ aud })))).toMatch(/another graph/)
    for (const aud of [[AUDIENCE], [AUDIENCE, 'default/other'], null, { toString: 'x' }])
      expect(await refusalOf(signed(key, goodClaims({ aud })))).toMatch(CLAIMS)
  })

  it('when it has expired, is not valid yet, never was, or would be for ever', async () => {
    const at = (iat: number, exp: number) => signed(key, goodClaims({ iat, exp }))
    expect(await refusalOf(at(SECONDS - 600, SECONDS - 31))).toMatch(/expired/)
    expect(await refusalOf(at(SECONDS + 31, SECONDS + 600))).toMatch(/not valid yet/)
    expect(await refusalOf(signed(key, goodClaims({ nbf: SECONDS + 31 })))).toMatch(/not valid yet/)
    expect(await refusalOf(at(SECONDS, SECONDS))).toMatch(/or never/)
    expect(await refusalOf(at(SECONDS + 20, SECONDS + 10))).toMatch(/or never/)
    expect(await refusalOf(at(0, SECONDS + 600))).toMatch(/longer than the 24 hours/)
    expect(await refusalOf(at(SECONDS + 31, SECONDS + 24 * HOUR + 31))).toMatch(/not valid yet/)
  })

  it('without a claim that it needs, or with one of the wrong kind', async () => {
    for (const name of ['aud', 'iat', 'exp', 'jti'])
      expect(await refusalOf(signed(key, goodClaims({ [name]: undefined })))).toMatch(CLAIMS)
    const wrong = [
      { exp: String(SECONDS + 600) },
      { exp: null },
      { iat: true },
      { iat: -1 },
      { nbf: 'now' },
      { jti: '' },
      { jti: 7 },
      { jti: 'j'.repeat(201) },
      { exclude: 'output' },
      { exclude: ['output', 'something of a later version'] },
      { exclude: null },
    ]
    for (const claims of wrong) expect(await refusalOf(signed(key, goodClaims(claims)))).toMatch(CLAIMS)
    const endless = JSON.stringify(goodClaims()).replace(/"exp":\d+/, '"exp":1e999')
    expect(await refusalOf(signed(key, endless))).toMatch(CLAIMS)
    for (const payload of ['null', '[]', '7', '"text"', '{', '', '\u0000'])
      expect(await refusalOf(signed(key, payload))).toMatch(payload === '' ? /no signed token/ : CLAIMS)
  })

  it('when a name is in it twice, so that readers may understand it differently', async () => {
    const twice = (value: object, name: string, first: unknown) =>
      JSON.stringify(value).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(first)},`)
    for (const [name, first] of [
      ['aud', 'default/other'],
      ['exp', SECONDS + 10],
      ['exclude', ['output']],
    ] as const) {
      const claims = goodClaims({ exclude: ['input'] })
      expect(await refusalOf(signed(key, twice(claims, name, first)))).toMatch(/has one twice/)
    }
    expect(await refusalOf(signed(key, goodClaims(), twice(goodHeader(key), 'kid', 'k2')))).toMatch(HEADER)
  })

  it('when it would be valid from before it was issued for longer than 24 hours, or after its end', async () => {
    const early = goodClaims({ nbf: SECONDS - 24 * HOUR })
    expect(await refusalOf(signed(key, early))).toMatch(/longer than the 24 hours/)
    expect((await check(signed(key, goodClaims({ nbf: SECONDS - 60 })))).kind).toBe('good')
    const late = goodClaims({ nbf: SECONDS + 600 })
    expect(await refusalOf(signed(key, late), keys, NOW + 605_000)).toMatch(/or never/)
  })

  it('when it is garbage', async () => {
    const good = signed(key)
    const garbage = [
      'a',
      'a.b',
      '...',
      'Bearer x',
      good.replace('.', ' .'),
      `${good}.`,
      `${good}.${good.split('.')[0]}`,
      `${good}, ${good}`,
      `${good}=`,
      '\u00ff\u00fe',
      JSON.stringify({ protected: 'a', payload: 'b', signature: 'c' }),
    ]
    for (const token of garbage) expect(await refusalOf(token)).toMatch(/no signed token/)
    for (const token of [
      'a.b.c',
      `${encoded('[]')}.b.c`,
      `${encoded('null')}.b.c`,
      `${encoded('{"alg":')}.b.c`,
    ])
      expect(await refusalOf(token)).toMatch(HEADER)
    expect(await refusalOf('')).toMatch(/is empty/)
  })

  it('when it is longer than 4,096 characters, before anything in it is looked at', async () => {
    const padded = signed(key, goodClaims({ padding: 'x'.repeat(4096) }))
    expect(await refusalOf(padded)).toMatch(/longer than the 4096 characters/)
    expect(new TraceTokens().check(padded, { keys, audience: AUDIENCE, now: NOW })).not.toBeInstanceOf(
      Promise,
    )
    const fits = signed(key, goodClaims({ padding: 'x'.repeat(2700) }))
    expect(fits.length).toBeLessThan(4096)
    expect((await check(fits)).kind).toBe('good')
  })

  it('when the key of that id is no Ed25519 key', async () => {
    const secret = Buffer.alloc(32, 7).toString('base64url')
    for (const jwk of [
      { kty: 'oct', k: secret, kid: 'k1' },
      { kty: 'EC', crv: 'P-256', x: secret, y: secret, kid: 'k1' },
      { kty: 'OKP', crv: 'X25519', x: secret, kid: 'k1' },
      { kty: 'OKP', crv: 'Ed25519', x: 'short', kid: 'k1' },
    ])
      expect(await refusalOf(signed(key), { keys: [jwk] })).toMatch(SIGNATURE)
  })

  it('without a word of what it says, before its signature is known to be good', async () => {
    const planted = goodClaims({ aud: 'planted-text', jti: 'planted-text' })
    const messages = [
      await refusalOf(signed(other, planted, goodHeader(key))),
      await refusalOf(signed(key, planted, goodHeader(key, { kid: 'planted-text' }))),
      await refusalOf(signed(key, planted, goodHeader(key, { alg: 'planted-text' }))),
      await refusalOf(signed(key, planted)),
    ]
    for (const message of messages) expect(message).not.toContain('planted')
  })
})

describe('while keys are rotated', () => {
  it('a token is taken as long as its key is known, and no longer', async () => {
    const tokens = new TraceTokens()
    const both: Jwks = { keys: [key.publicJwk, other.publicJwk] }
    const at = (known: Jwks) => tokens.check(signed(key), { keys: known, audience: AUDIENCE, now: NOW })
    expect(await at(keys)).toMatchObject({ kind: 'good' })
    expect(await at(both)).toMatchObject({ kind: 'good' })
    // A request that was admitted to the config before ends on its keys.
    const underWay = at(both)
    expect(await at({ keys: [other.publicJwk] })).toMatchObject({
      kind: 'bad',
      message: expect.stringMatching(KEY),
    })
    expect(await underWay).toMatchObject({ kind: 'good' })
  })

  it('another key under the same id does not profit from the one before', async () => {
    const tokens = new TraceTokens()
    const at = (known: Jwks) => tokens.check(signed(key), { keys: known, audience: AUDIENCE, now: NOW })
    expect(await at(keys)).toMatchObject({ kind: 'good' })
    const impostor = { keys: [{ ...other.publicJwk, kid: 'k1' }] }
    expect(await at(impostor)).toMatchObject({ kind: 'bad', message: expect.stringMatching(SIGNATURE) })
  })
})
