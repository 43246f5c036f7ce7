import { createLogger } from '@switchyard/service-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MissingProviders } from '../../src/brokers/missing-providers.ts'
import { loadRouterConfig } from '../../src/config/router-config.ts'
import { createRouterEvents } from '../../src/startup/router-events.ts'
import { Compiler } from '../../src/generations/build/compiler.ts'
import type { Generation } from '../../src/generations/generation.ts'
import {
  type HeldGeneration,
  Generations,
  type GenerationSettings,
} from '../../src/generations/generations.ts'
import { FlagUse } from '../../src/flags/flag-use.ts'
import type { VerifiedConfig } from '../../src/generations/offered-config.ts'
import { GenerationFactory } from '../../src/generations/generation-factory.ts'
import { TurnQueue } from '../../src/fairness/turn-queue.ts'
import { Introspections } from '../../src/concerns/introspection/introspections.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'
import { SYSTEM_CLOCK } from '../../src/planning/planning-clock.ts'
import { Planning } from '../../src/planning/planning.ts'
import { brokenArtifact, type BuiltArtifact, buildArtifact, compiledWhole } from '../support/artifacts.ts'
import { type LogLine, until } from '../support/router.ts'

/** The parts of a router that keep compositions, without its HTTP. */
class Bench implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack()
  readonly logs: LogLine[] = []
  readonly flagUse = new FlagUse()
  readonly generations: Generations
  #revision = 0

  constructor(settings: Partial<GenerationSettings> = {}) {
    const config = loadRouterConfig()
    const logger = createLogger({
      name: 'router',
      to: { write: (line: string) => void this.logs.push(JSON.parse(line)) },
    })
    const events = createRouterEvents(logger, () => false)
    const memory = new OperationMemory(1_000_000)
    const generationFactory = new GenerationFactory({
      compiler,
      planning: this.#stack.use(
        new Planning({ config: config.planning, events: events.planning, clock: SYSTEM_CLOCK }),
      ),
      introspections: new Introspections({ maxSize: () => 1_000_000, turns: new TurnQueue(), memory }),
      memory,
      rules: { limits: {}, mayDefer: false, maySubscribe: false },
      events: events.compositions,
      documentChecks: null,
    })
    this.generations = this.#stack.use(
      new Generations({
        generationFactory,
        events: events.compositions,
        access: { identifies: false, policies: new Map() },
        providers: new MissingProviders(() => new Map(), events.providers),
        onServed: () => {},
        settings: () => ({
          maxBuiltSize: Number.POSITIVE_INFINITY,
          buildWait: 60_000,
          buildAhead: false,
          ...settings,
        }),
        naming: () => ({ subgraphs: [], flags: [] }),
        documents: null,
        flagUse: this.flagUse,
        rolloutsOf: () => null,
        onFlagsChanged: () => {},
        onFlagSettled: () => {},
      }),
    )
  }

  serve(base: BuiltArtifact, flags: Readonly<Record<string, BuiltArtifact>> = {}): Promise<void> {
    const config: VerifiedConfig = {
      source: 'config store',
      damage: [],
      graph: { namespace: 'default', graph: 'shop' },
      version: { epoch: 1, revision: ++this.#revision },
      createdAt: null,
      registrySequence: this.#revision,
      base: base.sha256,
      featureFlags: new Map(Object.entries(flags).map(([name, { sha256 }]) => [name, sha256])),
      pieces: new Map(),
      previews: new Map(),
      documents: [],
      rollouts: [],
      traceKeys: { keys: [] },
      traceAudience: '',
      signed: null,
      artifacts: new Map([base, ...Object.values(flags)].map(({ sha256, gzipped }) => [sha256, gzipped])),
    }
    return this.generations.replace(config)
  }

  async admit(flag: string): Promise<HeldGeneration> {
    const held = await this.generations.hold({ from: 'header', name: flag })
    if (held === null) throw new Error('nothing is served')
    return held
  }

  /** As a request that is over at once. */
  async ask(flag: string): Promise<Generation> {
    const { generation } = await this.admit(flag)
    generation.release()
    return generation
  }

  async reasonOf(flag: string): Promise<string> {
    const { generation, reason } = await this.admit(flag)
    generation.release()
    return reason
  }

  /** First characters of the artifacts that were compiled, in their order. */
  get built(): readonly unknown[] {
    return this.logs.filter(({ event }) => event === 'generation.built').map(({ artifact }) => artifact)
  }

  /** Why flags were compiled, in their order. */
  get reasons(): readonly unknown[] {
    return this.logs.filter(({ event }) => event === 'flag.built').map(({ reason }) => reason)
  }

  get alive(): unknown {
    return this.logs.findLast(({ event }) => event?.startsWith('generation.'))?.['alive']
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

const compiler = new Compiler()
/** Each another composition: the addresses differ. */
const artifact = (name: string) =>
  compiledWhole(buildArtifact('next', { products: `http://${name}.test/`, reviews: 'http://reviews.test/' }))

const short = ({ sha256 }: BuiltArtifact) => sha256.slice(0, 12)
const [base, base2] = ['base', 'base2'].map((name) =>
  buildArtifact('base', { products: `http://${name}.test/`, reviews: 'http://reviews.test/' }),
) as [BuiltArtifact, BuiltArtifact]
const [a, b, c, a2, c2] = ['a', 'b', 'c', 'a2', 'c2'].map(artifact) as [
  BuiltArtifact,
  BuiltArtifact,
  BuiltArtifact,
  BuiltArtifact,
  BuiltArtifact,
]

let sizeOfOne = 0
/** Bytes in which so many of these compositions fit, and not one more. They all have nearly the same size. */
const roomFor = (count: number) => (count + 0.5) * sizeOfOne

beforeAll(async () => {
  await using bench = new Bench()
  await bench.serve(base, { a })
  sizeOfOne = (await bench.ask('a')).size
})
afterAll(() => compiler[Symbol.asyncDispose]())

describe('the composition of a flag', () => {
  it('is compiled when it is first asked for, once however many ask', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a, b, c })
    expect(bench.built).toEqual([short(base)])
    const asked = await Promise.all(Array.from({ length: 20 }, () => bench.ask('a')))
    expect(new Set(asked).size).toBe(1)
    expect(bench.built).toEqual([short(base), short(a)])
  })

  it('stays with its caches over every swap that does not change it', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a, b })
    const before = await bench.ask('a')
    before.operations.get('{ version }', null)
    await bench.serve(base, { a })
    await bench.serve(base2, { a, c })
    await bench.serve(base, { c, a, b })
    expect(await bench.ask('a')).toBe(before)
    expect(before.operations.size).toBe(1)
    expect(bench.built.filter((built) => built === short(a))).toHaveLength(1)
  })

  it('is one for all flags that share the artifact, and the one of base where that has it too', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(1) })
    await bench.serve(base, { one: a, two: a, same: base })
    const [one, two, same] = [await bench.ask('one'), await bench.ask('two'), await bench.ask('same')]
    expect(one).toBe(two)
    expect(same.artifact).toBe(base.sha256)
    expect(await bench.ask('one')).toBe(one)
    expect(bench.built).toEqual([short(base), short(a)])
  })

  it('is let go when less memory may be taken than before', async () => {
    const settings = { maxBuiltSize: roomFor(2) }
    await using bench = new Bench(settings)
    await bench.serve(base, { a, b })
    await bench.ask('a')
    await bench.ask('b')
    expect(bench.alive).toBe(3)
    settings.maxBuiltSize = roomFor(1)
    bench.generations.settingsChanged()
    expect(bench.alive).toBe(2)
    await bench.ask('b')
    expect(bench.built).toEqual([short(base), short(a), short(b)])
  })

  it('is compiled with the manifest that changes it while it is in use, and not before it is asked for otherwise', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a, b })
    await bench.ask('a')
    await bench.serve(base, { a: a2, b: c })
    expect(bench.built).toEqual([short(base), short(a), short(a2)])
    expect((await bench.ask('a')).artifact).toBe(a2.sha256)
    expect(bench.alive).toBe(2)
  })

  it('is let go when its flag leaves, and compiled again when it comes back', async () => {
    await using bench = new Bench()
    for (let toggle = 0; toggle < 3; toggle++) {
      await bench.serve(base, { a })
      expect((await bench.ask('a')).artifact).toBe(a.sha256)
      await bench.serve(base)
      expect(await bench.reasonOf('a')).toBe('unknown')
      expect(bench.alive).toBe(1)
    }
    expect(bench.built).toEqual([short(base), short(a), short(a), short(a)])
  })

  it('is not compiled twice when another config is served while it is being compiled', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a })
    const waiting = bench.ask('a')
    await bench.serve(base, { a, b })
    await bench.serve(base, { a, c })
    const generation = await waiting
    expect(await bench.ask('a')).toBe(generation)
    expect(bench.built).toEqual([short(base), short(a)])
  })

  it('is not compiled twice when it was asked for while another base was being compiled', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a })
    const swap = bench.serve(base2, { a })
    const during = bench.ask('a')
    await Promise.all([swap, during])
    expect(await bench.ask('a')).toBe(await during)
    expect(bench.built.filter((built) => built === short(a))).toHaveLength(1)
  })

  it('is forgotten when its flag left while it was being compiled', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a })
    const waiting = bench.admit('a')
    await bench.serve(base)
    const { generation, reason, flag } = await waiting
    expect([generation.artifact, reason, flag]).toEqual([base.sha256, 'unknown', null])
    generation.release()
    await bench.serve(base, { b })
    await bench.ask('b')
    expect(bench.alive).toBe(2)
  })
})

