/**
 * Turns a solution into a draft: positions, the providers of their objects, and the calls that fetch them.
 *
 * Object types and goals share whatever they have in common: one provider, one field of a document, one
 * position.
 */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import { type Graph, printTypeRef, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import { documentSelection, selectField } from '../document/document.ts'
import type { AssignedField, DraftPosition, DraftProvider, DraftCall } from './draft.ts'
import { addCase, representationFields } from './draft-representations.ts'
import { assignedAt, draftPosition, type BuildScope } from './build-scope.ts'
import { type GroupId, INITIAL_GROUP, type TypeId } from '../../ids.ts'
import type { Node } from '../search/query-graph.ts'
import {
  type EntityLookup,
  type ObjectSolution,
  type FieldAnswer,
  type SelectionSolution,
  targetOf,
  type PossibleCall,
  sharedCallKey,
} from '../search/solution.ts'
import { interfaceFieldTypes } from './interface-fields.ts'

const NONE_LATER: ReadonlyMap<FieldGoal, string> = new Map()

/** Whether the selection asks for `__typename`, of objects that know their type. */
function asksForTypename({ node, selection }: SelectionSolution): boolean {
  return (
    !node.interfaceObject &&
    [...selection.byType.values()].some((goals) => goals.some(({ kind }) => kind === 'typename'))
  )
}

/** Builds the draft of one plan; `root` and `calls` are its result. */
export class Builder {
  readonly root: DraftPosition
  readonly calls: DraftCall[] = []
  barrier = 0
  readonly #graph: Graph
  readonly #budget: Budget
  readonly #isMutation: boolean
  readonly #ids = new Map<object, number>()
  readonly #sharedProviders = new Map<DraftPosition, Map<string, DraftProvider>>()
  readonly #callByType = new Map<DraftProvider, Map<TypeId, PossibleCall>>()

  constructor(graph: Graph, root: Selection, budget: Budget) {
    this.#budget = budget
    this.#graph = graph
    this.#isMutation = root.type === graph.compiled.roots.mutation
    this.root = draftPosition(null, null, root)
  }

  buildRoot(solution: ObjectSolution): void {
    const scope: BuildScope = {
      position: this.root,
      object: this.root.selection.type,
      source: null,
      providerByCall: new Map(),
      nonNullFields: nonNullFieldsByCall(solution),
      onInterface: new Map(),
      isForClient: true,
      group: INITIAL_GROUP,
      base: null,
      laterAnswers: NONE_LATER,
    }
    this.#buildObject(scope, solution)
  }

  #buildSelection(
    position: DraftPosition,
    selectionSolution: SelectionSolution,
    source: DraftProvider,
    { isForClient: client, group }: Omit<BuildScope, 'object'>,
  ): void {
    const onInterface = interfaceFieldTypes(this.#graph, selectionSolution, (goal) => this.#textOf(goal))
    for (const [object, solution] of selectionSolution.byType)
      this.#buildObject(
        {
          position,
          object,
          source,
          providerByCall: new Map(),
          nonNullFields: nonNullFieldsByCall(solution),
          onInterface,
          isForClient: client,
          group,
          base: null,
          laterAnswers: selectionSolution.byType.size === 1 ? NONE_LATER : this.#laterAnswers(solution),
        },
        solution,
      )
  }

  #buildObject(scope: BuildScope, solution: ObjectSolution): void {
    const answering = new Set(solution.answers.map(({ call }) => call))
    for (const call of solution.calls) {
      // A call that gives nothing but inputs need not be made twice.
      const shared = answering.has(call) ? undefined : scope.base?.providerByCall.get(call)
      if (shared === undefined) this.#providerOf(scope, call)
      else scope.providerByCall.set(call, shared)
    }
    this.#assign(scope, solution.answers)
    for (const { group, solution: later } of solution.deferred)
      this.#buildObject(
        {
          ...scope,
          providerByCall: new Map(),
          nonNullFields: nonNullFieldsByCall(later),
          group,
          base: scope,
        },
        later,
      )
  }

  /**
   * A text for each goal that tells which calls of later groups answer it. Object types share the position
   * below a goal only if their texts are equal, because each value of a position is read from one place.
   */
  #laterAnswers({ deferred }: ObjectSolution): ReadonlyMap<FieldGoal, string> {
    const byGoal = new Map<FieldGoal, string>()
    for (const { group, solution } of deferred) {
      this.#budget.step((solution.calls.length + solution.answers.length) / 4)
      const providers = providerKeys(solution, group)
      for (const { goal, call, child } of solution.answers) {
        const provider = call === null ? group : (providers.get(call) ?? group)
        const whole = goal.whole ?? goal
        const known = byGoal.get(whole) ?? ''
        byGoal.set(whole, `${known}/${provider}.${child === null ? '' : this.#id(child)}`)
      }
    }
    return byGoal
  }

  #assign(scope: BuildScope, answers: readonly FieldAnswer[]): void {
    this.#budget.step(answers.length)
    const byGoal = new Map<FieldGoal, FieldAnswer[]>()
    for (const answer of answers) {
      const goal = answer.goal.whole ?? answer.goal
      const same = byGoal.get(goal)
      if (same === undefined) byGoal.set(goal, [answer])
      else same.push(answer)
    }
    const assigned = assignedAt(scope)
    for (const [goal, same] of byGoal) {
      const known = assigned.get(goal)
      const built = this.#assignGoal(scope, goal, same, known)
      if (known === undefined && built !== null) assigned.set(goal, built)
    }
  }

  #assignGoal(
    scope: BuildScope,
    goal: FieldGoal,
    answers: readonly FieldAnswer[],
    known: AssignedField | undefined,
  ): AssignedField | null {
    // Another call needs the same goal. Only a remainder adds fields to what is assigned already.
    if (known !== undefined && answers[0]?.goal.whole == null) return known
    const typeText = (type: TypeRef) => printTypeRef(this.#graph, type)
    const ways = answers.flatMap((answer) => {
      const provider = answer.call === null ? scope.source : (scope.providerByCall.get(answer.call) ?? null)
      if (provider === null) return []
      const on = provider.node.interfaceObject ? provider.node.type : scope.object
      const text = this.#textOf(goal)
      const onInterface = answer.call === null ? (scope.onInterface.get(text) ?? null) : null
      const to = targetOf(answer)
      const field = selectField(
        provider.document,
        on,
        goal,
        text,
        answer.edge,
        to,
        scope.isForClient,
        onInterface,
        typeText,
      )
      return [{ answer, slot: provider, field }]
    })
    const [first] = ways
    if (first === undefined) return null
    if (goal.child === null) return { provider: first.slot, field: first.field, child: null }
    const identity = ways
      .map(
        ({ answer, slot: provider, field }) =>
          `${this.#id(provider)}.${this.#id(field)}.${answer.child === null ? '' : this.#id(answer.child)}`,
      )
      .join('|')
    // Not by the goal: its type may differ in null from that of another object type, with all below it the
    // same.
    const key = `${goal.key}:${this.#id(goal.child)}:${identity}${scope.laterAnswers.get(goal) ?? ''}`
    const { childByKey } = scope.position
    const keys = ownersOfFetches(scope, answers).map((group) => `${key}:${group}`)
    const built = keys.map((each) => childByKey.get(each)).find((each) => each !== undefined)
    const shared = known?.child ?? built
    const child = shared ?? draftPosition(scope.position, scope.isForClient ? goal.key : null, goal.child)
    child.guard.add(scope.object)
    if (shared === undefined) scope.position.children.push(child)
    if (built === undefined) {
      childByKey.set(keys[0] ?? key, child)
      for (const { answer, slot: provider, field } of ways) {
        if (answer.child === null || field.child === null) continue
        const inline: DraftProvider = {
          position: child,
          node: answer.child.node,
          document: field.child,
          source: { kind: 'inline', parent: provider, field },
          // What another source is asked for because the first one, an interface object, cannot tell the
          // types.
          tellsType: answer.goal.whole !== null && asksForTypename(answer.child),
          nonNullFields: '',
          mergedInto: null,
        }
        child.providers.push(inline)
        this.#buildSelection(child, answer.child, inline, scope)
      }
    }
    return { provider: first.slot, field: first.field, child }
  }

  #providerOf(scope: BuildScope, call: PossibleCall): DraftProvider {
    const known = scope.providerByCall.get(call)
    if (known !== undefined) return known
    const provider =
      call.entity === null ? this.#rootProvider(scope, call) : this.#entityProvider(scope, call, call.entity)
    scope.providerByCall.set(call, provider)
    return provider
  }

  #rootProvider(scope: BuildScope, call: PossibleCall): DraftProvider {
    const key = `${sharedCallKey(call)}|${this.barrier}|${scope.group}`
    return this.#sharedProvider(scope.position, key, () => this.#newProvider(scope, 'root', call.node, false))
  }

  #entityProvider(scope: BuildScope, call: PossibleCall, entity: EntityLookup): DraftProvider {
    if (entity.typeCall !== null) this.#providerOf(scope, entity.typeCall)
    // Inputs are assigned first: what they take must exist before this call does.
    const inputs: BuildScope = { ...scope, isForClient: false }
    for (const answer of entity.inputs) if (answer.call !== null) this.#providerOf(scope, answer.call)
    this.#assign(inputs, entity.inputs)
    const provider = this.#providerForType(scope, call, entity)
    const cases = this.#callByType.get(provider) ?? new Map<TypeId, PossibleCall>()
    this.#callByType.set(provider, cases)
    if (entity.tellsType) provider.tellsType = true
    if (cases.has(scope.object) || provider.source.kind !== 'call') return provider
    this.#budget.step(1 + provider.source.call.cases.length / 64)
    cases.set(scope.object, call)
    const goals = entity.inputs.map((answer) => answer.goal)
    addCase(provider.source.call, {
      types: new Set([scope.object]),
      typename: typeOf(this.#graph, entity.representationType).name,
      anyType: entity.representationType !== scope.object && !entity.typed,
      fields: representationFields(this.#graph, assignedAt(inputs), goals, entity.key.fieldSet),
    })
    const { reasons } = provider.source.call
    reasons.add(`key "${entity.key.text}"`)
    if (entity.requires !== null) reasons.add(`requires "${entity.requires.text}" of ${entity.field ?? ''}`)
    return provider
  }

  /**
   * Object types share the provider of one call. For one type a second call with other inputs needs another
   * provider, and so do types that ask an interface object for other non-null fields: one of those may fail
   * for an object of the other type.
   */
  #providerForType(scope: BuildScope, call: PossibleCall, entity: EntityLookup): DraftProvider {
    const nonNullFields = scope.nonNullFields.get(call) ?? ''
    const base = providerKey(call, scope.group, scope.nonNullFields)
    for (let attempt = 0; ; attempt++) {
      const provider = this.#sharedProvider(scope.position, `${base}|${attempt}`, () =>
        this.#newProvider(scope, 'entity', call.node, entity.tellsType, nonNullFields),
      )
      const taken = this.#callByType.get(provider)?.get(scope.object)?.entity
      if (taken === undefined || taken === null) return provider
      if (
        taken.requires?.text === entity.requires?.text &&
        taken.representationType === entity.representationType
      )
        return provider
    }
  }

  #sharedProvider(position: DraftPosition, key: string, make: () => DraftProvider): DraftProvider {
    let providers = this.#sharedProviders.get(position)
    if (providers === undefined) {
      providers = new Map()
      this.#sharedProviders.set(position, providers)
    }
    let provider = providers.get(key)
    if (provider === undefined) {
      provider = make()
      providers.set(key, provider)
    }
    return provider
  }

  #newProvider(
    { position, group }: BuildScope,
    kind: DraftCall['kind'],
    node: Node,
    tellsType: boolean,
    nonNullFields = '',
  ): DraftProvider {
    const call: DraftCall = {
      kind,
      subgraph: node.sub,
      group,
      position,
      barrier: this.barrier,
      afterParent: this.#isMutation,
      cases: [],
      reasons: new Set(),
    }
    const provider: DraftProvider = {
      position,
      node,
      document: documentSelection(node.sub, kind === 'root' ? node.type : null),
      source: { kind: 'call', call },
      tellsType,
      nonNullFields,
      mergedInto: null,
    }
    this.calls.push(call)
    position.providers.push(provider)
    return provider
  }

  #textOf({ key, name, args, child }: FieldGoal): string {
    return `${key}:${name}${args}:${child === null ? '' : this.#id(child)}`
  }

  #id(item: object): number {
    let id = this.#ids.get(item)
    if (id === undefined) {
      id = this.#ids.size
      this.#ids.set(item, id)
    }
    return id
  }
}

