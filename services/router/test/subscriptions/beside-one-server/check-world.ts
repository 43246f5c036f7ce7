/**
 * One generated world: users with random rights subscribe through a real router, and every event that they
 * get is held against what one server answers to them.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createMonolith,
  fetchedInSpite,
  guard,
  keyNames,
  type Monolith,
  type OracleAnswer,
  protect,
  type Protection,
  type SuiteOperation,
} from '@switchyard/corpus'
import {
  type Bench,
  describeCase,
  eventTable,
  generateSubscription,
  generateWorld,
  openWorld,
  withSubscriptions,
} from '@switchyard/corpus/events'
import { compileSupergraph, type Graph, openGraph } from '@switchyard/engine'
import { Random } from '@switchyard/samples'
import { temporaryDirectory, waitFor } from '@switchyard/testkit'
import { AUTHORIZATION, holderOf, type User, USER_NAMES } from '../../concerns/authorization/users.ts'
import { start, type TestRouter } from '../../support/router.ts'
import { differences, foreignValues, keysOf } from './judge.ts'
import { openReader, type Reader, WAYS } from './readers.ts'
import { sourceBody } from './source-body.ts'
import { FAILURES, WorldSubgraphs } from './subgraphs.ts'
import type { Tally } from './tally.ts'

/** What all worlds share. */
export type Surroundings = {
  /** The section `authentication` of the settings. */
  readonly authentication: unknown
  readonly headersOf: (user: User) => Record<string, string>
  /** The number of subscriptions that routers of this process serve. */
  readonly served: () => number
}

const OPERATIONS = 4
/** Most operations that are drawn stay within one subgraph. */
const DRAWN_FOR_EACH = 5
const READERS_OF_EACH = 3
/** Events while all is well, while subgraphs fail, and once they are back. */
const PHASES = [8, 5, 5] as const

/** Returns what is wrong in the world, in words; empty if nothing is, or if the world cannot be served. */
export async function checkWorld(
  seed: number,
  surroundings: Surroundings,
  tally: Tally,
): Promise<readonly string[]> {
  const world = withSubscriptions(generateWorld(seed))
  const opened = world && openWorld(world)
  if (opened?.kind !== 'opened') return []
  const random = new Random(seed)
  const operations = Array.from({ length: OPERATIONS }, () => drawOperation(opened.bench, random)).filter(
    (operation) => operation !== null,
  )
  if (operations.length === 0) return []
  tally.worlds++
  await using run = await WorldRun.open(opened.bench, random, surroundings)
  const problems = await run.check(operations, tally)
  return problems.length === 0 ? [] : [`WORLD=${seed}`, ...problems]
}

/** Draws several subscriptions, and returns the one that asks subgraphs most often for each event. */
function drawOperation({ engine }: Bench, random: Random): SuiteOperation | null {
  const drawn = Array.from({ length: DRAWN_FOR_EACH }, () => generateSubscription(engine, random)).filter(
    (operation) => operation !== null,
  )
  const callsOf = (operation: SuiteOperation): number => engine.plan(operation).fetches.length
  const [most = null] = drawn.toSorted((one, other) => callsOf(other) - callsOf(one))
  return most
}

/** A client with what it must get. */
type Subscriber = {
  readonly reader: Reader
  readonly operation: SuiteOperation
  readonly user: User
  readonly way: string
  /** Whether its source is never opened, since this user may not see the root field. */
  readonly isDenied: boolean
}

/** One server for each user, which throws what that user may not see. */
type Side = { readonly monolith: Monolith; readonly spilled: (document: string) => readonly string[] }

class WorldRun implements AsyncDisposable {
  readonly #bench: Bench
  readonly #random: Random
  readonly #surroundings: Surroundings
  readonly #stack = new AsyncDisposableStack()
  readonly #subgraphs: WorldSubgraphs
  readonly #router: TestRouter
  readonly #graph: Graph
  readonly #sides: ReadonlyMap<User, Side>
  /** The event that the one servers answer for. */
  #event = 0

