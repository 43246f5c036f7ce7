import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerResponse } from 'node:http'
import { AnswerIntake, type ReceivingCall } from '../../src/call/in-flight/answer-intake.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { post, routerOn, until } from '../support/router.ts'

/** All requests of a test are the same. */
const UNSHARED = 'traffic: { share_inflight: false }'

type TestCall = ReceivingCall & { readonly told: string[] }

function callOf(subgraph: string): TestCall {
  const told: string[] = []
  return { subgraph, told, pause: () => told.push('pause'), resume: () => told.push('resume') }
}

describe('answers that are being received', () => {
  it('wait beyond the limit, but for the first one of each subgraph', () => {
    const intake = new AnswerIntake(100)
    const [first, second, other, another] = [callOf('a'), callOf('a'), callOf('b'), callOf('b')]
    intake.received(first, 60)
    intake.received(second, 40)
    expect([intake.bytes, intake.paused]).toEqual([100, 0])
    intake.received(first, 200)
    intake.received(second, 50)
    intake.received(other, 10)
    intake.received(another, 10)
    expect([intake.bytes, intake.paused]).toEqual([270, 2])
    expect([first, second, other, another].map(({ told }) => told)).toEqual([[], ['pause'], [], ['pause']])
  })

  it('go on in the order in which they began, and all of them below the limit', () => {
    const intake = new AnswerIntake(100)
    const calls = [callOf('a'), callOf('a'), callOf('a'), callOf('a')]
    for (const call of calls) intake.received(call, 80)
    const told = () => calls.map((call) => call.told.at(-1))
    expect(told()).toEqual([undefined, 'pause', 'pause', 'pause'])
    const [first, second] = calls
    if (first === undefined || second === undefined) throw new Error('There are four.')
    intake.ended(first)
    expect(told()).toEqual([undefined, 'resume', 'pause', 'pause'])
    intake.received(second, 10)
    intake.ended(second)
    expect(told()).toEqual([undefined, 'resume', 'resume', 'pause'])
    for (const call of calls) intake.ended(call)
    expect([intake.bytes, intake.paused]).toEqual([0, 0])
  })
})

/** More than systems take for a connection that nobody reads from. */
const SIZE = 16 * 1024 * 1024
const QUERY = { query: '{ product(upc: "1") { name } }' }

describe('a router', () => {
  const stack = new AsyncDisposableStack()
  let products: RawSubgraph
  let world: ConfigWorld
  beforeAll(async () => {
    products = stack.use(await startRawSubgraph())
    world = stack.use(await ConfigWorld.create())
    await world.publish({
      revision: 1,
      base: buildArtifact('base', { products: products.url, reviews: products.url }),
    })
  })
  afterAll(() => stack.disposeAsync())

  it('gets every answer whole, however often reading them stops and goes on', async () => {
    const router = await routerOn(world, {
      settings: `${UNSHARED}\nsubgraphs: { max_receiving_size: 128KiB }`,
    })
    await using _ = router
    await router.ready
    // Large enough to be counted, and small enough to be read within the callback that brings the last of it.
    const name = 'x'.repeat(150 * 1024)
    const held: ServerResponse[] = []
    products.answers((_body, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(`{"data":{"product":{"name":"${name.slice(1000)}`)
      held.push(response)
    })
    const answers = Promise.all(Array.from({ length: 50 }, () => post(router, QUERY)))
    await until(() => held.length === 50, 'all are being received')
    for (const response of held) response.end(`${name.slice(0, 1000)}"}}}`)
    const replies = await answers
    expect(router.logs.filter(({ event }) => event === 'subgraph.failed')).toEqual([])
    expect(replies.every(({ json }) => json.errors === undefined)).toBe(true)
  })

  it('reads large answers one after the other beyond subgraphs.max_receiving_size, and all of them in the end', async () => {
    const router = await routerOn(world, { settings: `${UNSHARED}\nsubgraphs: { max_receiving_size: 1MiB }` })
    await using _ = router
    await router.ready
    const held: ServerResponse[] = []
    let sent = 0
    products.answers((_body, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      // All but its end.
      response.write(`{"data":{"product":{"name":"${'x'.repeat(SIZE)}"`, () => sent++)
      held.push(response)
    })
    const answers = Array.from({ length: 3 }, () => post(router, QUERY))
    await until(() => held.length === 3 && sent >= 1, 'the first is taken')
    const small = '{"data":{"product":{"name":"Table"}}}'
    // What is small does not wait, however many large ones do.
    products.answers((_body, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(small),
    )
    for (let round = 0; round < 10; round++) expect((await post(router, QUERY)).text).toBe(small)
    expect(sent).toBeLessThan(3)
    for (const response of held) response.end('}}}')
    for (const { text } of await Promise.all(answers))
      expect(text.length).toBe(SIZE + '{"data":{"product":{"name":""}}}'.length)
  })
})
