/**
 * How long the answer to each fetch of a plan may be kept, as far as the schema says it by `@cacheControl`.
 *
 * By the rules of Apollo Server: what a field says wins over what its type says; a field at the root, and one
 * of an object type, that says no maximum age may not be kept (or has the age that is assumed), unless it
 * inherits that of its parent; any other field is kept with its parent. Here a fetch stands for what a server
 * answers, so objects that a fetch is made for count as fields of it.
 */
import type { CacheHint, CompiledCacheHints } from '../graph/compiled/compiled-graph.ts'
import { type Graph, typeOf } from '../graph/graph.ts'
import type { FetchId, TypeId } from '../ids/ids.ts'
import type { ObjectShape, Plan, ShapeField, ShapeNode } from '../plan/contract/plan.ts'

/** The most restrictive of several cache hints. */
export type CacheLimit = {
  /** Seconds; Infinity: nothing is said. */
  readonly maxAge: number
  readonly isPrivate: boolean
}

/** The cache limits of the fields that one fetch gives. */
export type FetchHints = {
  /** The limit that the schema states explicitly. */
  readonly said: CacheLimit
  /**
   * The stated limit, where the default maximum age replaces each age that the schema should state and does
   * not.
   */
  readonly assumed: CacheLimit
}

const UNLIMITED: CacheLimit = { maxAge: Number.POSITIVE_INFINITY, isPrivate: false }
const NOTHING: FetchHints = { said: UNLIMITED, assumed: UNLIMITED }

/** Returns the limit that keeps to both limits: the lower age, and private if one of them is. */
export function strictest(a: CacheLimit, b: CacheLimit): CacheLimit {
  return { maxAge: Math.min(a.maxAge, b.maxAge), isPrivate: a.isPrivate || b.isPrivate }
}

/** Computes the cache hints of plans, once for each plan. */
export class CacheHints {
  readonly #defaultMaxAge: number
  readonly #plans = new WeakMap<Plan, readonly FetchHints[]>()

  /** `defaultMaxAge` is assumed where a field should state its maximum age and does not, in seconds. */
  constructor(defaultMaxAge: number) {
    this.#defaultMaxAge = defaultMaxAge
  }

  /**
   * Returns the hints of the plan's fetches, indexed by fetch id, or null if the schema has no cache hints.
   */
  of(graph: Graph, plan: Plan): readonly FetchHints[] | null {
    const { cacheHints } = graph.compiled
    if (cacheHints === null) return null
    let hints = this.#plans.get(plan)
    if (hints === undefined) {
      hints = new PlanHints(graph, plan, cacheHints, this.#defaultMaxAge).byFetch
      this.#plans.set(plan, hints)
    }
    return hints
  }
}

class PlanHints {
  readonly byFetch: FetchHints[]
  readonly #graph: Graph
  readonly #hints: CompiledCacheHints
  readonly #defaultMaxAge: number
  /** Shapes that were looked at, with the fetches that gave their objects. */
  readonly #seen = new Map<ObjectShape, Set<FetchId | null>>()

  constructor(graph: Graph, plan: Plan, hints: CompiledCacheHints, defaultMaxAge: number) {
    this.#graph = graph
    this.#hints = hints
    this.#defaultMaxAge = defaultMaxAge
    this.byFetch = plan.fetches.map(() => NOTHING)
    this.#object(plan.shape, null)
  }

  /** Adds the fields of an object. `from` is the fetch that gave the object, or null at the root. */
  #object(shape: ObjectShape, from: FetchId | null): void {
    const seen = this.#seen.get(shape) ?? new Set()
    if (seen.has(from)) return
    this.#seen.set(shape, seen.add(from))
    for (const { fields } of shape.cases)
      for (const field of fields) if (field.kind === 'field') this.#field(field, from)
  }

  #field(field: ShapeField & { readonly kind: 'field' }, from: FetchId | null): void {
    const { fetch, node, parentType, name } = field
    if (node.kind === 'denied') return
    const parent = typeOf(this.#graph, parentType).name
    const hint = this.#hints.fields.get(`${parent}.${name}`) ?? null
    const object = objectIn(node)
    const ofType = object === null ? null : this.#typeHint(object.type)
    // The object that the fetch was made for is what it was asked for first.
    if (from !== null && from !== fetch) this.#add(fetch, this.#typeHint(parentType), null, true)
    this.#add(fetch, ofType, hint, from === null || object !== null)
    if (object !== null) this.#object(object, fetch)
  }

  #typeHint(type: TypeId): CacheHint | null {
    return this.#hints.types.get(typeOf(this.#graph, type).name) ?? null
  }

  /**
   * Adds the hints of a field. `needsAge` means that the default maximum age holds if the field states none.
   */
  #add(fetch: FetchId, ofType: CacheHint | null, ofField: CacheHint | null, needsAge: boolean): void {
    const known = this.byFetch[fetch] ?? NOTHING
    const maxAge = ofField?.maxAge ?? (ofField?.inherits === true ? null : (ofType?.maxAge ?? null))
    const inherits = ofField?.inherits === true || (ofField?.maxAge == null && ofType?.inherits === true)
    const isPrivate = ofField?.isPrivate === true || ofType?.isPrivate === true
    const said = { maxAge: maxAge ?? Number.POSITIVE_INFINITY, isPrivate }
    const isAssumed = maxAge === null && needsAge && !inherits
    const assumed = isAssumed ? { maxAge: this.#defaultMaxAge, isPrivate } : said
    this.byFetch[fetch] = { said: strictest(known.said, said), assumed: strictest(known.assumed, assumed) }
  }
}

function objectIn(node: ShapeNode): ObjectShape | null {
  let inner = node
  while (inner.kind === 'list') inner = inner.item
  return inner.kind === 'object' ? inner : null
}
