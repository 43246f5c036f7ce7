/**
 * Turns selection sets into goals for each object type: inlines fragments, decides type conditions, `@skip`
 * and `@include`, and merges fields of one response key.
 */
import { type FieldNode, Kind, type SelectionSetNode } from 'graphql'
import { collectVariables, printArguments } from '../../graph/canonical-arguments.ts'
import { fieldOf, type Graph, printTypeRef, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { GroupId, TypeId } from '../../ids/ids.ts'
import { type Conditions, isIncluded } from '../conditions.ts'
import { type DeferOwnership, NOT_DEFERRED, type Owner } from './defer-ownership.ts'
import type { Defers, DeferredFragment } from '../defers.ts'
import type { Fragments } from '../fragments.ts'
import type { DeniedGoal, FieldGoal, Goal, Selection } from './normalised.ts'
import type { CompiledField } from '../../graph/compiled/compiled-graph.ts'
import { GoalInterner } from './goal-interner.ts'

/** Object types for which a field node counts. Sets are interned: same members, same object. */
type TypeSet = { readonly key: string; readonly types: ReadonlySet<TypeId> }
/**
 * Parts that object types have in common: goals of fields that have the same type, and selections below
 * fields whose types differ only in their non-nulls.
 */
type SharedGoals = { readonly goals: Map<string, Goal>; readonly children: Map<string, Selection> }
/** A field node, the object types that it counts for, and the type that it is written on. */
type SelectedNode = { readonly node: FieldNode; readonly on: TypeSet; readonly parent: TypeId }

/** Turns the selection sets of one operation into selections of goals. */
export class Normaliser {
  /** The `__schema` and `__type` nodes of the root, in order. */
  readonly introspectionFields: FieldNode[] = []
  /** Coordinates of the fields that the request may not see. */
  readonly denied = new Set<string>()
  readonly #graph: Graph
  /** Conditions of `graph.access` that the request meets. */
  readonly #granted: ReadonlySet<number>
  readonly #fragments: Fragments
  readonly #conditions: Conditions
  /** Overlapping conditions at every level can double the selections with each level. */
  readonly #budget: Budget
  readonly #sets = new Map<string, TypeSet>()
  readonly #interner = new GoalInterner()
  readonly #defers: Defers | null
  readonly #ownership: DeferOwnership | null

  constructor(
    graph: Graph,
    fragments: Fragments,
    conditions: Conditions,
    budget: Budget,
    defers: Defers | null,
    ownership: DeferOwnership | null,
    granted: ReadonlySet<number>,
  ) {
    this.#granted = granted
    this.#budget = budget
    this.#graph = graph
    this.#fragments = fragments
    this.#conditions = conditions
    this.#defers = defers
    this.#ownership = ownership
  }

  root(type: TypeId, set: SelectionSetNode): Selection {
    return this.#selection(type, [set], true, NOT_DEFERRED)
  }

  /**
   * Returns the goals that selection sets have for the objects at one place. `owner` delivers the objects and
   * their `__typename`.
   */
  #selection(type: TypeId, sets: readonly SelectionSetNode[], isRoot: boolean, owner: Owner): Selection {
    const visible = this.#possible(type)
    const all = this.#intern(visible)
    const entries: SelectedNode[] = []
    const seen = new Set<string>()
    const anchored = new Map<GroupId, readonly TypeId[]>()
    for (const set of sets) this.#flatten(set, all, type, entries, seen, anchored)
    const places = new Map(entries.map(({ node }, index) => [node, index]))
    const classes = new Map<string, readonly Goal[]>()
    const shared: SharedGoals = { goals: new Map(), children: new Map() }
    const same = this.#interner.place()
    const byType = new Map<TypeId, readonly Goal[]>()
    for (const object of visible) {
      this.#budget.step(1 + entries.length / 4)
      const own = entries.flatMap((entry, index) => (entry.on.types.has(object) ? [index] : []))
      const signature = `${own.join(',')}|${this.#fieldTypes(object, own, entries)}`
      let goals = classes.get(signature)
      if (goals === undefined) {
        const nodes = own.flatMap((index) => entries[index] ?? [])
        goals = same.list(
          this.#goals(object, nodes, shared, places, isRoot, owner).map((goal) => same.goal(goal)),
        )
        classes.set(signature, goals)
      }
      byType.set(object, goals)
    }
    const selection = this.#interner.note({ type, byType })
    if (anchored.size > 0) this.#ownership?.anchor(selection, anchored)
    return selection
  }

  /**
   * The object types that clients may see; all of them if an interface object has objects of a type whose
   * object types are all hidden: whatever does not depend on the type can be answered for these objects.
   */
  #possible(type: TypeId): readonly TypeId[] {
    const { possible, presence } = typeOf(this.#graph, type)
    const visible = possible.filter((id) => !typeOf(this.#graph, id).inaccessible)
    return visible.length === 0 && presence.some(({ interfaceObject }) => interfaceObject)
      ? possible
      : visible
  }

  /** Whether the request may not see a field of objects of this type. */
  #isDenied(object: TypeId, { node, parent }: SelectedNode): boolean {
    const { access } = this.#graph
    if (access === null) return false
    const isUnmet = (number: number) => !this.#granted.has(number)
    const name = node.name.value
    return (
      access.ofField(object, name).some(isUnmet) ||
      (parent !== object && access.ofField(parent, name).some(isUnmet))
    )
  }

  /**
   * A text for the types of the selected fields, and for which of them may be seen: object types share goals
   * only if their texts are equal.
   */
  #fieldTypes(object: TypeId, own: readonly number[], entries: readonly SelectedNode[]): string {
    return own
      .map((index) => {
        const entry = entries[index]
        const name = entry?.node.name.value ?? ''
        if (entry !== undefined && this.#isDenied(object, entry)) return `${object}`
        const field = fieldOf(this.#graph, object, name)
        return field === undefined ? name : printTypeRef(this.#graph, field.type)
      })
      .join(',')
  }

  /** Collects the fields of a selection set and of its fragments, with the object types they count for. */
  #flatten(
    set: SelectionSetNode,
    on: TypeSet,
    parent: TypeId,
    entries: SelectedNode[],
    seen: Set<string>,
    anchored: Map<GroupId, readonly TypeId[]>,
  ): void {
    this.#budget.step(set.selections.length / 2 + on.types.size / 16)
    for (const node of set.selections) {
      if (!isIncluded(node.directives, this.#conditions)) continue
      if (node.kind === Kind.FIELD) {
        entries.push({ node, on, parent })
        continue
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : undefined
      const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragment
      if (body === undefined) continue
      const narrowed = this.#narrow(on, body.typeCondition?.name.value)
      if (narrowed.types.size === 0) continue
      const condition = body.typeCondition && this.#graph.typeByName.get(body.typeCondition.name.value)
      if (fragment !== undefined) {
        const spread = `${fragment.name.value}|${narrowed.key}`
        if (seen.has(spread)) continue
        seen.add(spread)
      }
      const deferred = node.kind === Kind.INLINE_FRAGMENT ? this.#defers?.on.get(node) : undefined
      if (deferred !== undefined) anchored.set(deferred.id, [...narrowed.types])
      this.#flatten(body.selectionSet, narrowed, condition ?? parent, entries, seen, anchored)
    }
  }

  #goals(
    object: TypeId,
    entries: readonly SelectedNode[],
    shared: SharedGoals,
    places: ReadonlyMap<FieldNode, number>,
    isRoot: boolean,
    owner: Owner,
  ): readonly Goal[] {
    this.#budget.step(entries.length)
    const byKey = new Map<string, Set<FieldNode>>()
    // A field that may not be seen in one of the places where it is selected is not seen at all.
    const deniedKeys = new Set<string>()
    for (const entry of entries) {
      const { node } = entry
      const key = node.alias?.value ?? node.name.value
      if (this.#isDenied(object, entry)) deniedKeys.add(key)
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, new Set([node]))
      else same.add(node)
    }
    return [...byKey].flatMap(([key, same]) =>
      deniedKeys.has(key)
        ? (this.#deniedGoal(object, key, same, owner) ?? [])
        : (this.#goal(object, key, same, shared, places, isRoot, owner) ?? []),
    )
  }

  /**
   * Returns the goal that replaces a field which the request may not see; null if the object type has no such
   * field.
   */
  #deniedGoal(object: TypeId, key: string, nodes: ReadonlySet<FieldNode>, owner: Owner): DeniedGoal | null {
    const [first] = nodes
    if (first === undefined) return null
    const name = first.name.value
    const field = fieldOf(this.#graph, object, name)
    const isTypename = name === '__typename'
    if (field === undefined && !name.startsWith('__')) return null
    this.denied.add(`${typeOf(this.#graph, object).name}.${name}`)
    const nonNull = field === undefined ? name !== '__type' : field.type.nonNull
    return { kind: 'denied', key, name, nonNull, ...(isTypename ? owner : this.#ownerOf(nodes)) }
  }

  /** The goal of the field nodes that share a response key; null if the object type has no such field. */
  #goal(
    object: TypeId,
    key: string,
    nodes: ReadonlySet<FieldNode>,
    shared: SharedGoals,
    places: ReadonlyMap<FieldNode, number>,
    isRoot: boolean,
    owner: Owner,
  ): Goal | null {
    const [first] = nodes
    if (first === undefined) return null
    const name = first.name.value
    if (name === '__typename') return { kind: 'typename', key, ...owner }
    if (isRoot && (name === '__schema' || name === '__type')) {
      this.introspectionFields.push(...nodes)
      return { kind: 'introspection', key, ...this.#ownerOf(nodes) }
    }
    const field = fieldOf(this.#graph, object, name)
    if (field === undefined) return null
    const indices = [...nodes].map((node) => places.get(node)).join(',')
    const identity = `${key}|${printTypeRef(this.#graph, field.type)}|${indices}`
    let goal = shared.goals.get(identity)
    if (goal === undefined) {
      goal = this.#fieldGoal(field, key, nodes, first, shared.children, indices)
      shared.goals.set(identity, goal)
    }
    return goal
  }

  /**
   * `children`: selections below fields that were made before, by type and by the `indices` of their nodes.
   */
  #fieldGoal(
    { name, type }: CompiledField,
    key: string,
    nodes: ReadonlySet<FieldNode>,
    { arguments: args }: FieldNode,
    children: Map<string, Selection>,
    indices: string,
  ): FieldGoal {
    const variables = new Set<string>()
    for (const argument of args ?? []) collectVariables(argument.value, variables)
    const sets = [...nodes].flatMap((node) => node.selectionSet ?? [])
    const delivered = this.#ownerOf(nodes)
    const target = namedType(type)
    const below = `${target}|${indices}`
    const child =
      sets.length === 0 ? null : (children.get(below) ?? this.#selection(target, sets, false, delivered))
    if (child !== null) children.set(below, child)
    return {
      kind: 'field',
      key,
      name,
      args: printArguments(args),
      variables: [...variables],
      type,
      child,
      ...delivered,
      whole: null,
    }
  }

  #ownerOf(nodes: ReadonlySet<FieldNode>): Owner {
    if (this.#defers === null || this.#ownership === null) return NOT_DEFERRED
    const deferredFragments = new Set<DeferredFragment | null>()
    for (const node of nodes) deferredFragments.add(this.#defers.around.get(node) ?? null)
    return this.#ownership.ownerOf(deferredFragments)
  }

  /**
   * The types that fulfil a type condition, by what the supergraph says: a subgraph may not know that an
   * object implements the interface.
   */
  #narrow(on: TypeSet, condition: string | undefined): TypeSet {
    if (condition === undefined) return on
    const id = this.#graph.typeByName.get(condition)
    if (id === undefined) return this.#intern([])
    const possible = new Set(typeOf(this.#graph, id).possible)
    // An interface without implementations stands for itself, and is no possible type of those that it
    // implements.
    const is = (type: TypeId) => possible.has(type) || typeOf(this.#graph, type).interfaces.includes(id)
    return this.#intern([...on.types].filter(is))
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