  static async open(bench: Bench, random: Random, surroundings: Surroundings): Promise<WorldRun> {
    await using stack = new AsyncDisposableStack()
    const subgraphs = stack.use(await WorldSubgraphs.serve(bench))
    const isProtected = random.chance(70)
    const { sdl, protection } = isProtected
      ? protect(
          bench.supergraphSdl,
          bench.monolith.world,
          (below) => random.below(below),
          random.pick([3, 8]),
        )
      : { sdl: bench.supergraphSdl, protection: new Map() }
    const folder = stack.use(await temporaryDirectory())
    const path = join(folder.path, 'supergraph.graphql')
    await writeFile(path, subgraphs.addressed(sdl))
    const settings = settingsOf(subgraphs.names, random, surroundings)
    // Progressive overrides draw for each request: here none is active, as in the subgraphs.
    const overrides = { random: () => 0.99 }
    const router = stack.use(await start({ kind: 'supergraph', path }, { settings, overrides }))
    await router.ready
    const graph = openGraph(compileSupergraph(sdl))
    const parts = { bench, random, surroundings, subgraphs, router, graph, protection }
    return new WorldRun(parts, stack.move())
  }

  private constructor(
    parts: {
      readonly bench: Bench
      readonly random: Random
      readonly surroundings: Surroundings
      readonly subgraphs: WorldSubgraphs
      readonly router: TestRouter
      readonly graph: Graph
      readonly protection: Protection
    },
    stack: AsyncDisposableStack,
  ) {
    this.#bench = parts.bench
    this.#random = parts.random
    this.#surroundings = parts.surroundings
    this.#subgraphs = parts.subgraphs
    this.#router = parts.router
    this.#graph = parts.graph
    this.#stack.use(stack)
    this.#sides = this.#sidesUnder(parts.protection)
  }

