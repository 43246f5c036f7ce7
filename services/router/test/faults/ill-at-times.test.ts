/**
 * A subgraph that is ill now and then: it flaps, gets slower, accepts no connections for a while, ends
 * connections while they are used, or sends the router elsewhere.
 */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isLongRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { startFullBacklog } from './full-backlog.ts'
import { answerWell, httpAnswer, type IllCall, IllSubgraph, REPORT, wellAnswer } from './ill-subgraph.ts'
import { type IllWorld, ITEMS, startIllWorld, type Way, WAYS } from './ill-world.ts'
import { ILLNESSES, type Illness } from './illnesses.ts'
import { expectRecovery } from './recovery.ts'

const OPEN_FOR = 50
const CIRCUIT = `circuit_breaker: { enabled: true, min_calls: 4, window: 1h, open_for: ${OPEN_FOR}ms, probes: 1 }`
/** Those that stop, and one that only seems to begin. A byte now and then is what the whole limit is for. */
const SILENT: readonly Illness[] = [
  ...ILLNESSES.filter(({ isSilent, name }) => isSilent && !name.includes('one byte of its body')),
  {
    name: 'sends an interim answer (102) and nothing more',
    asked: ({ socket }) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
    gives: 'SUBGRAPH_TIMEOUT',
  },
]
/**
 * All but `make test-long` look at every second of those that differ in bytes, and by HTTPS at fewer.
 */
const every = (way: Way) => (isLongRun() ? 1 : 2) * (way === 'HTTP' ? 1 : 4)
const QUERY = '{ items { id name } report { title } }'
const RESTOCK = 'mutation { restock(id: "1") }'

/** The code of the one error at the subgraph's field; null: its data are there. Those of the other are. */
async function codeOf(world: IllWorld): Promise<unknown> {
  const { json } = await world.ask(QUERY)
  const [error, ...others] = json.errors ?? []
  expect(others).toEqual([])
  expect(json.data).toEqual({ items: ITEMS, report: error === undefined ? REPORT : null })
  if (error === undefined) return null
  expect(error.path).toEqual(['report'])
  return error.extensions['code']
}

describe.each(WAYS)('called by %s, a subgraph that', (way) => {
  it('flaps is served whenever it is up, and hardly called while it is down', async () => {
    await using world = await startIllWorld(`timeout: 60s, ${CIRCUIT}`, way)
    for (let round = 1; round <= 5; round++) {
      world.stock.fallIll({ asked: ({ socket }) => socket.resetAndDestroy() })
      let failed = 0
      for (let code = await codeOf(world); code !== 'SUBGRAPH_CIRCUIT_OPEN'; code = await codeOf(world)) {
        expect(code).toBe('SUBGRAPH_UNREACHABLE')
        // As many have to fail as were right since it was up.
        expect(++failed).toBeLessThan(20)
      }
      const before = { calls: world.stock.requests, time: performance.now() }
      await Promise.all(Array.from({ length: 50 }, () => codeOf(world)))
      const periods = Math.ceil((performance.now() - before.time) / OPEN_FOR)
      expect(world.stock.requests - before.calls).toBeLessThanOrEqual(periods)
      await expectRecovery(world, { openFor: OPEN_FOR, mayTimeOut: false })
    }
  })

  it('gets slower is served up to its time limit, and again when it is fast', async () => {
    await using world = await startIllWorld(`timeout: 4s, ${CIRCUIT}`, way)
    let latency = 0
    world.stock.fallIll({
      asked: (call) => void delay(latency).then(() => call.socket.destroyed || answerWell(call)),
    })
    for (latency of [0, 100, 200, 400]) expect(await codeOf(world)).toBeNull()
    latency = 60_000
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(world)))
    expect(codes).toEqual(codes.map(() => 'SUBGRAPH_TIMEOUT'))
    await until(() => world.stock.open.size === 0, 'no connection waits for an answer')
    await expectRecovery(world, { openFor: OPEN_FOR, mayTimeOut: true })
  })

  it.each(sampled(SILENT, every(way)))('$name is given up by the limits for phases', async (illness) => {
    const limits = 'timeout: 60s, overrides: { stock: { first_byte_timeout: 300ms, idle_timeout: 300ms } }'
    await using world = await startIllWorld(limits, way)
    world.stock.fallIll(illness)
    expect(await codeOf(world)).toBe('SUBGRAPH_TIMEOUT')
    await until(() => world.stock.open.size === 0, 'the connection is closed')
  })

  const endsUsed = (call: IllCall): void =>
    call.number === 1 ? answerWell(call) : void call.socket.resetAndDestroy()
  const endsUnannounced = ({ socket, body }: IllCall): void => void socket.end(httpAnswer(wellAnswer(body)))

  it.each([
    ['resets connections that are used again', endsUsed],
    ['closes connections that it did not say it would close', endsUnannounced],
  ])('%s loses those calls only, and none with a retry', async (_, asked) => {
    await using world = await startIllWorld('timeout: 60s', way)
    world.stock.fallIll({ asked })
    let lost = false
    for (let request = 0; request < 20; request++) {
      const code = await codeOf(world)
      // The connection is gone, and the next call has a new one.
      expect(code).toBeOneOf(lost ? [null] : [null, 'SUBGRAPH_UNREACHABLE'])
      lost = code !== null
    }
    const retrying = 'retry: { max_retries: 1, backoff: 1ms, max_backoff: 1ms, budget: 1 }'
    await using again = await startIllWorld(`timeout: 60s, ${retrying}`, way)
    again.stock.fallIll({ asked })
    for (let request = 0; request < 20; request++) expect(await codeOf(again)).toBeNull()
    again.stock.requests = 0
    for (let request = 0; request < 20; request++) await again.ask(RESTOCK)
    expect(again.stock.requests).toBeLessThanOrEqual(20)
  })

  it.each(sampled(['301', '302', '303', '307', '308'], every(way)))(
    'redirects to another host (%s) is not followed',
    async (status) => {
      await using other = await IllSubgraph.start()
      await using world = await startIllWorld('timeout: 60s', way)
      const head = `content-type: application/json\r\nlocation: ${other.url}\r\n`
      world.stock.fallIll({
        asked: ({ socket }) => void socket.write(httpAnswer('{}', `${status} There`, head)),
      })
      expect(await codeOf(world)).toBe('SUBGRAPH_INVALID_RESPONSE')
      expect((await world.ask(RESTOCK)).json.errors?.[0]?.extensions['code']).toBe(
        'SUBGRAPH_INVALID_RESPONSE',
      )
      expect(other.connections).toBe(0)
      world.stock.recover()
      expect(await codeOf(world)).toBeNull()
    },
  )
})

