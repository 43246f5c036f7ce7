/**
 * One generated world: users with random rights subscribe through a real router, and every event that they
 * get is held against what one server answers to them.
 */
import type { SuiteOperation } from '@switchyard/corpus'
import {
  type Bench,
  describeCase,
  generateSubscription,
  generateWorld,
  openWorld,
  withSubscriptions,
} from '@switchyard/corpus/events'
import { Random } from '@switchyard/samples'
import { waitFor } from '@switchyard/testkit'
import { SUBSCRIPTION_MOVES, SUBSCRIPTIONS } from '../../../src/subscriptions/metrics.ts'
import { AUTHORIZATION, type User, USER_NAMES } from '../../concerns/authorization/users.ts'
import { packed } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { routerOn, type TestRouter } from '../../support/router.ts'
import { differences, foreignValues, keysOf } from './judge.ts'
import { openReader, type Reader, WAYS } from './readers.ts'
import { Rules } from './rules.ts'
import { FAILURES, WorldSubgraphs } from './subgraphs.ts'
import type { Tally } from './tally.ts'

/** The parts that all worlds share. */
export type Surroundings = {
  /** The section `authentication` of the settings. */
  readonly authentication: unknown
  readonly headersOf: (user: User) => Record<string, string>
  /** Returns the sum of a metric of all routers of this process. */
  readonly sumOf: (metric: string) => number
  /** Who shares completions; null if each world draws it. */
  readonly shareBy: ShareBy | null
}

const SHARE_BY = ['token', 'decision'] as const
export type ShareBy = (typeof SHARE_BY)[number]

const OPERATIONS = 4
/** Most operations that are drawn stay within one subgraph. */
const DRAWN_FOR_EACH = 5
const READERS_OF_EACH = 3
/** The events of each phase: in the second one subgraphs fail, and the last one has other access rules. */
const PHASES = [7, 5, 4, 5] as const
const FAILING_PHASE = 1
const PHASE_OF_OTHER_RULES = 3

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
  /** The source by the first rules and by the other ones; null if this user may not see the root field. */
  readonly source: string | null
  readonly nextSource: string | null
  /** The outcome of the first rules; the same text for users with the same rights in the operation. */
  readonly decision: string
}

/** An event that was sent, and the rules by which it was completed. */
type Sent = { readonly event: number; readonly phase: number; readonly rules: Rules }

class WorldRun implements AsyncDisposable {
  readonly #bench: Bench
  readonly #random: Random
  readonly #surroundings: Surroundings
  readonly #shareBy: ShareBy
  readonly #stack: AsyncDisposableStack
  readonly #subgraphs: WorldSubgraphs
  readonly #rules: Rules
  /** The rules of the last phase. */
  readonly #otherRules: Rules
  readonly #router: TestRouter
  readonly #config: ConfigWorld
  #subscribers: readonly Subscriber[] = []

  static async open(bench: Bench, random: Random, surroundings: Surroundings): Promise<WorldRun> {
    await using stack = new AsyncDisposableStack()
    const subgraphs = stack.use(await WorldSubgraphs.serve(bench))
    const rules = [Rules.draw(bench, random), Rules.draw(bench, random)] as const
    const config = stack.use(await ConfigWorld.create())
    await publish(config, 1, rules[0], subgraphs)
    const shareBy = surroundings.shareBy ?? random.pick(SHARE_BY)
    const settings = settingsOf(subgraphs.names, random, { ...surroundings, shareBy })
    // Progressive overrides draw for each request: here none is active, as in the subgraphs.
    const overrides = { random: () => 0.99 }
    const router = stack.use(await routerOn(config, { settings, overrides }))
    await router.ready
    return new WorldRun(
      { bench, random, surroundings, shareBy },
      { subgraphs, rules, router, config },
      stack.move(),
    )
  }

