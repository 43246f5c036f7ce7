/**
 * Turns a solution into a draft: positions, the providers of their objects, and the calls that fetch them.
 *
 * Object types and goals share whatever they have in common: one provider, one field of a document, one
 * position.
 */
import { type Graph, printTypeRef, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import { selectField } from '../document/document.ts'
import { CallProviders, nonNullFieldsByCall } from './call-providers.ts'
import { PositionKeys, type AnsweringField } from './position-keys.ts'
import type { AssignedField, DraftPosition, DraftProvider, DraftCall } from './draft.ts'
import { addCase, representationFields } from './draft-representations.ts'
import { assignedAt, draftPosition, type BuildScope } from './build-scope.ts'
import { type GroupId, INITIAL_GROUP } from '../../ids/ids.ts'
import {
  type EntityLookup,
  type ObjectSolution,
  type FieldAnswer,
  type SelectionSolution,
  targetOf,
  type PossibleCall,
} from '../search/solution.ts'
import { explainSources } from './explain-sources.ts'
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
  readonly #graph: Graph
  readonly #budget: Budget
  readonly #providers: CallProviders
  readonly #keys: PositionKeys

  constructor(graph: Graph, root: Selection, budget: Budget) {
    this.#budget = budget
    this.#graph = graph
    this.#providers = new CallProviders(root.type === graph.compiled.roots.query)
    this.#keys = new PositionKeys(budget)
    this.root = draftPosition(null, null, root)
  }

  get calls(): readonly DraftCall[] {
    return this.#providers.calls
  }

  /** Calls that are built from now on are made after all that were built so far. */
  startNextGroup(): void {
    this.#providers.barrier += 1
  }

  /** Adds root fields: all of a query, or neighbouring ones of a mutation. */
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

  /** Adds the goals for the objects of a position, as far as `source` answers them. */
  #buildSelection(
    position: DraftPosition,
    selectionSolution: SelectionSolution,
    source: DraftProvider,
    { isForClient, group }: BuildScope,
  ): void {
    const onInterface = interfaceFieldTypes(this.#graph, selectionSolution, (goal) => this.#keys.textOf(goal))
    for (const [object, solution] of selectionSolution.byType)
      this.#buildObject(
        {
          position,
          object,
          source,
          providerByCall: new Map(),
          nonNullFields: nonNullFieldsByCall(solution),
          onInterface,
          isForClient,
          group,
          base: null,
          laterAnswers: selectionSolution.byType.size === 1 ? NONE_LATER : this.#keys.laterAnswers(solution),
        },
        solution,
      )
  }

  /** Adds the goals for the objects of one type. */
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

  /** Notes where the value of each goal is read. */
  #assign(scope: BuildScope, answers: readonly FieldAnswer[]): void {
    this.#budget.step(answers.length)
    const byGoal = Map.groupBy(answers, ({ goal }) => goal.whole ?? goal)
    const assigned = assignedAt(scope)
    for (const [goal, same] of byGoal) {
      const known = assigned.get(goal)
      const built = this.#assignGoal(scope, goal, same, known)
      if (known === undefined && built !== null) assigned.set(goal, built)
    }
  }

  /** Returns where the value of a goal is read; null if none of its answers has a provider. */
  #assignGoal(
    scope: BuildScope,
    goal: FieldGoal,
    answers: readonly FieldAnswer[],
    known: AssignedField | undefined,
  ): AssignedField | null {
    // Another call needs the same goal. Only a remainder adds fields to what is assigned already.
    if (known !== undefined && answers[0]?.goal.whole == null) return known
    const selected = answers.flatMap((answer) => this.#select(scope, goal, answer) ?? [])
    const [first] = selected
    if (first === undefined) return null
    explainSources(this.#graph, scope.object, goal, selected)
    const child = this.#positionBelow(scope, goal, selected, known?.child ?? null)
    return { provider: first.provider, field: first.field, child }
  }

  /** Selects the field that answers a goal in the document of its provider. */
  #select(scope: BuildScope, goal: FieldGoal, answer: FieldAnswer): AnsweringField | null {
    const provider = answer.call === null ? scope.source : (scope.providerByCall.get(answer.call) ?? null)
    if (provider === null) return null
    const text = this.#keys.textOf(goal)
    const request = {
      on: provider.node.interfaceObject ? provider.node.type : scope.object,
      goal,
      text,
      edge: answer.edge,
      to: targetOf(answer),
      client: scope.isForClient,
      onInterface: answer.call === null ? (scope.onInterface.get(text) ?? null) : null,
    }
    const field = selectField(provider.document, request, (type) => printTypeRef(this.#graph, type))
    return { answer, provider, field }
  }

  /**
   * The position below a goal, null for a leaf. Equal goals whose objects come from the same fields share it.
   */
  #positionBelow(
    scope: BuildScope,
    goal: FieldGoal,
    selected: readonly AnsweringField[],
    known: DraftPosition | null,
  ): DraftPosition | null {
    if (goal.child === null) return null
    const { childByKey, children } = scope.position
    const key = this.#keys.below(goal, goal.child, selected, scope.laterAnswers.get(goal) ?? '')
    const answers = selected.map(({ answer }) => answer)
    const [own = key, ...earlier] = ownersOfFetches(scope, answers).map((group) => `${key}:${group}`)
    // What was fetched with objects of other types was not fetched with these.
    const fetchedWith = earlier.map((each) => childByKey.get(each))
    const built = childByKey.get(own) ?? fetchedWith.find((each) => each?.guard.has(scope.object) === true)
    const shared = known ?? built
    const child = shared ?? draftPosition(scope.position, scope.isForClient ? goal.key : null, goal.child)
    child.guard.add(scope.object)
    if (shared === undefined) children.push(child)
    if (built === undefined) {
      childByKey.set(own, child)
      for (const field of selected) this.#addInlineProvider(scope, child, field)
    }
    return child
  }

  /**
   * The objects in a field become a provider of the position below it, with all that is answered from them.
   */
  #addInlineProvider(
    scope: BuildScope,
    position: DraftPosition,
    { answer: { goal, child }, provider: parent, field }: AnsweringField,
  ): void {
    if (child === null || field.child === null) return
    const provider: DraftProvider = {
      position,
      node: child.node,
      document: field.child,
      source: { kind: 'inline', parent, field },
      // What another source is asked for because the first one, an interface object, cannot tell the types.
      tellsType: goal.whole !== null && asksForTypename(child),
      nonNullFields: '',
      mergedInto: null,
    }
    position.providers.push(provider)
    this.#buildSelection(position, child, provider, scope)
  }

  /** The provider whose objects a call gives. */
  #providerOf(scope: BuildScope, call: PossibleCall): DraftProvider {
    const known = scope.providerByCall.get(call)
    if (known !== undefined) return known
    const provider =
      call.entity === null
        ? this.#providers.ofRoot(scope, call)
        : this.#entityProvider(scope, call, call.entity)
    scope.providerByCall.set(call, provider)
    return provider
  }

  #entityProvider(scope: BuildScope, call: PossibleCall, entity: EntityLookup): DraftProvider {
    if (entity.typeCall !== null) this.#providerOf(scope, entity.typeCall)
    // Inputs are assigned first: what they take must exist before this call does.
    const inputs: BuildScope = { ...scope, isForClient: false }
    for (const answer of entity.inputs) if (answer.call !== null) this.#providerOf(scope, answer.call)
    this.#assign(inputs, entity.inputs)
    const provider = this.#providers.ofEntities(scope, call, entity)
    if (entity.tellsType) provider.tellsType = true
    if (provider.source.kind !== 'call' || !this.#providers.addType(provider, scope.object, call))
      return provider
    const { cases, reasons } = provider.source.call
    this.#budget.step(1 + cases.length / 64)
    addCase(provider.source.call, {
      types: new Set([scope.object]),
      typename: typeOf(this.#graph, entity.representationType).name,
      anyType: entity.representationType !== scope.object && !entity.typed,
      fields: representationFields(
        this.#graph,
        assignedAt(inputs),
        entity.inputs.map(({ goal }) => goal),
        entity.key.fieldSet,
      ),
    })
    reasons.add(`key "${entity.key.text}"`)
    if (entity.requires !== null) reasons.add(`requires "${entity.requires.text}" of ${entity.field ?? ''}`)
    return provider
  }
}

/**
 * The delivery groups whose position below a field may be used. A group has calls of its own for its inputs,
 * since no other group may wait for them or show their errors; but it uses what was fetched with the objects
 * anyway. An empty text if no calls are made below: then the position is the same for all groups.
 */
function ownersOfFetches(
  { group, base }: BuildScope,
  answers: readonly FieldAnswer[],
): readonly (GroupId | '')[] {
  if (answers.every(({ child }) => child === null || child.fetches === 0)) return ['']
  return base === null ? [group] : [group, base.group]
}
