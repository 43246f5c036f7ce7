/**
 * Turns a solution into a draft: positions, the slots that provide their objects, and the calls that fetch
 * them.
 *
 * Object types and goals share whatever they have in common: one slot, one field of a document, one position.
 */
import type { TypeRef } from '../../graph/compiled-graph.ts'
import { type Graph, printTypeRef, typeOf } from '../../graph/graph.ts'
import type { FieldGoal, Selection } from '../../operation/normalised.ts'
import type { Budget } from '../../budget.ts'
import { docSelection, selectField } from '../document/document.ts'
import type { Assigned, DraftPosition, Slot, DraftCall } from './draft.ts'
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
  type Visit,
} from '../search/solution.ts'
import { shareKey } from '../search/solver.ts'
import { interfaceFieldTypes } from './interface-fields.ts'

const NONE_LATER: ReadonlyMap<FieldGoal, string> = new Map()

/** Whether the selection asks for `__typename`, of objects that know their type. */
function tellsType({ node, selection }: SelectionSolution): boolean {
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
  readonly #visitSlots = new Map<DraftPosition, Map<string, Slot>>()
  readonly #casesOfSlot = new Map<Slot, Map<TypeId, Visit>>()

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
      visits: new Map(),
      strict: strictFields(solution),
      onInterface: new Map(),
      client: true,
      group: INITIAL_GROUP,
      base: null,
      laterAnswers: NONE_LATER,
    }
    this.#buildObject(scope, solution)
  }

  #buildSelection(
    position: DraftPosition,
    selectionSolution: SelectionSolution,
    source: Slot,
    { client, group }: Omit<BuildScope, 'object'>,
  ): void {
    const onInterface = interfaceFieldTypes(this.#graph, selectionSolution, (goal) => this.#textOf(goal))
    for (const [object, solution] of selectionSolution.byType)
      this.#buildObject(
        {
          position,
          object,
          source,
          visits: new Map(),
          strict: strictFields(solution),
          onInterface,
          client,
          group,
          base: null,
          laterAnswers: selectionSolution.byType.size === 1 ? NONE_LATER : this.#laterAnswers(solution),
        },
        solution,
      )
  }

  #buildObject(scope: BuildScope, solution: ObjectSolution): void {
    const answering = new Set(solution.answers.map(({ visit }) => visit))
    for (const visit of solution.visits) {
      // A call that gives nothing but inputs need not be made twice.
      const shared = answering.has(visit) ? undefined : scope.base?.visits.get(visit)
      if (shared === undefined) this.#slotOf(scope, visit)
      else scope.visits.set(visit, shared)
    }
    this.#assign(scope, solution.answers)
    for (const { group, solution: later } of solution.deferred)
      this.#buildObject(
        { ...scope, visits: new Map(), strict: strictFields(later), group, base: scope },
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
      this.#budget.step((solution.visits.length + solution.answers.length) / 4)
      const slots = slotKeys(solution, group)
      for (const { goal, visit, child } of solution.answers) {
        const slot = visit === null ? group : (slots.get(visit) ?? group)
        const whole = goal.whole ?? goal
        const known = byGoal.get(whole) ?? ''
        byGoal.set(whole, `${known}/${slot}.${child === null ? '' : this.#id(child)}`)
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
    known: Assigned | undefined,
  ): Assigned | null {
    // Another visit needs the same goal. Only a remainder adds fields to what is assigned already.
    if (known !== undefined && answers[0]?.goal.whole == null) return known
    const typeText = (type: TypeRef) => printTypeRef(this.#graph, type)
    const ways = answers.flatMap((answer) => {
      const slot = answer.visit === null ? scope.source : (scope.visits.get(answer.visit) ?? null)
      if (slot === null) return []
      const on = slot.node.interfaceObject ? slot.node.type : scope.object
      const text = this.#textOf(goal)
      const onInterface = answer.visit === null ? (scope.onInterface.get(text) ?? null) : null
      const to = targetOf(answer)
      const field = selectField(
        slot.doc,
        on,
        goal,
        text,
        answer.edge,
        to,
        scope.client,
        onInterface,
        typeText,
      )
      return [{ answer, slot, field }]
    })
    const [first] = ways
    if (first === undefined) return null
    if (goal.child === null) return { slot: first.slot, field: first.field, child: null }
    const identity = ways
      .map(
        ({ answer, slot, field }) =>
          `${this.#id(slot)}.${this.#id(field)}.${answer.child === null ? '' : this.#id(answer.child)}`,
      )
      .join('|')
    // Not by the goal: its type may differ in null from that of another object type, with all below it the
    // same.
    const key = `${goal.key}:${this.#id(goal.child)}:${identity}${scope.laterAnswers.get(goal) ?? ''}`
    const { childByKey } = scope.position
    const keys = ownersOfFetches(scope, answers).map((group) => `${key}:${group}`)
    const built = keys.map((each) => childByKey.get(each)).find((each) => each !== undefined)
    const shared = known?.child ?? built
    const child = shared ?? draftPosition(scope.position, scope.client ? goal.key : null, goal.child)
    child.guard.add(scope.object)
    if (shared === undefined) scope.position.children.push(child)
    if (built === undefined) {
      childByKey.set(keys[0] ?? key, child)
      for (const { answer, slot, field } of ways) {
        if (answer.child === null || field.child === null) continue
        const inline: Slot = {
          position: child,
          node: answer.child.node,
          doc: field.child,
          source: { kind: 'inline', parent: slot, field },
          // What another source is asked for because the first one, an interface object, cannot tell the
          // types.
          discovers: answer.goal.whole !== null && tellsType(answer.child),
          strict: '',
          mergedInto: null,
        }
        child.slots.push(inline)
        this.#buildSelection(child, answer.child, inline, scope)
      }
    }
    return { slot: first.slot, field: first.field, child }
  }

  #slotOf(scope: BuildScope, visit: Visit): Slot {
    const known = scope.visits.get(visit)
    if (known !== undefined) return known
    const slot =
      visit.entity === null ? this.#rootSlot(scope, visit) : this.#entitySlot(scope, visit, visit.entity)
    scope.visits.set(visit, slot)
    return slot
  }

  #rootSlot(scope: BuildScope, visit: Visit): Slot {
    const key = `${shareKey(visit)}|${this.barrier}|${scope.group}`
    return this.#sharedSlot(scope.position, key, () => this.#newSlot(scope, 'root', visit.node, false))
  }

  #entitySlot(scope: BuildScope, visit: Visit, entity: EntityLookup): Slot {
    if (entity.discovery !== null) this.#slotOf(scope, entity.discovery)
    // Inputs are assigned first: what they take must exist before this visit does.
    const inputs: BuildScope = { ...scope, client: false }
    for (const answer of entity.inputs) if (answer.visit !== null) this.#slotOf(scope, answer.visit)
    this.#assign(inputs, entity.inputs)
    const slot = this.#slotForType(scope, visit, entity)
    const cases = this.#casesOfSlot.get(slot) ?? new Map<TypeId, Visit>()
    this.#casesOfSlot.set(slot, cases)
    if (entity.discovers) slot.discovers = true
    if (cases.has(scope.object) || slot.source.kind !== 'call') return slot
    this.#budget.step(1 + slot.source.call.cases.length / 64)
    cases.set(scope.object, visit)
    const goals = entity.inputs.map((answer) => answer.goal)
    addCase(slot.source.call, {
      types: new Set([scope.object]),
      typename: typeOf(this.#graph, entity.repType).name,
      anyType: entity.repType !== scope.object && !entity.typed,
      fields: representationFields(this.#graph, assignedAt(inputs), goals, entity.key.sel),
    })
    const { reasons } = slot.source.call
    reasons.add(`key "${entity.key.text}"`)
    if (entity.requires !== null) reasons.add(`requires "${entity.requires.text}" of ${entity.field ?? ''}`)
    return slot
  }

  /**
   * Object types share the slot of one call. For one type a second call with other inputs needs another slot,
   * and so do types that ask an interface object for other non-null fields: one of those may fail for an
   * object of the other type.
   */
  #slotForType(scope: BuildScope, visit: Visit, entity: EntityLookup): Slot {
    const strict = scope.strict.get(visit) ?? ''
    const base = slotKey(visit, scope.group, scope.strict)
    for (let attempt = 0; ; attempt++) {
      const slot = this.#sharedSlot(scope.position, `${base}|${attempt}`, () =>
        this.#newSlot(scope, 'entity', visit.node, entity.discovers, strict),
      )
      const taken = this.#casesOfSlot.get(slot)?.get(scope.object)?.entity
      if (taken === undefined || taken === null) return slot
      if (taken.requires?.text === entity.requires?.text && taken.repType === entity.repType) return slot
    }
  }

  #sharedSlot(position: DraftPosition, key: string, make: () => Slot): Slot {
    let slots = this.#visitSlots.get(position)
    if (slots === undefined) {
      slots = new Map()
      this.#visitSlots.set(position, slots)
    }
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = make()
      slots.set(key, slot)
    }
    return slot
  }

  #newSlot(
    { position, group }: BuildScope,
    kind: DraftCall['kind'],
    node: Node,
    discovers: boolean,
    strict = '',
  ): Slot {
    const call: DraftCall = {
      kind,
      sub: node.sub,
      group,
      position,
      barrier: this.barrier,
      afterParent: this.#isMutation,
      cases: [],
      reasons: new Set(),
    }
    const slot: Slot = {
      position,
      node,
      doc: docSelection(node.sub, kind === 'root' ? node.type : null),
      source: { kind: 'call', call },
      discovers,
      strict,
      mergedInto: null,
    }
    this.calls.push(call)
    position.slots.push(slot)
    return slot
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

/** The non-null fields that each visit selects of an interface object, as text. */
function strictFields({ answers, visits }: ObjectSolution): ReadonlyMap<Visit, string> {
  const strict = new Map<Visit, string>()
  const inputs = visits.flatMap(({ entity }) => entity?.inputs ?? [])
  for (const { visit, edge, goal } of [...answers, ...inputs])
    if (visit?.node.interfaceObject === true && edge.type.nonNull)
      strict.set(visit, `${strict.get(visit) ?? ''} ${goal.name}${goal.args}`)
  return strict
}

/** Visits of several object types with the same key share a slot. */
function slotKey(visit: Visit, group: GroupId, strict: ReadonlyMap<Visit, string>): string {
  const { interfaceObject, type } = visit.node
  const own = interfaceObject ? `${type}${strict.get(visit) ?? ''}` : ''
  return `${group}|${shareKey(visit)}|${own}|${visit.entity?.discovers ?? false}`
}

/**
 * The slot key of each visit, numbered: a second visit of one type with the same key has a slot of its own.
 */
function slotKeys(solution: ObjectSolution, group: GroupId): ReadonlyMap<Visit, string> {
  const strict = strictFields(solution)
  const counts = new Map<string, number>()
  return new Map(
    solution.visits.map((visit) => {
      const key = slotKey(visit, group, strict)
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return [visit, `${key}|${count}`]
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
