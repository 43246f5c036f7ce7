/**
 * Subgraphs that are ill for longer, under a steady load: how soon they are served again with the circuit
 * breaker as it comes, what a subgraph that flaps costs, and what the router keeps of all that.
 * `make test-long` looks at every illness.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isLongRun, sampled } from '@switchyard/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { type RouterProcess, startRouterProcess } from '../support/router-process.ts'
import { post, until } from '../support/router.ts'
import type { IllSubgraph } from './ill-subgraph.ts'
import { startIllGraph, startIllWorld, type Way, WAYS } from './ill-world.ts'
import { ILLNESSES, type Illness } from './illnesses.ts'
import { type Sample, SteadyLoad } from './steady-load.ts'

const MEBIBYTE = 1024 * 1024
const QUERY = '{ items { id name count } report { title } }'
const TIMEOUT = 1000
/** As the circuit breaker has it where the settings say nothing else. */
const OPEN_FOR = 5000
/** A machine that does other things as well may be so late. */
const LATE = 5000
const PAUSE = 80
/** How often a subgraph that flaps is up and down. */
const TURNS = isLongRun() ? 8 : 4
/**
 * Since its circuit has opened: it is well right after the circuit has let calls through, which fail, and
 * open it again. That is the worst moment.
 */
const ILL_FOR = OPEN_FOR + 300

const limits = ({ isSilent }: Illness) =>
  `timeout: ${isSilent ? `${TIMEOUT}ms` : '60s'}, max_response_size: 1MiB, accept_encodings: [gzip]`

describe.each(WAYS)('a subgraph that is ill for some seconds, called by %s,', (way) => {
  const rows: string[] = []
  afterAll(() => console.info(`calls by ${way}\n${rows.join('\n')}`))

  // Some at a time, so that the machine keeps up with their load.
  it.each(batchesOf(sampled(ILLNESSES, way === 'HTTP' ? 4 : 12), 20))(
    'is served again as soon as its circuit allows: $name and others',
    async ({ batch }) => {
      rows.push(...(await Promise.all(batch.map((illness) => recovers(way, illness)))))
    },
  )
})

async function recovers(way: Way, illness: Illness): Promise<string> {
  const { gives, opensCircuit = true, isSilent, name } = illness
  const settings = `${limits(illness)}, circuit_breaker: { enabled: true }`
  await using world = await startIllWorld(settings, way)
  const load = new SteadyLoad((query) => world.ask(query), PAUSE)
  await delay(1000)
  world.stock.fallIll(illness)
  const ill = performance.now()
  const opens = opensCircuit && typeof gives === 'string'
  if (opens) await until(() => load.samples.some(isRefused), `${name}: its circuit is open`, 60_000)
  await delay(ILL_FOR)
  const calls = world.stock.requests || world.stock.connections
  world.stock.recover()
  const well = performance.now()
  await until(
    () => load.samples.slice(-25).every(({ began, code }) => began > well && code === null),
    name,
    60_000,
  )
  await load.stop()
  expect(load.wrong).toEqual([])
  if (typeof gives === 'string') {
    const possible = opensCircuit ? [gives, 'SUBGRAPH_CIRCUIT_OPEN'] : [gives]
    // What began right before it was well may be right.
    for (const { code } of load.between(ill, well - TIMEOUT)) expect(possible).toContain(code)
  }
  const after = load.between(well, Infinity)
  const failed = after.filter(({ code }) => code !== null)
  const lastFailed = Math.max(well, ...failed.map(({ began }) => began))
  const right = after.filter(({ began }) => began > lastFailed).map(({ ended }) => ended)
  // A probe that the ill subgraph has left hanging ends by its time limit, and opens the circuit again.
  const allowed = opens ? OPEN_FOR + (isSilent ? TIMEOUT : 0) : 0
  for (const { began } of failed) expect(began - well).toBeLessThan(allowed + LATE)
  if (allowed === 0) expect(failed).toEqual([])
  const whileIll = load.samples.filter(({ began, ended }) => began < well && ended > ill)
  expect(calls).toBeLessThanOrEqual(whileIll.filter((sample) => !isRefused(sample)).length)
  const asked = load.between(ill, well).length
  const code = typeof gives === 'string' ? `\`${gives}\`` : 'what is wrong is null'
  const seconds = ((Math.min(...right) - well) / 1000).toFixed(2)
  return `| ${name} | ${code} | ${calls} of ${asked} | ${failed.length} | ${seconds} s |`
}

/** No call was made. */
const isRefused = ({ code }: Sample): boolean => code === 'SUBGRAPH_CIRCUIT_OPEN'

type Batch = { readonly name: string; readonly batch: readonly Illness[] }

function batchesOf(illnesses: readonly Illness[], size: number): readonly Batch[] {
  const [first] = illnesses
  if (first === undefined) return []
  return [{ name: first.name, batch: illnesses.slice(0, size) }, ...batchesOf(illnesses.slice(size), size)]
}