describe('compositions that cannot be compiled', () => {
  it('are not served, alone, and tried again only when they change', async () => {
    await using bench = new Bench()
    const broken = brokenArtifact()
    await bench.serve(base, { a, one: broken, two: broken })
    expect([await bench.reasonOf('one'), await bench.reasonOf('two')]).toEqual(['not-served', 'not-served'])
    expect(await bench.reasonOf('a')).toBe('header')
    expect(bench.generations.serving?.flags).toEqual(['a'])
    await bench.serve(base2, { a, one: broken, two: b })
    expect([await bench.reasonOf('one'), await bench.reasonOf('two')]).toEqual(['not-served', 'header'])
    expect(bench.logs.filter(({ event }) => event === 'flag.not-served')).toHaveLength(1)
    await bench.serve(base2, { a, one: c })
    expect(bench.generations.serving?.flags).toEqual(['a', 'one'])
  })

  it('do not take the flag out of use that they were to replace before they were offered', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a })
    await bench.ask('a')
    await bench.serve(base, { a: brokenArtifact() })
    expect(await bench.reasonOf('a')).toBe('not-served')
    await bench.serve(base, { a })
    expect(await bench.reasonOf('a')).toBe('header')
  })
})

describe('compositions that nobody asks for yet', () => {
  const ahead = { buildAhead: true }
  const settled = (bench: Bench) =>
    until(() => !bench.generations.hasUnbuiltFlags, 'all flags are compiled or known to be broken')

  it('are compiled one after the other, those in use first, and after what requests wait for', async () => {
    await using bench = new Bench(ahead)
    bench.flagUse.heard(['b', 'a'])
    await bench.serve(base, { c, c2, a, b })
    // The first one is being compiled by now.
    await bench.ask('c2')
    await settled(bench)
    expect(bench.built).toEqual([base, b, c2, a, c].map(short))
    expect(bench.reasons).toEqual(['in use', 'requested', 'in use', 'ahead'])
    await bench.ask('c')
    expect(bench.built).toHaveLength(5)
  })

  it('do not hold up the next config, which waits for those in use', async () => {
    await using bench = new Bench(ahead)
    await bench.serve(base, { a, b })
    await settled(bench)
    await bench.ask('a')
    await bench.serve(base, { a: a2, b: c })
    expect(bench.built).toEqual([base, a, b, a2].map(short))
    expect((await bench.ask('a')).artifact).toBe(a2.sha256)
    await settled(bench)
    expect(bench.built.at(-1)).toBe(short(c))
  })

  it('push out nothing, however little fits, and are not compiled again and again', async () => {
    await using bench = new Bench({ ...ahead, maxBuiltSize: roomFor(2) })
    await bench.serve(base, { a, b, c, c2 })
    await until(() => bench.built.length === 3, 'as many are compiled as fit')
    for (let turn = 0; turn < 3; turn++) for (const flag of ['a', 'b']) await bench.ask(flag)
    expect(bench.built).toEqual([base, a, b].map(short))
    await bench.ask('c')
    expect(bench.built).toEqual([base, a, b, c].map(short))
    expect(bench.alive).toBe(3)
  })

  it('are not compiled where the settings say so', async () => {
    await using bench = new Bench()
    await bench.serve(base, { a, b })
    await bench.ask('b')
    expect(bench.built).toEqual([base, b].map(short))
  })

  it('that are broken hold up nobody', async () => {
    await using bench = new Bench(ahead)
    await bench.serve(base, { broken: brokenArtifact(), a })
    await settled(bench)
    expect(bench.generations.serving?.flags).toEqual(['a'])
    expect(bench.generations.buildsFlagsInUse).toBe(false)
  })
})

