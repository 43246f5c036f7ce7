/** Who may trace a request has its composition chosen for somebody else, and changes nothing beside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { issueTokens, type IssuedTokens } from '../../support/issued-tokens.ts'
import { rollout, usersOf } from '../../support/rollouts.ts'
import { post, type Reply, routerOn, send, type TestRouter } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { traceIn, TRACED, tracesIn } from '../../tracing/recorder/traced.ts'
import { newTestKey, signed, type TestKey } from '../../tracing/trace-tokens.ts'

const QUERY = { query: '{ version }' }
const { inside, outside } = usersOf(50, 1)
const [ann = ''] = inside
const [ben = ''] = outside
const ROLLOUTS = [
  rollout({
    name: 'staff',
    flag: 'other',
    percent: 100,
    key: [],
    where: [{ on: 'claim:plan', equals: 'staff' }],
  }),
  rollout({ name: 'apps', percent: 100, key: [], where: [{ on: 'client', equals: 'app' }] }),
  rollout({ name: 'visitors', percent: 100, key: [], where: [{ on: 'cookie:beta', equals: 'yes; please' }] }),
  rollout(),
]
const ANN = { headers: { 'X-User': ann } }
const STAFF = { claims: { sub: 'ann', plan: 'staff' } }

const stack = new AsyncDisposableStack()
let shop: Shop
let key: TestKey
let tokens: IssuedTokens
let world: ConfigWorld
let router: TestRouter
beforeAll(async () => {
  shop = stack.use(await startShop())
  key = await newTestKey('k1')
  tokens = stack.use(await issueTokens({ ben: { sub: ben, plan: 'free' } }))
  world = stack.use(await ConfigWorld.create())
  const other = buildArtifact('next', {
    products: `${shop.next.url}?variant=other`,
    reviews: shop.reviews.url,
  })
  const flags = { next: shop.flag, other }
  const traceKeys = { keys: [key.publicJwk] }
  await world.publish({ revision: 1, base: shop.base, flags, rollouts: ROLLOUTS, traceKeys })
  router = await started()
})
afterAll(() => stack.disposeAsync())

async function started(settings = ''): Promise<TestRouter> {
  const all = `
authentication: ${tokens.settings}
engine: { enable_defer: true, enable_request_tracing: true }
batching: { enabled: true }
headers: { request: [{ propagate_matching: x-* }] }
${settings}`
  const opened = stack.use(await routerOn(world, { settings: all }))
  await opened.ready
  return opened
}

const encoded = (standIn: unknown) => Buffer.from(JSON.stringify(standIn)).toString('base64')
const as = (standIn: unknown): Record<string, string> => ({ 'x-vendor-trace-as': encoded(standIn) })
const seconds = () => Math.floor(Date.now() / 1000)
const tracing = (): Record<string, string> => {
  const claims = { aud: 'default/shop', iat: seconds(), exp: seconds() + 60, jti: 'a' }
  return { ...TRACED, 'x-vendor-token': signed(key, claims) }
}
/** The flag that answered, and how the trace says that it was chosen. */
async function chosen(headers: Record<string, string>, at = router) {
  const reply = await post(at, QUERY, { ...tracing(), ...headers })
  expect(reply.headers['x-vendor-trace-as']).toBeUndefined()
  const { composition, rollouts = [], stand_in: standIn } = traceIn(reply)
  expect(reply.headers['x-feature-flag'] ?? null).toBe(composition.feature_flag)
  return { flag: composition.feature_flag, reason: composition.reason, by: rollouts.at(-1)?.name, standIn }
}

