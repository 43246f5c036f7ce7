/** Collects fields per object type: fragments inlined, type conditions decided, conditions applied, keys merged. */
import { type DirectiveNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import { collectVariables, printArguments } from '../graph/canonical-arguments.ts'
import { fieldOf, type Graph, namedType, printTypeRef, typeOf } from '../graph/graph.ts'
import type { Budget } from '../plan/budget.ts'
import type { TypeId } from '../plan/plan.ts'
import type { Fragments } from './fragments.ts'
import type { Goal, Selection } from './normalised.ts'
import { Wants } from './wants.ts'

/** Object types for which a field node counts. Sets are interned: same members, same object. */
type TypeSet = { readonly key: string; readonly types: ReadonlySet<TypeId> }
/** What object types have in common: goals of one type, and what is selected below fields that differ in null alone. */
type Shared = { readonly goals: Map<string, Goal>; readonly children: Map<string, Selection> }
type Entry = { readonly node: FieldNode; readonly on: TypeSet }

export class Normaliser {
  /** The `__schema` and `__type` nodes of the root, in order. */
  readonly introspectionFields: FieldNode[] = []
  readonly #graph: Graph
  readonly #fragments: Fragments
  readonly #booleans: ReadonlyMap<string, unknown>
  /** Overlapping conditions at every level can double the selections with each level. */
  readonly #budget: Budget
  readonly #sets = new Map<string, TypeSet>()
  readonly #wants = new Wants()

  constructor(graph: Graph, fragments: Fragments, booleans: ReadonlyMap<string, unknown>, budget: Budget) {
    this.#budget = budget
    this.#graph = graph
    this.#fragments = fragments
    this.#booleans = booleans
  }

  root(type: TypeId, set: SelectionSetNode): Selection {
    return this.#selection(type, [set], true)
  }

  #selection(type: TypeId, sets: readonly SelectionSetNode[], isRoot: boolean): Selection {
    const visible = typeOf(this.#graph, type).possible.filter((id) => !typeOf(this.#graph, id).inaccessible)
    const all = this.#intern(visible)
    const entries: Entry[] = []
    const seen = new Set<string>()
    for (const set of sets) this.#flatten(set, all, entries, seen)
    const places = new Map(entries.map(({ node }, index) => [node, index]))
    const classes = new Map<string, readonly Goal[]>()
    const shared: Shared = { goals: new Map(), children: new Map() }
    const same = this.#wants.place()
    const byType = new Map<TypeId, readonly Goal[]>()
    for (const object of visible) {
      this.#budget.step(1 + entries.length / 4)
      const own = entries.flatMap((entry, index) => (entry.on.types.has(object) ? [index] : []))
      const signature = `${own.join(',')}|${this.#fieldTypes(object, own, entries)}`
      let goals = classes.get(signature)
      if (goals === undefined) {
        const nodes = own.flatMap((index) => entries[index]?.node ?? [])
        goals = same.list(this.#goals(object, nodes, shared, places, isRoot).map((goal) => same.goal(goal)))
        classes.set(signature, goals)
      }
      byType.set(object, goals)
    }
    return this.#wants.note({ type, byType })
  }

  /** Two object types share their goals only if the selected fields have the same types. */
  #fieldTypes(object: TypeId, own: readonly number[], entries: readonly Entry[]): string {
    return own
      .map((index) => {
        const name = entries[index]?.node.name.value ?? ''
        const field = fieldOf(this.#graph, object, name)
        return field === undefined ? name : printTypeRef(this.#graph, field.type)
      })
      .join(',')
  }

  #flatten(set: SelectionSetNode, on: TypeSet, entries: Entry[], seen: Set<string>): void {
    this.#budget.step(set.selections.length / 2 + on.types.size / 16)
    for (const node of set.selections) {
      if (!this.#included(node.directives)) continue
      if (node.kind === Kind.FIELD) {
        entries.push({ node, on })
        continue
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : undefined
      const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragment
      if (body === undefined) continue
      const narrowed = this.#narrow(on, body.typeCondition?.name.value)
      if (narrowed.types.size === 0) continue
      if (fragment !== undefined) {
        const visit = `${fragment.name.value}|${narrowed.key}`
        if (seen.has(visit)) continue
        seen.add(visit)
      }
      this.#flatten(body.selectionSet, narrowed, entries, seen)
    }
  }

  #goals(
    object: TypeId,
    nodes: readonly FieldNode[],
    shared: Shared,
    places: ReadonlyMap<FieldNode, number>,
    isRoot: boolean,
  ): readonly Goal[] {
    this.#budget.step(nodes.length)
    const byKey = new Map<string, Set<FieldNode>>()
    for (const node of nodes) {
      const key = node.alias?.value ?? node.name.value
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, new Set([node]))
      else same.add(node)
    }
    const goals: Goal[] = []
    for (const [key, same] of byKey) {
      const [first] = same
      if (first === undefined) continue
      const name = first.name.value
      if (name === '__typename') goals.push({ kind: 'typename', key, group: 0 })
      else if (isRoot && (name === '__schema' || name === '__type')) {
        this.introspectionFields.push(...same)
        goals.push({ kind: 'introspection', key, group: 0 })
      } else {
        const field = fieldOf(this.#graph, object, name)
        if (field === undefined) continue
        const indices = [...same].map((node) => places.get(node))
        const identity = `${key}|${printTypeRef(this.#graph, field.type)}|${indices.join(',')}`
        let goal = shared.goals.get(identity)
        if (goal === undefined) {
          const variables = new Set<string>()
          for (const argument of first.arguments ?? []) collectVariables(argument.value, variables)
          const sets = [...same].flatMap((node) => node.selectionSet ?? [])
          const target = namedType(field.type)
          const below = `${target}|${indices.join(',')}`
          const child =
            sets.length === 0 ? null : (shared.children.get(below) ?? this.#selection(target, sets, false))
          if (child !== null) shared.children.set(below, child)
          goal = {
            kind: 'field',
            key,
            name,
            args: printArguments(first.arguments),
            variables: [...variables],
            type: field.type,
            child,
            group: 0,
            whole: null,
          }
          shared.goals.set(identity, goal)
        }
        goals.push(goal)
      }
    }
    return goals
  }

  #included(directives: readonly DirectiveNode[] | undefined): boolean {
    for (const directive of directives ?? []) {
      const name = directive.name.value
      if (name !== 'skip' && name !== 'include') continue
      const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value
      const condition =
        value?.kind === Kind.BOOLEAN
          ? value.value
          : value?.kind === Kind.VARIABLE && this.#booleans.get(value.name.value) === true
      if (condition === (name === 'skip')) return false
    }
    return true
  }

  /** Always by the supergraph's `implements`: a subgraph may not know that an object has the interface. */
  #narrow(on: TypeSet, condition: string | undefined): TypeSet {
    if (condition === undefined) return on
    const id = this.#graph.typeByName.get(condition)
    if (id === undefined) return this.#intern([])
    const possible = new Set(typeOf(this.#graph, id).possible)
    return this.#intern([...on.types].filter((type) => possible.has(type)))
  }

  #intern(types: readonly TypeId[]): TypeSet {
    const key = types.join(',')
    let set = this.#sets.get(key)
    if (set === undefined) {
      set = { key, types: new Set(types) }
      this.#sets.set(key, set)
    }
    return set
  }
}