describe('a subgraph that', () => {
  it('accepts no connections is given up after the time for that, and served once it accepts them', async () => {
    await using backlog = await startFullBacklog()
    const settings = `timeout: 60s, connect_timeout: 200ms, ${CIRCUIT}`
    await using world = await startIllWorld(settings, 'HTTP', backlog.url)
    const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(world)))
    expect(codes).toEqual(codes.map(() => 'SUBGRAPH_UNREACHABLE'))
    expect(world.events('subgraph.circuit-opened')).toMatchObject([{ subgraph: 'stock', failures: 4 }])
    const connecting = () => process.getActiveResourcesInfo().includes('TCPConnectWrap')
    await until(() => !connecting(), 'no connection is waited for')
    backlog.recover()
    // What the system remembers of connections that it did not keep takes a second try to get past.
    await until(async () => (await codeOf(world)) === null, 'it is served again')
    expect(await codeOf(world)).toBeNull()
  })
})

/** Milliseconds for which an address is set aside at first; each further time twice as long. */
const SET_ASIDE = 500
const REQUESTS = 40

describe('a subgraph with two addresses, one of which', () => {
  it.each(
    ILLNESSES.filter(({ gives, isSilent, opensCircuit = true }) => {
      return typeof gives === 'string' && isSilent !== true && opensCircuit
    }),
  )('$name, is served from the other one', async (illness) => {
    await using ill = await IllSubgraph.start()
    await using well = await IllSubgraph.start()
    ill.fallIll(illness)
    const urls = `overrides: { stock: { urls: ['${ill.url}', '${well.url}'] } }`
    const retry = 'retry: { max_retries: 1, backoff: 1ms, budget: 1 }'
    await using world = await startIllWorld(`timeout: 60s, accept_encodings: [gzip], ${retry}, ${urls}`)
    const began = performance.now()
    let failed = 0
    for (let request = 0; request < REQUESTS; request++) {
      const code = await codeOf(world)
      if (code !== null) failed++
      expect(code).toBeOneOf([null, illness.gives])
    }
    const most = 2 + Math.log2(1 + (performance.now() - began) / SET_ASIDE)
    expect(ill.requests || ill.connections).toBeLessThanOrEqual(most)
    expect(failed).toBeLessThanOrEqual(RETRIED.test(illness.name) ? 0 : most)
    expect(well.requests).toBeGreaterThanOrEqual(REQUESTS - failed)
  })
})

/** Those whose calls are made again, and at the other address. */
const RETRIED =
  /^(?:resets (?:each|when|amid its h)|closes when|answers HTML with 502|answers 503.*(?:-5|soon))/

describe('a subgraph that is to be called by TLS and', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['speaks plain HTTP', (socket) => void socket.write(httpAnswer('{"data":{}}'))],
    ['ends connections', (socket) => void socket.end()],
    ['resets connections', (socket) => void socket.resetAndDestroy()],
  ])('%s is not reached, within the time for connecting', async (_, connected) => {
    await using stock = await IllSubgraph.start()
    stock.fallIll({ connected })
    const url = stock.url.replace('http:', 'https:')
    await using world = await startIllWorld('timeout: 60s, connect_timeout: 300ms', 'HTTP', url)
    expect(await codeOf(world)).toBe('SUBGRAPH_UNREACHABLE')
    await until(() => stock.open.size === 0, 'the connection is closed')
  })
})
