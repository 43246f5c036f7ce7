/** Time limits of the phases of a call, with a subgraph that stops where a test wants it to. */
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { startTalkingSubgraph } from '../../support/talking-subgraph.ts'

const BODY = JSON.stringify({ data: { product: { __typename: 'Product', upc: '1', name: 'Table' } } })
const QUERY = { query: '{ product(upc: "1") { name reviews { body } } }' }
const ONE = { query: '{ product(upc: "1") { name } }' }

const stack = new AsyncDisposableStack()
let world: ConfigWorld
/** What products does with a call; the number of the call. */
let answer: (response: ServerResponse, call: number) => void
let calls = 0
let gone = 0
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  const reviews = stack.use(await startTalkingSubgraph())
  const server = createServer((request, response) => {
    const call = ++calls
    response.on('close', () => {
      if (!response.writableFinished) gone++
    })
    request.resume().on('end', () => answer(response, call))
  })
  const port = await listenOnFreePort(server)
  stack.defer(() => closeServer(server))
  const products = `http://127.0.0.1:${port}/graphql`
  const base = buildArtifact('base', { products, reviews: reviews.url })
  await world.publish({ revision: 1, base })
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  calls = 0
  gone = 0
})

async function started(settings: string): Promise<TestRouter> {
  const router = await routerOn(world, {
    settings: `{ traffic: { share_inflight: false }, subgraphs: ${settings} }`,
  })
  await router.ready
  return router
}
const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(BODY.length) })

describe('a call with limits for its phases', () => {
  /** Only the limit that is meant is short: a busy machine keeps none of them. */
  const limited = ({ first = '25s', idle = '25s', more = '' }) =>
    started(`{ first_byte_timeout: ${first}, idle_timeout: ${idle}${more} }`)

  it('a call to which no answer begins ends, with its error at its place', async () => {
    await using router = await limited({ first: '150ms' })
    answer = () => {}
    const { json } = await post(router, QUERY)
    expect(json.data).toEqual({ product: null })
    expect(json.errors).toMatchObject([
      {
        message: 'Subgraph "products" began no answer within 150 ms.',
        path: ['product'],
        extensions: { code: 'SUBGRAPH_TIMEOUT' },
      },
    ])
    // The call is given up, not only left alone.
    await until(() => gone === 1, 'the call is given up')
    expect(router.logs.find(({ event }) => event === 'subgraph.failed')).toMatchObject({
      detail: expect.stringContaining('subgraphs.first_byte_timeout'),
    })
  })

  it('an answer that stops ends', async () => {
    await using router = await limited({ idle: '150ms' })
    answer = (response) => void begin(response).write(BODY.slice(0, 20))
    const { json } = await post(router, QUERY)
    expect(json.errors).toMatchObject([
      {
        message: 'Subgraph "products" stopped in the middle of its answer: nothing came for 150 ms.',
        extensions: { code: 'SUBGRAPH_TIMEOUT' },
      },
    ])
    await until(() => gone === 1, 'the call is given up')
  })

  it('the whole call has its limit all the same: an answer in drips ends', async () => {
    await using router = await limited({ first: '900ms', idle: '900ms', more: ', timeout: 1s' })
    let timer: NodeJS.Timeout | null = null
    answer = (response) => {
      begin(response)
      timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer ?? undefined))
    }
    const { json } = await post(router, ONE)
    expect(json.errors?.[0]?.message).toBe('Subgraph "products" did not answer within 1000 ms.')
  })

  it('a call to which no answer begins is made again, where that is allowed', async () => {
    await using router = await limited({ first: '2s', more: ', retry: { max_retries: 1, backoff: 1ms }' })
    answer = (response, call) => {
      if (call === 2) begin(response).end(BODY)
    }
    const { json } = await post(router, ONE)
    expect([json, calls]).toEqual([{ data: { product: { name: 'Table' } } }, 2])
    await until(() => gone === 1, 'the first call is given up')
  })

  it('an answer that stopped is not asked for again', async () => {
    await using router = await limited({ idle: '150ms', more: ', retry: { max_retries: 3, backoff: 1ms }' })
    answer = (response) => void begin(response).write('{')
    await post(router, ONE)
    expect(calls).toBe(1)
  })

  it('calls that end so open the circuit, also where they have waited for a place', async () => {
    await using router = await limited({
      first: '150ms',
      more: ', max_calls: 10, circuit_breaker: { enabled: true, min_calls: 3, failure_rate: 0.5 }',
    })
    answer = () => {}
    for (let index = 0; index < 3; index++) await post(router, ONE)
    const { json } = await post(router, ONE)
    expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_CIRCUIT_OPEN')
    expect(calls).toBe(3)
  })
})

it('an answer that takes longer than either, but never stops for so long, is complete', async () => {
  await using router = await started('{ first_byte_timeout: 2s, idle_timeout: 2s }')
  answer = (response) => {
    begin(response)
    const pieces = Array.from({ length: 12 }, (_, index) =>
      BODY.slice(index * 6, index === 11 ? undefined : index * 6 + 6),
    )
    const next = () => {
      const piece = pieces.shift()
      if (piece === undefined) response.end()
      else response.write(piece, () => setTimeout(next, 200))
    }
    next()
  }
  const { json } = await post(router, ONE)
  expect(json).toEqual({ data: { product: { name: 'Table' } } })
})

it('one subgraph has limits of its own', async () => {
  await using router = await started(
    '{ first_byte_timeout: 10s, overrides: { products: { first_byte_timeout: 100ms } } }',
  )
  answer = () => {}
  const { json } = await post(router, ONE)
  expect(json.errors?.[0]?.message).toBe('Subgraph "products" began no answer within 100 ms.')
})

it('a traced call has them as well', async () => {
  await using router = await routerOn(world, {
    settings: '{ dev_mode: true, subgraphs: { first_byte_timeout: 100ms } }',
  })
  await router.ready
  answer = () => {}
  const { json } = await post(router, ONE, { 'x-vendor-trace': 'true' })
  expect(JSON.stringify(json)).toContain('began no answer within 100 ms')
})