describe('with a trace token', () => {
  it('the claims of somebody else choose the composition', async () => {
    const own = await chosen(tokens.headersOf('ben'))
    expect(own).toMatchObject({ flag: null, reason: 'none', standIn: undefined })
    expect(await chosen({ ...tokens.headersOf('ben'), ...as(STAFF) })).toEqual({
      flag: 'other',
      reason: 'rollout',
      by: 'staff',
      standIn: {
        claims: [
          { name: 'sub', value: 'ann' },
          { name: 'plan', value: '[redacted]' },
        ],
      },
    })
    // Somebody without claims.
    expect(await chosen({ ...tokens.headersOf('ben'), ...as({ claims: {} }) })).toMatchObject({
      standIn: { claims: [] },
    })
  })

  it.each<[string, object, object]>([
    ['a header', ANN, { flag: 'next', by: 'catalogue' }],
    ['no header', { headers: {} }, { flag: null, reason: 'none' }],
    ['the name of a client', { headers: { 'GraphQL-Client-Name': 'app' } }, { flag: 'next', by: 'apps' }],
    ['a cookie', { headers: { Cookie: 'a=b; beta=yes%3B%20please' } }, { flag: 'next', by: 'visitors' }],
    [
      'cookies of one name, of which the first counts',
      { headers: { Cookie: 'beta=no; beta=yes%3B%20please' } },
      { flag: null },
    ],
    [
      'members that stand in for nothing',
      { claims: null, headers: null },
      { flag: null, reason: 'rollout-control' },
    ],
    [
      'claims and headers that are named as members of all objects',
      JSON.parse('{"claims":{"__proto__":{"plan":"staff"}},"headers":{"__proto__":"a","constructor":"b"}}'),
      { flag: null, reason: 'none' },
    ],
    [
      'claims of other types',
      {
        claims: { plan: ['free', 7, true, null, ['staff'], { plan: 'staff' }], sub: 7, nested: { a: [[]] } },
      },
      { flag: null },
    ],
    ['a claim that is a list with the value', { claims: { plan: ['free', 'staff'] } }, { flag: 'other' }],
  ])('%s', async (_, standIn, expected) => {
    expect(await chosen({ 'x-user': ben, ...as(standIn) })).toMatchObject(expected)
  })

  it('base64url is read as well, also without its padding', async () => {
    const text = Buffer.from(JSON.stringify({ claims: { plan: 'staff', name: 'ÿÿ??>>' } })).toString(
      'base64url',
    )
    expect(await chosen({ 'x-vendor-trace-as': text })).toMatchObject({ flag: 'other' })
  })

  it('a flag that the request itself names wins, and the trace says so', async () => {
    const named = await chosen({ ...as(STAFF), 'x-feature-flag': 'next' })
    expect(named).toMatchObject({
      flag: 'next',
      reason: 'header',
      by: undefined,
      standIn: { overruled: true },
    })
    expect(await chosen({ ...as(STAFF), cookie: 'feature_flag=gone' })).toMatchObject({
      flag: null,
      reason: 'unknown',
      standIn: { overruled: true },
    })
    const byOther = await chosen(as({ ...STAFF, headers: { Cookie: 'feature_flag=next' } }))
    expect(byOther).toMatchObject({ flag: 'next', reason: 'cookie' })
    expect(byOther.standIn).not.toHaveProperty('overruled')
  })

  it('subgraphs are sent what the request itself has, and never the stand-in', async () => {
    const query = '{ user: header(name: "x-user") as: header(name: "x-vendor-trace-as") version }'
    const reply = await post(router, { query }, { ...tracing(), 'x-user': ben, ...as(ANN) })
    expect(reply.json.data).toEqual({ user: ben, as: null, version: 'products-next' })
  })

  it('who is authenticated does not change', async () => {
    const locked = await started('')
    const strict = stack.use(
      await routerOn(world, {
        settings: `authentication: ${JSON.stringify({ ...JSON.parse(tokens.settings), require: true })}`,
      }),
    )
    await strict.ready
    expect((await post(strict, QUERY, { ...tracing(), ...as(STAFF) })).status).toBe(401)
    const reply = await post(locked, QUERY, { ...tracing(), ...tokens.headersOf('ben'), ...as(STAFF) })
    expect(traceIn(reply).asked_by?.token).toMatchObject({ subject: ben })
  })

  it('all operations of a batch have the one of the batch', async () => {
    const body = JSON.stringify([QUERY, QUERY])
    const reply = await post(router, body, { ...tracing(), 'x-user': ben, ...as(ANN) })
    const answers: readonly { data: Record<string, unknown> }[] = JSON.parse(reply.text)
    expect(answers).toHaveLength(2)
    for (const answer of answers) {
      expect(answer.data).toEqual({ version: 'products-next' })
      const trace = traceIn({ json: answer })
      expect([trace.stand_in, trace.rollouts?.at(-1)?.name]).toEqual([
        { headers: { 'x-user': '[redacted]' } },
        'catalogue',
      ])
    }
  })

  it('it works by GET, and with deferred parts', async () => {
    const url = `${router.graphqlUrl}?vendor_trace=true&query=${encodeURIComponent(QUERY.query)}`
    const { 'x-vendor-token': token = '' } = tracing()
    const got = await send(url, {
      headers: { 'x-vendor-token': token, 'apollo-require-preflight': 'true', ...as(STAFF) },
    })
    expect(traceIn(got)).toMatchObject({ composition: { feature_flag: 'other' }, stand_in: {} })
    const query = '{ version ... @defer { topProducts(first: 1) { upc } } }'
    const parts = await post(router, { query }, { accept: 'multipart/mixed', ...tracing(), ...as(STAFF) })
    const traces = tracesIn(parts)
    expect(traces.length).toBeGreaterThan(1)
    for (const trace of traces) expect(trace.stand_in).toBeDefined()
    expect(parts.headers['x-feature-flag']).toBe('other')
  })

  it('nobody else is answered for somebody else, though all ask the same at once', async () => {
    const others: Promise<Reply>[] = []
    const stoodFor: Promise<Reply>[] = []
    for (let round = 0; round < 40; round++) {
      others.push(post(router, QUERY, { 'x-user': ben }))
      stoodFor.push(post(router, QUERY, { 'x-user': ben, ...tracing(), ...as(ANN) }))
    }
    const versions = async (replies: readonly Promise<Reply>[]) =>
      new Set((await Promise.all(replies)).map(({ json }) => json.data?.['version']))
    expect(await versions(others)).toEqual(new Set(['products']))
    expect(await versions(stoodFor)).toEqual(new Set(['products-next']))
    const reply = await post(router, QUERY, { ...tracing(), ...as(ANN) })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.each<[string, string, string]>([
    ['that is too long', 'A'.repeat(8193), 'it has more than 8192 characters.'],
    ['that is not in base64', '{"claims":{}}', 'it is not in base64, or there are several.'],
    ['that is there twice', `${encoded({})}, ${encoded({})}`, 'it is not in base64, or there are several.'],
    ['that is empty', '', 'it is not in base64, or there are several.'],
    ['that is no JSON', 'AAAA', 'it has no JSON object in it.'],
    ['that is a list', encoded([]), 'it has no JSON object in it.'],
    [
      'that is not UTF-8',
      Buffer.from('{"claims":{"a":"\xff"}}', 'latin1').toString('base64'),
      'it has no JSON object in it.',
    ],
    ['with a list of claims', encoded({ claims: [] }), '"claims" is neither a JSON object nor null.'],
    ['with a text as headers', encoded({ headers: 'a' }), '"headers" is neither a JSON object nor null.'],
    ['with a number as header', encoded({ headers: { a: 1 } }), '"headers" has a value that is not a text.'],
    ['with a header twice', encoded({ headers: { A: '', a: '' } }), '"headers" has a name twice.'],
    [
      'with an odd name of a header',
      encoded({ headers: { 'a b': '' } }),
      '"headers" has a name that no header can have.',
    ],
    [
      'with lines in a header',
      encoded({ headers: { a: 'b\r\nc: d' } }),
      '"headers" has a value that no header can have.',
    ],
  ])('one %s is refused, and nothing is executed', async (_, text, problem) => {
    const { length } = shop.products.requests
    const reply = await post(router, QUERY, { ...tracing(), 'x-vendor-trace-as': text })
    expect([reply.status, reply.json.errors?.[0]]).toEqual([
      400,
      {
        message: `The header X-VENDOR-Trace-As is not valid: ${problem} Expected was base64 of {"claims": {…}, "headers": {…}}. Nothing was executed.`,
        extensions: expect.objectContaining({ code: 'TRACE_STAND_IN_INVALID' }),
      },
    ])
    expect(shop.products.requests).toHaveLength(length)
    // Nobody looks at it without a token.
    const ordinary = await post(router, QUERY, { ...TRACED, 'x-vendor-trace-as': text })
    expect([ordinary.status, ordinary.headers['x-vendor-trace-as']]).toEqual([200, 'ignored'])
  })

  it('the largest one is taken', async () => {
    const padded = (length: number) => encoded({ claims: { plan: 'staff', more: 'x'.repeat(length) } })
    const text = padded(6100)
    expect(text.length).toBeGreaterThan(8000)
    expect(await chosen({ 'x-vendor-trace-as': text })).toMatchObject({ flag: 'other' })
    const deep = `{"claims":{"plan":"staff","deep":${'['.repeat(3000)}${']'.repeat(3000)}}}`
    expect(await chosen({ 'x-vendor-trace-as': Buffer.from(deep).toString('base64') })).toMatchObject({
      flag: 'other',
    })
  })

  it('a token that is not valid is refused', async () => {
    const forged = { ...TRACED, 'x-vendor-token': signed(await newTestKey('k1')) }
    const reply = await post(router, QUERY, { ...forged, ...as(STAFF) })
    expect([reply.status, reply.json.errors?.[0]?.extensions['code']]).toEqual([401, 'TRACE_TOKEN_INVALID'])
  })
})

describe('without one', () => {
  it.each<[string, Record<string, string>]>([
    ['a request that asks for no trace', {}],
    ['one that only asks for a trace', TRACED],
    ['one with a token that asks for none', { 'x-vendor-token': 'x' }],
  ])('%s is decided by itself, and is told so', async (_, headers) => {
    for (const standIn of [as(STAFF), as(ANN)]) {
      const reply = await post(router, QUERY, { 'x-user': ben, ...headers, ...standIn })
      expect(reply.json.data).toEqual({ version: 'products' })
      expect(reply.headers['x-feature-flag']).toBeUndefined()
      expect(reply.headers['x-vendor-trace-as']).toBe('ignored')
    }
    const ordinary = await post(router, QUERY, { 'x-user': ben, ...headers })
    expect(ordinary.headers).not.toHaveProperty('x-vendor-trace-as')
  })

  it('a batch, and a request by GET, are told so as well', async () => {
    const batch = await post(router, JSON.stringify([QUERY, QUERY]), { 'x-user': ben, ...as(ANN) })
    expect(batch.text).toBe('[{"data":{"version":"products"}},{"data":{"version":"products"}}]')
    const got = await send(`${router.graphqlUrl}?query=${encodeURIComponent(QUERY.query)}`, {
      headers: { 'apollo-require-preflight': 'true', ...as(STAFF) },
    })
    for (const { headers } of [batch, got]) expect(headers['x-vendor-trace-as']).toBe('ignored')
  })

  it('neither does a router that gives no traces, whoever asks', async () => {
    const off = await started('dev_mode: true\n').then(async (open) => {
      // Dev mode gives a trace to everybody.
      const reply = await post(open, QUERY, { ...TRACED, ...as(STAFF) })
      expect(traceIn(reply).composition.feature_flag).toBe('other')
      const settings = `dev_mode: true\nengine: { enable_request_tracing: false }`
      const closed = stack.use(await routerOn(world, { settings }))
      await closed.ready
      return closed
    })
    const reply = await post(off, QUERY, { ...tracing(), ...as(STAFF) })
    expect(reply.headers['x-feature-flag']).toBeUndefined()
    expect(reply.headers['x-vendor-trace-as']).toBe('ignored')
    expect(reply.text).toBe('{"data":{"version":"products"}}')
  })
})

describe('a trace shows of a stand-in', () => {
  it('headers as those of requests, of claims only issuer and subject, and never the header itself', async () => {
    const shown = await started(`tracing: { allowed_headers: ['*'], sensitive_names: [] }`)
    const hidden = await started('')
    const secret = 'hunter2-hunter2'
    const standIn = {
      claims: { iss: 'issuer', sub: 'ann', email: secret, plan: 'staff' },
      headers: { 'X-User': secret, Cookie: `session=${secret}`, 'User-Agent': 'app/1' },
    }
    const closed = await post(
      hidden,
      { query: `{ version header(name: "${secret}") }` },
      { ...tracing(), ...as(standIn) },
    )
    expect(traceIn(closed).stand_in).toEqual({
      claims: [
        { name: 'iss', value: 'issuer' },
        { name: 'sub', value: 'ann' },
        { name: 'email', value: '[redacted]' },
        { name: 'plan', value: '[redacted]' },
      ],
      headers: { 'x-user': '[redacted]', cookie: '[redacted]', 'user-agent': 'app/1' },
    })
    // Credentials among the headers are hidden in the rest of the trace as well.
    expect(JSON.stringify(traceIn(closed))).not.toContain(secret)
    const open = traceIn(await post(shown, QUERY, { ...tracing(), ...as(standIn) }))
    expect(open.stand_in?.headers).toMatchObject({ 'x-user': secret, cookie: `session=${secret}` })
    expect(open.stand_in?.claims?.at(-2)).toEqual({ name: 'email', value: '[redacted]' })
    expect(open.request.headers['x-vendor-trace-as']).toBe('[redacted]')
    expect(JSON.stringify(open)).not.toContain(encoded(standIn).slice(0, 40))
  })
})
