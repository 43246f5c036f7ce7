/**
 * Fifty flags on one graph, toggled in random order under constant load that names random flags. Asserted is
 * what was served, how often something was composed and compiled, which the programs log, and that memory
 * does not grow; times are printed.
 *
 * Memory is measured after garbage was collected. Left to itself V8 collects the old generation when it has
 * about doubled, here every hundred seconds, and a composition that is let go is old: between two collections
 * a program grows by tens of megabytes that nobody holds.
 */
import { Random } from '@switchyard/samples'
import {
  FIXED_SEED,
  isLongRun,
  natsServerAvailable,
  redisServerAvailable,
  waitFor,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  BASE,
  type Constellation,
  FlagLoad,
  type LogEvent,
  MEASURABLE,
  measureMemory,
  type Memory,
  openFlaggedShop,
  pairOf,
  type ServiceProgram,
  publishFlaggedShop,
  query,
  type ShopFlag,
  startEmbedded,
  startOnRealServers,
  type StartOptions,
} from '../src/index.ts'

const FLAGS = 50
const MEASUREMENTS = 8
/** A busy machine takes longer for a measurement than the time between two. */
const LEAST_MEASUREMENTS = 4
/**
 * Megabytes by which the least of the second half of the run may be above the least of the first.
 * Compositions come and go, and each takes a fifth of a megabyte in whoever serves it, which is taken off
 * before measurements are compared. Resident memory rises once in a run beside that, when V8 lets the young
 * generation grow to its full size: by up to 46 MB where the machine is fast.
 */
const MAY_GROW = { live: 1.5, livePerToggle: 0.008, resident: 70 }
const PER_COMPOSITION = 0.2
const SECONDS = Number(process.env['SWITCHYARD_TEST_SECONDS'] ?? (isLongRun() ? 30 : 12))
/**
 * All flags may stay compiled, so that a composition is compiled for one reason only: its flag was switched
 * on.
 */
const SETTINGS = `flags: { max_built_size: 1GiB }\naccess_log: { enabled: false }\n`
const realServers = natsServerAvailable() && redisServerAvailable()

describe('fifty flags under load', () => {
  it('are toggled without a wrong answer in one process', () => toggleThem(startEmbedded))
  it.skipIf(!realServers)(
    'are toggled without a wrong answer on separate processes with NATS and Redis',
    () => toggleThem(startOnRealServers),
  )
})

async function toggleThem(start: (options: StartOptions) => Promise<Constellation>): Promise<void> {
  const seed = Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED)
  console.log(`seed ${seed} (SWITCHYARD_TEST_SEED)`)
  const random = new Random(seed)
  await using shop = await openFlaggedShop(FLAGS)
  await using system = await start({ routerSettings: SETTINGS, environment: MEASURABLE })
  await publishFlaggedShop(system, shop)
  const enabled = new Set(shop.flags.filter((_, index) => index % 2 === 0).map(({ name }) => name))
  for (const flag of shop.flags) await servedEverywhere(system, flag, enabled.has(flag.name))

  const routers = [...system.programs.values()].filter(
    ({ name }) => name.startsWith('router') || name === 'up',
  )
  const composers = [...system.programs.values()].filter(
    ({ name }) => name.startsWith('composer') || name === 'up',
  )
  const routerLogs = routers.map((program) => new LogFrom(program))
  const composerLogs = composers.map((program) => new LogFrom(program))

  const load = new FlagLoad(system.routerUrls, shop.flags, enabled, new Random(seed + 1))
  const latencies: number[] = []
  const memory: Measured[] = []
  const aliveNow = (): number =>
    1 + new Set(shop.flags.filter(({ name }) => enabled.has(name)).map(({ pair }) => pair)).size
  const began = performance.now()
  while (performance.now() - began < SECONDS * 1000 || memory.length < LEAST_MEASUREMENTS) {
    const flag = random.pick(shop.flags)
    const on = !enabled.has(flag.name)
    load.changing(flag)
    const path = `/v1/feature-flags/default/${encodeURIComponent(flag.name)}/${on ? 'enable' : 'disable'}?wait=0`
    const reply = await system.manage('POST', path, {})
    expect(
      [reply.status, reply.body['changed']],
      `${JSON.stringify(reply.body)}\n${system.report()}`,
    ).toEqual([200, true])
    const acknowledged = performance.now()
    await servedEverywhere(system, flag, on)
    latencies.push(performance.now() - acknowledged)
    load.settled(flag, on)
    if (on) enabled.add(flag.name)
    else enabled.delete(flag.name)
    if (performance.now() - began > ((memory.length + 1) * SECONDS * 1000) / MEASUREMENTS) {
      memory.push({ alive: aliveNow(), programs: await measureMemory(system) })
    }
  }
  await load.stop()
  const toggles = latencies.length
  expect([...load.wrong], system.report()).toEqual([])
  expect(load.flagged).toBeGreaterThan(0)

  // Each toggle is one record of the registry, and nobody else wrote any.
  const passes = composerLogs.flatMap((log) => log.of('composition.completed'))
  expect(new Set(passes.map(({ registrySequence }) => registrySequence)).size).toBe(toggles)
  expect(passes.filter(({ computed }) => Number(computed) > 1)).toEqual([])
  const computed = computedIn(passes)
  // A composer that was too slow for the others has worked for nothing.
  const inVain = computedIn(composerLogs.flatMap((log) => log.of('composition.dropped')))

  for (const flag of shop.flags) await servedEverywhere(system, flag, enabled.has(flag.name))
  const alive = aliveNow()
  let built = 0
  for (const log of routerLogs) {
    await waitFor('the compositions of disabled flags to be let go', () => log.alive === alive)
    const perSwap = log.betweenSwaps('generation.built')
    expect(perSwap.length).toBeGreaterThan(toggles)
    expect(perSwap.filter((count) => count > 1)).toEqual([])
    built += log.of('generation.built').length
  }
  memory.push({ alive, programs: await measureMemory(system) })
  latencies.sort((a, b) => a - b)
  const at = (share: number): string => (latencies[Math.floor(share * (toggles - 1))] ?? 0).toFixed(0)
  console.log(
    `${system.kind}: ${toggles} toggles of ${FLAGS} flags, ${computed} compositions computed (and ${inVain} in vain), ${built} compiled by ${routers.length} router(s), ` +
      `${load.total} answers (${load.flagged} by flags); acknowledged to served on every router: median ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms; ` +
      `${alive} generations alive`,
  )
  for (const name of system.programs.keys()) {
    const serves = routers.some((router) => router.name === name)
    const measured = memory.flatMap(({ alive: served, programs }) => {
      const found = programs.get(name)
      return found === undefined ? [] : [{ ...found, compositions: serves ? served : 0 }]
    })
    expectFlat(name, measured, toggles)
  }
}