describe('a subgraph that is up for a second and down for a second, in turns,', () => {
  it.each([
    ['without more settings', ''],
    [
      'with a circuit breaker and retries',
      'circuit_breaker: { enabled: true, open_for: 200ms, window: 400ms, min_calls: 10, probes: 1 }, retry: { max_retries: 2 }',
    ],
  ])('is served while it is up, and costs the data of nobody else: %s', async (name, more) => {
    await using world = await startIllWorld(`timeout: 60s, ${more}`)
    const load = new SteadyLoad((query) => world.ask(query), 10)
    const ups: (readonly [number, number])[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      world.stock.recover()
      const up = performance.now()
      await delay(1000)
      ups.push([up, performance.now()])
      world.stock.fallIll({ asked: ({ socket }) => socket.resetAndDestroy() })
      await delay(1000)
    }
    await load.stop()
    expect(load.wrong).toEqual([])
    const failed = load.samples.filter(({ code }) => code !== null)
    for (const { code } of failed) expect(['SUBGRAPH_UNREACHABLE', 'SUBGRAPH_CIRCUIT_OPEN']).toContain(code)
    // From 200 ms after it is up until it is down: nothing but a late machine keeps them from being served.
    const up = ups.flatMap(([from, to]) => load.between(from + 250, to - 50))
    const failedWhileUp = up.filter(({ code }) => code !== null).length
    const calls = world.stock.requestsEver
    console.info(
      `flapping, ${name}: ${load.samples.length} requests, ${failed.length} failed, ${failedWhileUp} of ${up.length} while it was up, ${calls} calls`,
    )
    expect(failedWhileUp).toBeLessThan(up.length / 20)
    expect(calls).toBeLessThanOrEqual(load.samples.length * 1.1 + 10)
  })
})

describe.each(WAYS)('a router process that calls by %s', (way) => {
  it('reads no more of answers of 10 GB than it may, and keeps nothing of them', async () => {
    await using graph = await startIllGraph(way)
    await using router = await startRouterProcess(graph.world, graph.settingsWith('timeout: 60s'))
    await ask(router, 20, 4)
    const before = await router.measure()
    graph.stock.fallIll(found('answers 10 GB in chunks'))
    let peak = before.resident
    const over = new AbortController()
    const watch = async () => {
      while (!over.signal.aborted) {
        peak = Math.max(peak, (await router.look()).resident)
        await delay(20)
      }
    }
    const watching = watch()
    const REQUESTS = isLongRun() ? 20 : 4
    const AT_ONCE = 4
    await ask(router, REQUESTS, AT_ONCE)
    over.abort()
    await watching
    const { flooded } = graph.stock
    await until(() => graph.stock.open.size === 0, 'all connections are closed')
    graph.stock.recover()
    await ask(router, 20, 4)
    const after = await router.measure()
    const held = (after.heap + after.external - before.heap - before.external) / MEBIBYTE
    console.info(
      `10 GB, ${way}: ${Math.round(flooded / MEBIBYTE / REQUESTS / 2)} MiB sent of each answer; resident ${Math.round(before.resident / MEBIBYTE)} MiB before, ${Math.round(peak / MEBIBYTE)} at most, ${Math.round(after.resident / MEBIBYTE)} after; ${held.toFixed(1)} MiB more held`,
    )
    // Two calls for each request, 64 MiB each, and what sockets take that nobody reads.
    expect(flooded).toBeLessThan(REQUESTS * 2 * (64 + 16) * MEBIBYTE)
    expect(peak - before.resident).toBeLessThan(AT_ONCE * 2 * 64 * 2 * MEBIBYTE)
    expect(held).toBeLessThan(4)
    expect(router.noise).toEqual([])
  })

  it('keeps nothing of a subgraph that was ill in every way, again and again', async () => {
    await using graph = await startIllGraph(way)
    const settings = 'timeout: 300ms, max_response_size: 1MiB, accept_encodings: [gzip], max_connections: 200'
    await using router = await startRouterProcess(graph.world, graph.settingsWith(settings))
    const illnesses = sampled(ILLNESSES, way === 'HTTP' ? 2 : 4)
    await suffers(illnesses, router, graph.stock)
    const before = await router.measure()
    for (let round = 0; round < 2; round++) await suffers(illnesses, router, graph.stock)
    const after = await router.measure()
    const held = (after.heap + after.external - before.heap - before.external) / MEBIBYTE
    console.info(`all illnesses, ${way}: ${held.toFixed(2)} MiB more held after two further rounds`)
    expect(held).toBeLessThan(3)
    expect(router.noise).toEqual([])
    expect(router.exitCode).toBeNull()
    expect(router.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
    expect(await ask(router, 1, 1)).toEqual([undefined])
  })
})

function found(name: string): Illness {
  const illness = ILLNESSES.find((other) => other.name === name)
  if (illness === undefined) throw new Error(`there is no illness "${name}"`)
  return illness
}

/** Errors of the answers. */
async function ask(router: RouterProcess, requests: number, atOnce: number): Promise<unknown[]> {
  const errors: unknown[] = []
  const one = async () => {
    while (errors.length < requests) {
      const slot = errors.push(undefined) - 1
      errors[slot] = (await post(router, { query: QUERY })).json.errors
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return errors
}

async function suffers(
  illnesses: readonly Illness[],
  router: RouterProcess,
  stock: IllSubgraph,
): Promise<void> {
  for (const illness of illnesses) {
    stock.fallIll(illness)
    await ask(router, 40, 40)
  }
  stock.recover()
  await ask(router, 40, 4)
}
