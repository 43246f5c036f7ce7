/**
 * What a router answers to those who try to get a trace, with tokens as they travel: in a header of a
 * request.
 */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { post, routerOn, type Reply, type TestRouter, until } from '../support/router.ts'
import { startSubgraph, type TestSubgraph } from '../support/subgraph.ts'
import { traceIn, TRACED } from './recorder/traced.ts'
import { encoded, goodHeader, newTestKey, signed, type TestKey } from './trace-tokens.ts'

const HOUR = 3600
const ANSWER = { data: { version: 'products' } }
const SLOW = '{ reviewHeader(name: "a") }'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: TestSubgraph
let gate: Gate
let router: TestRouter
let [key, next, stranger]: TestKey[] = []
let revision = 0

beforeAll(async () => {
  products = stack.use(await startSubgraph('products'))
  const reviews = stack.use(await startSubgraph('reviews'))
  gate = stack.use(await startGate(reviews.url))
  world = stack.use(await ConfigWorld.create())
  ;[key, next, stranger] = await Promise.all(['k1', 'k2', 'k1'].map(newTestKey))
  router = stack.use(await routerOn(world))
  await serve(theKey())
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => gate.open())

const theKey = (): TestKey => key ?? fail('there is a key')
const theNext = (): TestKey => next ?? fail('there is a key')
const fail = (expected: string): never => {
  throw new Error(expected)
}

/** Resolves when the router serves a config with these keys and no others. */
async function serve(...keys: readonly TestKey[]): Promise<void> {
  revision += 1
  await world.publish({
    revision,
    base: buildArtifact('base', { products: products.url, reviews: gate.url }),
    traceKeys: { keys: keys.map(({ publicJwk }) => publicJwk) },
  })
  await until(async () => {
    const { trace } = await asked(tokenOf(keys[0] ?? theKey()))
    return trace?.composition.revision === revision
  }, `revision ${revision} is served`)
}

const now = () => Math.floor(Date.now() / 1000)
const claims = (more: object = {}) => ({
  aud: 'default/shop',
  iat: now(),
  exp: now() + 600,
  jti: 'a',
  ...more,
})
const tokenOf = (by: TestKey, more: object = {}, header: object = {}) =>
  signed(by, claims(more), goodHeader(by, header))

async function asked(token: string, query = '{ version }') {
  const reply = await post(router, { query }, { ...TRACED, 'x-vendor-token': token })
  return { reply, trace: reply.status === 200 ? traceIn(reply) : null }
}

function expectRefusal({ status, headers, json }: Reply): void {
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toBe('TraceToken')
  expect(json).toEqual({
    errors: [
      {
        message: expect.stringMatching(/^The trace token is not valid\. /),
        extensions: { code: 'TRACE_TOKEN_INVALID' },
      },
    ],
  })
}

function hmac(secret: Buffer, header: object): string {
  const text = `${encoded(header)}.${encoded(claims())}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const ATTACKS: Readonly<Record<string, () => string>> = {
  'alg none without a signature': () => `${encoded({ alg: 'none', kid: 'k1' })}.${encoded(claims())}.`,
  'alg none with a signature': () => tokenOf(theKey(), {}, { alg: 'none' }),
  'HS256 with the public key': () =>
    hmac(Buffer.from(String(theKey().publicJwk['x']), 'base64url'), { alg: 'HS256', kid: 'k1' }),
  'HS256 with the public key as the manifest writes it': () =>
    hmac(Buffer.from(JSON.stringify(theKey().publicJwk)), { alg: 'HS256', kid: 'k1' }),
  'HMAC with the public key that says EdDSA': () =>
    hmac(Buffer.from(String(theKey().publicJwk['x']), 'base64url'), goodHeader(theKey())),
  'a key of their own under the id of ours': () => tokenOf(stranger ?? fail('there is a key')),
  'a key of their own in the header': () =>
    tokenOf(stranger ?? fail('there is a key'), {}, { jwk: stranger?.publicJwk }),
  'a token of another graph': () => tokenOf(theKey(), { aud: 'default/other' }),
  'a token of several graphs': () => tokenOf(theKey(), { aud: ['default/shop', 'default/other'] }),
  'an expired token': () => tokenOf(theKey(), { iat: now() - 700, exp: now() - 60 }),
  'one that is not valid yet': () => tokenOf(theKey(), { nbf: now() + 120 }),
  'one that was issued in the future': () => tokenOf(theKey(), { iat: now() + 120 }),
  'one that never expires': () => tokenOf(theKey(), { exp: undefined }),
  'one for 24 hours and a second': () => tokenOf(theKey(), { exp: now() + 24 * HOUR + 1, iat: now() }),
  'one without the id of a key': () => tokenOf(theKey(), {}, { kid: undefined }),
  'one with the id of no key': () => tokenOf(theKey(), {}, { kid: 'k9' }),
  'one with claims changed after it was signed': () => {
    const [header, , signature] = tokenOf(theKey()).split('.')
    return `${header}.${encoded(claims({ exp: now() + HOUR }))}.${signature}`
  },
  'one that excludes what nobody knows': () => tokenOf(theKey(), { exclude: ['everything'] }),
  garbage: () => 'garbage',
  'three dots': () => '...',
  'bytes of no text': () => 'ÿþ\u0080',
  'a JSON object': () => '{"alg":"none"}',
  'a bearer': () => `Bearer ${tokenOf(theKey())}`,
  'two tokens': () => `${tokenOf(theKey())}, ${tokenOf(theKey())}`,
  'nothing at all': () => '',
  'one of 4,097 characters': () => {
    const short = tokenOf(theKey(), { padding: '' }).length
    const padded = tokenOf(theKey(), { padding: 'x'.repeat(Math.floor(((4097 - short) * 3) / 4)) })
    return padded.padEnd(4097, 'A')
  },
}

describe('a trace that was asked for with an argument that there is not', () => {
  it.each([
    ['header', '', { 'x-vendor-trace': 'exclude_everything' }],
    ['query parameter', '?vendor_trace=exclude_everything', {}],
  ])(
    'names it, by %s, and shows nothing of the token',
    async (_way, search, headers: Record<string, string>) => {
      const token = tokenOf(theKey())
      const url = { graphqlUrl: `${router.graphqlUrl}${search}` }
      const reply = await post(url, { query: '{ version }' }, { ...headers, 'x-vendor-token': token })
      expect(traceIn(reply).warnings).toEqual([
        'There is no trace argument "exclude_everything": it was ignored.',
      ])
      for (const part of token.split('.')) expect(reply.text).not.toContain(part)
    },
  )
})

describe('a router answers 401 and executes nothing', () => {
  it.each(Object.keys(ATTACKS))('to %s', async (name) => {
    const calls = products.requests.length
    const { reply } = await asked(ATTACKS[name]?.() ?? '')
    expectRefusal(reply)
    expect(products.requests.length).toBe(calls)
  })

  it('to each of them by query parameter, too, and for mutations and by GET', async () => {
    const calls = products.requests.length
    for (const make of Object.values(ATTACKS)) {
      const target = { graphqlUrl: `${router.graphqlUrl}?vendor_trace=exclude_output` }
      const query = 'mutation { rename(upc: "1", name: "a") { name } }'
      expectRefusal(await post(target, { query }, { 'x-vendor-token': make() }))
    }
    expect(products.requests.length).toBe(calls)
  })

  it('without repeating what the token says, or what the router knows', async () => {
    const made = tokenOf(stranger ?? fail('there is a key'), { jti: 'planted-id', aud: 'planted/graph' })
    const { text } = (await asked(made)).reply
    for (const secret of ['planted', 'k1', String(theKey().publicJwk['x'])])
      expect(text).not.toContain(secret)
  })
})

describe('a router looks no further than it has to', () => {
  it('parses at most 4 KiB of a token, and checks one signature for a request', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const parse = vi.spyOn(JSON, 'parse')
    const costs = async (token: string) => {
      verify.mockClear()
      parse.mockClear()
      await asked(token)
      return {
        signatures: verify.mock.calls.length,
        // What the router reads of the request itself is none of it.
        longest: Math.max(
          0,
          ...parse.mock.calls.map(([text]) => (text.includes('version') ? 0 : text.length)),
        ),
      }
    }
    try {
      const good = tokenOf(theKey())
      expect((await costs(good)).signatures).toBe(1)
      expect((await costs(tokenOf(stranger ?? fail('there is a key')))).signatures).toBe(1)
      for (const name of ['alg none with a signature', 'garbage', 'two tokens', 'one with the id of no key'])
        expect((await costs(ATTACKS[name]?.() ?? '')).signatures, name).toBe(0)
      const large = await costs(`${encoded({ ...goodHeader(theKey()), x: 'y'.repeat(6000) })}.e.e`)
      expect(large.signatures).toBe(0)
      // Nothing but the answer, by the client.
      expect(large.longest).toBeLessThan(1000)
      const full = await costs(tokenOf(theKey(), { jti: 'j'.repeat(150), x: 'y'.repeat(2500) }))
      expect(full.signatures).toBe(1)
      expect(full.longest).toBeLessThan(4096)
    } finally {
      verify.mockRestore()
      parse.mockRestore()
    }
  })

  it('answers a token of exactly 24 hours, and one of 4,096 characters', async () => {
    expect((await asked(tokenOf(theKey(), { exp: now() + 24 * HOUR, iat: now() }))).trace).not.toBe(null)
    const padded = (length: number) => tokenOf(theKey(), { padding: 'x'.repeat(length) })
    let length = 2000
    while (padded(length + 1).length <= 4096) length += 1
    expect(padded(length).length).toBeGreaterThan(4090)
    expect((await asked(padded(length))).trace).not.toBe(null)
    expectRefusal((await asked(padded(length + 4))).reply)
  })
})

describe('while keys are rotated', () => {
  it('a request that began with a key has its trace, though the key is gone when it ends', async () => {
    gate.close()
    const begun = asked(tokenOf(theKey()), SLOW)
    await until(() => gate.held.count === 1, 'the request is under way')
    await serve(theNext())
    gate.open()
    const { reply, trace } = await begun
    expect(reply.json.data).toEqual({ reviewHeader: null })
    expect(trace?.composition.revision).toBe(revision - 1)
    expectRefusal((await asked(tokenOf(theKey()))).reply)
    expect((await asked(tokenOf(theNext()))).trace?.composition.revision).toBe(revision)
    await serve(theKey())
  })

  it('each request has a trace or 401, by the keys of the one config that answers it', async () => {
    const over = new AbortController()
    const replies: { readonly kid: string; readonly reply: Reply }[] = []
    const clients = [theKey(), theNext()].map(async (by) => {
      while (!over.signal.aborted) replies.push({ kid: by.kid, reply: (await asked(tokenOf(by))).reply })
    })
    const known = new Map([[revision, ['k1']]])
    for (const keys of [[theKey(), theNext()], [theNext()], [theNext(), theKey()], [theKey()]]) {
      known.set(
        revision + 1,
        keys.map(({ kid }) => kid),
      )
      await serve(...keys)
    }
    over.abort()
    await Promise.all(clients)
    const traced = replies.filter(({ reply }) => reply.status === 200)
    for (const { kid, reply } of traced) {
      expect(known.get(traceIn(reply).composition.revision)).toContain(kid)
      expect(reply.json).toMatchObject(ANSWER)
    }
    for (const { reply } of replies.filter((one) => !traced.includes(one))) expectRefusal(reply)
    expect(new Set(traced.map(({ kid }) => kid))).toEqual(new Set(['k1', 'k2']))
  })

  it('without any key every token is refused, and who shows none is answered', async () => {
    revision += 1
    await world.publish({
      revision,
      base: buildArtifact('base', { products: products.url, reviews: gate.url }),
    })
    const refused = await until(async () => {
      const { reply } = await asked(tokenOf(theKey()))
      return reply.status === 401 ? reply : null
    }, 'the keys are gone')
    expect(refused.json.errors?.[0]?.message).toMatch(/knows no key/)
    expect((await post(router, { query: '{ version }' }, TRACED)).json).toEqual(ANSWER)
    await serve(theKey())
  })
})