  async check(operations: readonly SuiteOperation[], tally: Tally): Promise<readonly string[]> {
    const subscribers = await this.#subscribe(operations)
    const phases: (readonly number[])[] = []
    for (const [phase, length] of PHASES.entries()) {
      if (phase === 1) this.#failSome()
      else this.#subgraphs.failing.clear()
      const events = Array.from({ length }, () => this.#random.below(1000))
      phases.push(events)
      await this.#subgraphs.send(events)
      const count = phases.flat().length
      await waitFor(`${count} events`, () =>
        subscribers.every(
          ({ reader, isDenied }) => isDenied || reader.end() !== null || reader.results().length >= count,
        ),
      )
    }
    this.#subgraphs.end()
    await waitFor('the end', () => subscribers.every(({ reader }) => reader.end() !== null))
    const problems: string[] = []
    for (const subscriber of subscribers) {
      for (const problem of await this.#judge(subscriber, phases, tally))
        problems.push(this.#context(subscriber), problem)
    }
    return [...problems, ...this.#subgraphs.complaints(), ...this.#spilled()]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  async #subscribe(operations: readonly SuiteOperation[]): Promise<readonly Subscriber[]> {
    const bodies = new Set<string>()
    const before = this.#surroundings.served()
    const subscribers: Subscriber[] = []
    for (const operation of operations) {
      for (let count = 0; count < READERS_OF_EACH; count++) {
        const user = this.#random.pick(USER_NAMES)
        const way = this.#random.pick(WAYS)
        const body = sourceBody(this.#graph, operation, holderOf(user))
        if (body !== null) bodies.add(body)
        const headers = this.#surroundings.headersOf(user)
        const reader = await openReader(way, this.#router, operation, headers)
        this.#stack.defer(() => reader.leave())
        subscribers.push({ reader, operation, user, way, isDenied: body === null })
      }
    }
    const live = subscribers.filter(({ isDenied }) => !isDenied)
    await waitFor(
      'all subscriptions',
      () =>
        live.some(({ reader }) => reader.end() !== null) ||
        this.#surroundings.served() === before + live.length,
    )
    await this.#subgraphs.opened(bodies)
    return subscribers
  }

  #failSome(): void {
    const { names, failing } = this.#subgraphs
    failing.set(this.#random.pick(names), this.#random.pick(FAILURES))
    for (const name of names) if (this.#random.chance(25)) failing.set(name, this.#random.pick(FAILURES))
  }

  async #judge(
    { reader, operation, user, isDenied }: Subscriber,
    phases: readonly (readonly number[])[],
    tally: Tally,
  ): Promise<readonly string[]> {
    const results = reader.results()
    if (reader.end() !== 'complete') return [`it did not end as it should: ${JSON.stringify(results.at(-1))}`]
    if (isDenied) {
      tally.denied++
      if (results.length !== 1) return [`it had ${results.length} events, and its user may see none`]
      return differences(await this.#expected(operation, user, 0), results[0], operation)
    }
    const all = phases.flatMap((events, phase) => events.map((event) => ({ event, isLossy: phase === 1 })))
    if (results.length !== all.length) return [`it had ${results.length} of ${all.length} events`]
    const computed = Object.keys(this.#bench.suite.computed ?? {}).map(
      (coordinate) => coordinate.split('.')[1],
    )
    const isComputed = keysOf(operation, new Set(computed.filter((name) => name !== undefined)))
    const problems: string[] = []
    for (const [index, { event, isLossy }] of all.entries()) {
      const expected = await this.#expected(operation, user, event)
      const exact = differences(expected, results[index], operation)
      const wrong = isLossy ? foreignValues(expected, results[index], isComputed) : exact
      tally.event({ isExact: exact.length === 0, isLossy, expected })
      if (wrong.length > 0) problems.push(`event ${index}, number ${event}:\n${wrong.join('\n')}`)
    }
    return problems
  }

  async #expected(operation: SuiteOperation, user: User, event: number): Promise<OracleAnswer> {
    const side = this.#sides.get(user)
    if (side === undefined) throw new Error(`There is no user ${user}`)
    this.#event = event
    return await side.monolith.answer(operation)
  }

  #sidesUnder(protection: Protection): ReadonlyMap<User, Side> {
    const { suite } = this.#bench
    const tables = () => ({ ...suite.tables?.(), ...eventTable(this.#event) })
    const keys = keyNames(this.#bench.supergraphSdl)
    return new Map(
      USER_NAMES.map((user) => {
        const monolith = createMonolith({ ...suite, tables })
        const holder = holderOf(user)
        guard(monolith.world, protection, holder)
        const spilled = (document: string) =>
          fetchedInSpite(document, monolith.world, { protection, holder, keys })
        return [user, { monolith, spilled }]
      }),
    )
  }

  /** Returns the documents that no user may have caused. */
  #spilled(): readonly string[] {
    return [...new Set(this.#subgraphs.documents)]
      .filter((document) => [...this.#sides.values()].every(({ spilled }) => spilled(document).length > 0))
      .map((document) => `nobody may see what was fetched: ${document}`)
  }

  #context({ operation, user, way }: Subscriber): string {
    return `${describeCase(this.#bench.world, operation)}\n# as ${user}, over a ${way}`
  }
}

function settingsOf(names: readonly string[], random: Random, { authentication }: Surroundings): string {
  const protocolOf = () => ({ subscriptions: { protocol: random.pick(['graphql-transport-ws', 'sse']) } })
  return JSON.stringify({
    subscriptions: { enabled: true, queue: { max_events: 1000 }, parallel_events: random.pick([1, 4, 16]) },
    subgraphs: { overrides: Object.fromEntries(names.map((name) => [name, protocolOf()])) },
    authentication,
    authorization: AUTHORIZATION,
    access_log: { enabled: false },
  })
}