  private constructor(
    given: {
      readonly bench: Bench
      readonly random: Random
      readonly surroundings: Surroundings
      readonly shareBy: ShareBy
    },
    opened: {
      readonly subgraphs: WorldSubgraphs
      readonly rules: readonly [Rules, Rules]
      readonly router: TestRouter
      readonly config: ConfigWorld
    },
    stack: AsyncDisposableStack,
  ) {
    this.#bench = given.bench
    this.#random = given.random
    this.#surroundings = given.surroundings
    this.#shareBy = given.shareBy
    this.#subgraphs = opened.subgraphs
    ;[this.#rules, this.#otherRules] = opened.rules
    this.#router = opened.router
    this.#config = opened.config
    this.#stack = stack
  }

  async check(operations: readonly SuiteOperation[], tally: Tally): Promise<readonly string[]> {
    const subscribers = await this.#subscribe(operations)
    this.#subscribers = subscribers
    const sent: Sent[] = []
    for (const [phase, length] of PHASES.entries()) {
      this.#subgraphs.failing.clear()
      if (phase === FAILING_PHASE) this.#failSome()
      if (phase === PHASE_OF_OTHER_RULES) await this.#serveOtherRules(subscribers)
      const events = Array.from({ length }, () => this.#random.below(1000))
      const rules = phase === PHASE_OF_OTHER_RULES ? this.#otherRules : this.#rules
      sent.push(...events.map((event) => ({ event, phase, rules })))
      await this.#subgraphs.send(events)
      await waitFor(`${sent.length} events`, () =>
        subscribers.every(({ reader }) => reader.end() !== null || reader.results().length >= sent.length),
      )
    }
    this.#subgraphs.end()
    await waitFor('the end', () => subscribers.every(({ reader }) => reader.end() !== null))
    const problems: string[] = []
    for (const subscriber of subscribers) {
      for (const problem of await this.#judge(subscriber, sent, tally))
        problems.push(this.#context(subscriber), problem)
    }
    return [...problems, ...this.#subgraphs.complaints(), ...this.#spilled()]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  async #subscribe(operations: readonly SuiteOperation[]): Promise<readonly Subscriber[]> {
    const before = this.#surroundings.sumOf(SUBSCRIPTIONS.name)
    const subscribers: Subscriber[] = []
    for (const operation of operations) {
      for (let count = 0; count < READERS_OF_EACH; count++) {
        const user = this.#random.pick(USER_NAMES)
        const way = this.#random.pick(WAYS)
        const source = this.#rules.sourceBody(operation, user)
        const nextSource = this.#otherRules.sourceBody(operation, user)
        const reader = await openReader(way, this.#router, operation, this.#surroundings.headersOf(user))
        this.#stack.defer(() => reader.leave())
        const decision = this.#rules.decision(operation, user)
        subscribers.push({ reader, operation, user, way, source, nextSource, decision })
      }
    }
    const live = subscribers.filter(({ source }) => source !== null)
    await waitFor('all subscriptions', () => {
      const count = this.#surroundings.sumOf(SUBSCRIPTIONS.name) - before
      return count === live.length || live.some(({ reader }) => reader.end() !== null)
    })
    await this.#subgraphs.opened(new Set(live.map(({ source }) => source ?? '')))
    return subscribers
  }

  /** Serves the other rules, and waits until all subscriptions have moved to them, or have ended. */
  async #serveOtherRules(subscribers: readonly Subscriber[]): Promise<void> {
    if (this.#rules.supergraphSdl === this.#otherRules.supergraphSdl) return
    const before = this.#surroundings.sumOf(SUBSCRIPTION_MOVES.name)
    await publish(this.#config, 2, this.#otherRules, this.#subgraphs)
    const live = subscribers.filter(({ source }) => source !== null)
    const moving = live.filter(({ source, nextSource }) => source === nextSource)
    await waitFor('all subscriptions to move or end', () => {
      const moved = this.#surroundings.sumOf(SUBSCRIPTION_MOVES.name) - before
      const others = live.filter((one) => !moving.includes(one))
      return moved >= moving.length && others.every(({ reader }) => reader.end() !== null)
    })
  }

  #failSome(): void {
    const { names, failing } = this.#subgraphs
    failing.set(this.#random.pick(names), this.#random.pick(FAILURES))
    for (const name of names) if (this.#random.chance(25)) failing.set(name, this.#random.pick(FAILURES))
  }

  async #judge(subscriber: Subscriber, sent: readonly Sent[], tally: Tally): Promise<readonly string[]> {
    const { reader, operation, user, source, nextSource } = subscriber
    const results = reader.results()
    if (source === null) {
      tally.denied++
      if (results.length !== 1) return [`it had ${results.length} events, and its user may see none`]
      return differences(await this.#rules.expected(operation, user, 0), results[0], operation)
    }
    const isMoved = source === nextSource
    const [end, wanted] = [reader.end(), isMoved ? 'complete' : 'SUBSCRIPTION_SCHEMA_CHANGED']
    if (end !== wanted) return [`its end was ${end} and not ${wanted}: ${JSON.stringify(results.at(-1))}`]
    const all = sent.filter(({ phase }) => isMoved || phase < PHASE_OF_OTHER_RULES)
    if (results.length !== all.length) return [`it had ${results.length} of ${all.length} events`]
    tally.ended(isMoved)
    const isShared = this.#isShared(subscriber)
    const isComputed = keysOf(operation, this.#computedFields())
    const problems: string[] = []
    for (const [index, { event, phase, rules }] of all.entries()) {
      const expected = await rules.expected(operation, user, event)
      const exact = differences(expected, results[index], operation)
      const isLossy = phase === FAILING_PHASE
      const wrong = isLossy ? foreignValues(expected, results[index], isComputed) : exact
      tally.event({ isExact: exact.length === 0, isLossy, isShared, expected })
      if (wrong.length > 0) problems.push(`event ${index}, number ${event}:\n${wrong.join('\n')}`)
    }
    return problems
  }

  /** Whether the results are those of a user with another token as well, by the first rules. */
  #isShared({ operation, user, decision }: Subscriber): boolean {
    return (
      this.#shareBy === 'decision' &&
      this.#subscribers.some(
        (other) => other.operation === operation && other.user !== user && other.decision === decision,
      )
    )
  }

  /** Returns the names of fields with `@requires`. */
  #computedFields(): ReadonlySet<string> {
    const coordinates = Object.keys(this.#bench.suite.computed ?? {})
    return new Set(coordinates.map((coordinate) => coordinate.slice(coordinate.indexOf('.') + 1)))
  }

  /** Returns the documents that no user may have caused. */
  #spilled(): readonly string[] {
    const both = [this.#rules, this.#otherRules]
    return [...new Set(this.#subgraphs.documents)]
      .filter((document) => !both.some((rules) => rules.allows(document)))
      .map((document) => `nobody may see what was fetched: ${document}`)
  }

  #context({ operation, user, way }: Subscriber): string {
    return `${describeCase(this.#bench.world, operation)}\n# as ${user}, over a ${way}`
  }
}

async function publish(
  config: ConfigWorld,
  revision: number,
  { supergraphSdl }: Rules,
  subgraphs: WorldSubgraphs,
): Promise<void> {
  const base = packed({
    formatVersion: 1,
    supergraphSdl: subgraphs.addressed(supergraphSdl),
    subgraphs: subgraphs.names.map((name) => ({ name, routingUrl: subgraphs.urlOf(name) })),
    compatibilityVersion: 'join/v0.3',
  })
  await config.publish({ revision, base })
}

function settingsOf(
  names: readonly string[],
  random: Random,
  { authentication, shareBy }: Surroundings,
): string {
  const protocolOf = () => ({ subscriptions: { protocol: random.pick(['graphql-transport-ws', 'sse']) } })
  return JSON.stringify({
    subscriptions: {
      enabled: true,
      queue: { max_events: 1000 },
      parallel_events: random.pick([1, 4, 16]),
      move_window: '100ms',
      share_by: shareBy,
    },
    subgraphs: { overrides: Object.fromEntries(names.map((name) => [name, protocolOf()])) },
    authentication,
    authorization: AUTHORIZATION,
    access_log: { enabled: false },
  })
}
