/** A composition of a world with access rules, and what one server answers under them. */
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
import { type Bench, eventTable } from '@switchyard/corpus/events'
import {
  compileSupergraph,
  type Graph,
  grantedBy,
  openGraph,
  planOperation,
  prepareOperation,
  sourceRequest,
} from '@switchyard/engine'
import type { Random } from '@switchyard/samples'
import { holderOf, type User, USER_NAMES } from '../../concerns/authorization/users.ts'

/** One server for each user, which throws what that user may not see. */
type Side = { readonly monolith: Monolith; readonly spilled: (document: string) => readonly string[] }

export class Rules {
  readonly supergraphSdl: string
  readonly #graph: Graph
  readonly #sides: ReadonlyMap<User, Side>
  /** The event that the one servers answer for. */
  #event = 0

  /** Draws rules; some compositions have none. */
  static draw(bench: Bench, random: Random): Rules {
    const { supergraphSdl } = bench
    if (random.chance(30)) return new Rules(bench, supergraphSdl, new Map())
    const below = (limit: number): number => random.below(limit)
    const { sdl, protection } = protect(supergraphSdl, bench.monolith.world, below, random.pick([3, 8]))
    return new Rules(bench, sdl, protection)
  }

  private constructor({ suite, supergraphSdl }: Bench, sdl: string, protection: Protection) {
    this.supergraphSdl = sdl
    this.#graph = openGraph(compileSupergraph(sdl))
    const tables = () => ({ ...suite.tables?.(), ...eventTable(this.#event) })
    const keys = keyNames(supergraphSdl)
    this.#sides = new Map(
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

  /**
   * Returns the body of the request that a router opens the source of a subscription with. Null if there is
   * no source, since the user may not see the root field.
   */
  sourceBody({ query, variables }: SuiteOperation, user: User): string | null {
    const prepared = prepareOperation(this.#graph, { document: query, subscriptions: true })
    const coerced = prepared.coerceVariables({ ...variables })
    const granted = grantedBy(prepared, holderOf(user))
    const plan = planOperation(prepared, coerced, { labels: new Set(), granted })
    return sourceRequest(this.#graph, plan, coerced)?.body ?? null
  }

  /** Returns what access rules say of the operation: the same text for users with the same rights in it. */
  decision({ query }: SuiteOperation, user: User): string {
    const holder = holderOf(user)
    const prepared = prepareOperation(this.#graph, { document: query, subscriptions: true })
    return JSON.stringify([holder.isAuthenticated, [...grantedBy(prepared, holder)]])
  }

  async expected(operation: SuiteOperation, user: User, event: number): Promise<OracleAnswer> {
    const side = this.#sides.get(user)
    if (side === undefined) throw new Error(`There is no user ${user}`)
    this.#event = event
    return await side.monolith.answer(operation)
  }

  /** Whether some user may see all that this document of a subgraph asks for. */
  allows(document: string): boolean {
    return [...this.#sides.values()].some(({ spilled }) => spilled(document).length === 0)
  }
}