/** Until every router answers a request that names the flag by it, or by base. */
async function servedEverywhere(system: Constellation, flag: ShopFlag, on: boolean): Promise<void> {
  const expected = on ? flag.pair : BASE
  await Promise.all(
    system.routerUrls.map((url) =>
      waitFor(
        `${url} to answer ${flag.name} by ${expected}`,
        async () => {
          const got = pairOf(await query(url, { 'X-Feature-Flag': flag.name }))
          if (got !== expected) throw new Error(`${got}\n${system.report()}`)
          return true
        },
        { everyMs: 5 },
      ),
    ),
  )
}

function computedIn(passes: readonly LogEvent[]): number {
  return passes.reduce((sum, pass) => sum + Number(pass['computed']), 0)
}

/** What a program logged since this was made. */
class LogFrom {
  readonly #program: ServiceProgram
  readonly #from: number
  constructor(program: ServiceProgram) {
    this.#program = program
    this.#from = program.events.length
  }

  get #events(): readonly LogEvent[] {
    return this.#program.events.slice(this.#from)
  }

  of(name: string): readonly LogEvent[] {
    return this.#events.filter(({ event }) => event === name)
  }

  /** How often it happened from one config to the next. */
  betweenSwaps(name: string): readonly number[] {
    const counts = [0]
    for (const { event } of this.#events) {
      if (event === 'config.swapped') counts.push(0)
      else if (event === name) counts.push((counts.pop() ?? 0) + 1)
    }
    return counts
  }

  /** Generations in the memory of a router. */
  get alive(): unknown {
    return this.#program.events.findLast(({ event }) => event.startsWith('generation.'))?.['alive']
  }
}

/** The memory of all programs while so many compositions were served. */
type Measured = { readonly alive: number; readonly programs: ReadonlyMap<string, Memory> }

/** The first measurement is left out: caches fill. `compositions` is the number that the program serves. */
function expectFlat(
  name: string,
  memory: readonly (Memory & { readonly compositions: number })[],
  toggles: number,
): void {
  const live = memory.map(
    ({ heap, arrayBuffers, compositions }) => heap + arrayBuffers - PER_COMPOSITION * compositions,
  )
  const resident = memory.map((one) => one.resident)
  const told = (megabytes: readonly number[]) => megabytes.map((one) => one.toFixed(1)).join(' ')
  const line = `${name}, MB after collecting garbage: heap and array buffers without compositions ${told(live)}; resident ${told(resident)}`
  console.log(line)
  expect(memory.length, line).toBeGreaterThanOrEqual(LEAST_MEASUREMENTS)
  expect(growth(live), line).toBeLessThan(MAY_GROW.live + (MAY_GROW.livePerToggle * toggles) / 2)
  expect(growth(resident), line).toBeLessThan(MAY_GROW.resident)
}

function growth([, ...megabytes]: readonly number[]): number {
  const half = Math.floor(megabytes.length / 2)
  return Math.min(...megabytes.slice(half)) - Math.min(...megabytes.slice(0, half))
}