describe('too little memory for all flags', () => {
  it('is told once, with a number that suffices', async () => {
    await using bench = new Bench({ maxBuiltSize: 1000, buildAhead: true })
    await bench.serve(base, { a, b, c })
    for (const flag of ['a', 'b', 'c']) await bench.ask(flag)
    await bench.serve(base, { c, b, a })
    const told = bench.logs.filter(({ event }) => event === 'flags.memory-too-small')
    expect(told).toHaveLength(1)
    const needed = told[0]?.['needed'] as { readonly bytes: number; readonly count: number }
    expect(told[0]?.msg).toMatch(/Expected: flags\.max_built_size: 1MiB$/)

    await using enough = new Bench({ maxBuiltSize: needed.bytes, buildAhead: true })
    await enough.serve(base, { a, b, c })
    await until(() => !enough.generations.hasUnbuiltFlags, 'all are compiled')
    for (const flag of ['a', 'b', 'c']) await enough.ask(flag)
    expect(enough.built).toHaveLength(4)
    expect(enough.logs.some(({ event }) => event === 'flags.memory-too-small')).toBe(false)
  })

  it('is told when one of them was compiled: what a flag shares with base is not known before', async () => {
    await using bench = new Bench({ maxBuiltSize: 1000 })
    const told = () => bench.logs.filter(({ event }) => event === 'flags.memory-too-small')
    await bench.serve(base, { a, b, c })
    expect(told()).toHaveLength(0)
    await bench.ask('a')
    expect(told()).toHaveLength(1)
  })

  it('gives every flag its turn, the one that is waited for longest first', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(1) })
    const names = Array.from({ length: 6 }, (_, index) => `f${index}`)
    const flags = Object.fromEntries(names.map((name) => [name, artifact(`turn-${name}`)]))
    await bench.serve(base, flags)
    for (let turn = 0; turn < 3; turn++) {
      const asked = await Promise.all([...names, ...names].map((name) => bench.ask(name)))
      expect(asked.map(({ artifact: sha256 }) => sha256)).toEqual(
        [...names, ...names].map((name) => flags[name]?.sha256),
      )
    }
    // Requests that wait for the same flag share its turn, and the last one of a round is the first of the
    // next.
    expect(bench.built.length).toBeLessThanOrEqual(1 + 3 * names.length)
    expect(bench.reasons.every((reason) => reason === 'requested')).toBe(true)
  })

  it('keeps the place of a flag whose request gave up, and compiles it for the next one', async () => {
    const settings = { maxBuiltSize: roomFor(1), buildWait: 0 }
    await using bench = new Bench(settings)
    await bench.serve(base, { a, b })
    for (const flag of ['a', 'b']) {
      await expect(bench.ask(flag)).rejects.toMatchObject({ code: 'FLAG_NOT_BUILT_YET' })
    }
    await until(() => bench.built.length === 3, 'both were compiled')
    expect((await bench.ask('b')).artifact).toBe(b.sha256)
  })
})