/** The non-null fields that each call selects of an interface object, as text. */
function nonNullFieldsByCall({ answers, calls }: ObjectSolution): ReadonlyMap<PossibleCall, string> {
  const nonNullFields = new Map<PossibleCall, string>()
  const inputs = calls.flatMap(({ entity }) => entity?.inputs ?? [])
  for (const { call, edge, goal } of [...answers, ...inputs])
    if (call?.node.interfaceObject === true && edge.type.nonNull)
      nonNullFields.set(call, `${nonNullFields.get(call) ?? ''} ${goal.name}${goal.args}`)
  return nonNullFields
}

/** Calls of several object types with the same key share a provider. */
function providerKey(
  call: PossibleCall,
  group: GroupId,
  nonNullFields: ReadonlyMap<PossibleCall, string>,
): string {
  const { interfaceObject, type } = call.node
  const own = interfaceObject ? `${type}${nonNullFields.get(call) ?? ''}` : ''
  return `${group}|${sharedCallKey(call)}|${own}|${call.entity?.tellsType ?? false}`
}

/**
 * The provider key of each call, numbered: a second call of one type with the same key has a provider of its
 * own.
 */
function providerKeys(solution: ObjectSolution, group: GroupId): ReadonlyMap<PossibleCall, string> {
  const nonNullFields = nonNullFieldsByCall(solution)
  const counts = new Map<string, number>()
  return new Map(
    solution.calls.map((call) => {
      const key = providerKey(call, group, nonNullFields)
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return [call, `${key}|${count}`]
    }),
  )
}

/**
 * The delivery groups whose calls below a field may be shared. A group has calls of its own for its inputs,
 * since no other group may wait for them or show their errors; but it uses what its surroundings have fetched
 * anyway. Empty text: there are no calls below, so the position is the same for all groups.
 */
function ownersOfFetches(
  { group, base }: BuildScope,
  answers: readonly FieldAnswer[],
): readonly (GroupId | '')[] {
  if (answers.every(({ child }) => child === null || child.fetches === 0)) return ['']
  return base === null ? [group] : [group, base.group]
}