describe('built flags', () => {
  it('are as many as fit: the one not used for longest makes room and is compiled again on demand', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(2) })
    await bench.serve(base, { a, b, c })
    for (const flag of ['a', 'b', 'a', 'c', 'a', 'b']) await bench.ask(flag)
    expect(bench.built).toEqual([base, a, b, c, b].map(short))
    expect(bench.alive).toBe(3)
  })

  it('count uses on over swaps', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(2) })
    await bench.serve(base, { a, b, c })
    for (const flag of ['a', 'b', 'a', 'b', 'a', 'b']) await bench.ask(flag)
    await bench.serve(base2, { a, b, c })
    // b was used last before the swap, a after it: c takes the place of b.
    await bench.ask('a')
    await bench.ask('c')
    await bench.ask('a')
    expect(bench.built.filter((built) => built === short(a))).toHaveLength(1)
  })

  it('take no more bytes than allowed, and the one in demand stays however large it is', async () => {
    expect(sizeOfOne).toBeGreaterThan(1000)
    await using bench = new Bench({ maxBuiltSize: roomFor(2) })
    await bench.serve(base, { a, b, c })
    for (const flag of ['a', 'b', 'c']) await bench.ask(flag)
    expect(bench.alive).toBe(3)
    await bench.ask('b')
    expect(bench.built).toEqual([base, a, b, c].map(short))

    await using tight = new Bench({ maxBuiltSize: 1 })
    await tight.serve(base, { a, b })
    expect([await tight.ask('a'), await tight.ask('a')].map(({ artifact }) => artifact)).toEqual([
      a.sha256,
      a.sha256,
    ])
    await tight.ask('b')
    expect(tight.built).toEqual([base, a, b].map(short))
    expect(tight.alive).toBe(2)
  })

  it('that are evicted stay whole for the request that holds them', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(1) })
    await bench.serve(base, { a, b })
    const { generation } = await bench.admit('a')
    generation.operations.get('{ version }', null)
    await bench.ask('b')
    expect(generation.operations.size).toBe(1)
    expect(bench.alive).toBe(3)
    // Asked for again while it is still held: the same one, not compiled again.
    expect(await bench.ask('a')).toBe(generation)
    await bench.ask('b')
    generation.release()
    expect(generation.operations.size).toBe(0)
    expect(bench.alive).toBe(2)
  })

  it('never are more than fit while many ask for many at once, and everybody gets what was asked for', async () => {
    await using bench = new Bench({ maxBuiltSize: roomFor(3) })
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`)
    const flags = Object.fromEntries(names.map((name) => [name, artifact(name)]))
    await bench.serve(base, flags)
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 24; turn++) {
        const name = names[(turn * (client + 1)) % names.length] ?? ''
        const generation = await bench.ask(name)
        expect(generation.artifact).toBe(flags[name]?.sha256)
      }
    })
    await Promise.all(clients)
    expect(Number(bench.alive)).toBeLessThanOrEqual(4)
  })
})
