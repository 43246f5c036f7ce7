/**
 * Writes down the shape of the response: every field the client sees, and the place its value is read from.
 */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { type Graph, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import type { DeniedGoal, FieldGoal, Goal } from '../../operation/normalise/normalised.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { DraftPosition } from './draft.ts'
import { fetchIdOf, type DraftNumbers, positionIdOf, slotOf } from './draft-numbers.ts'
import { type GroupId, NO_FETCH, type TypeId } from '../../ids/ids.ts'
import type {
  DeliveryGroup,
  LeafCoercion,
  ObjectShape,
  ShapeCase,
  ShapeField,
  ShapeNode,
} from '../contract/plan.ts'

/** A key that no response has: what is read under it is absent, so it completes as null. */
const ABSENT = ''

/** The shape of the whole response. `groups` tell which deferred fragments deliver anything. */
export function emitShape(
  graph: Graph,
  numbers: DraftNumbers,
  root: DraftPosition,
  groups: readonly DeliveryGroup[],
  budget: Budget,
): ObjectShape {
  return new ShapeEmitter(graph, numbers, groups, budget).object(root)
}

class ShapeEmitter {
  readonly #graph: Graph
  readonly #numbers: DraftNumbers
  readonly #groups: readonly DeliveryGroup[]
  readonly #budget: Budget
  /** The shapes that were made so far: several cases may lead to one position. */
  readonly #shapes = new Map<DraftPosition, ObjectShape>()

  constructor(graph: Graph, numbers: DraftNumbers, groups: readonly DeliveryGroup[], budget: Budget) {
    this.#groups = groups
    this.#budget = budget
    this.#graph = graph
    this.#numbers = numbers
  }

  object(position: DraftPosition): ObjectShape {
    let shape = this.#shapes.get(position)
    if (shape === undefined) {
      shape = this.#makeObject(position)
      this.#shapes.set(position, shape)
    }
    return shape
  }

  #makeObject(position: DraftPosition): ObjectShape {
    const cases = new Map<string, { types: TypeId[]; fields: readonly ShapeField[] }>()
    for (const [object, goals] of position.selection.byType) {
      this.#budget.step(goals.length)
      const text = goals.map((goal) => this.#identity(position, object, goal)).join('|')
      const same = cases.get(text)
      if (same !== undefined) same.types.push(object)
      else
        cases.set(text, { types: [object], fields: goals.map((goal) => this.#field(position, object, goal)) })
    }
    return {
      kind: 'object',
      position: positionIdOf(this.#numbers, position),
      type: position.selection.type,
      cases: [...cases.values()].map(
        ({ types, fields }): ShapeCase => ({ types: cases.size === 1 ? null : types, fields }),
      ),
    }
  }

  /**
   * A text for how a goal is read and delivered. Object types with equal texts for all goals share a case.
   */
  #identity(position: DraftPosition, object: TypeId, goal: Goal): string {
    if (goal.kind === 'denied')
      return `denied:${goal.key}:${goal.name}:${goal.nonNull}:${goal.group}:${goal.fallbackGroups.join()}`
    if (goal.kind !== 'field') return `${goal.kind}:${goal.key}`
    const assigned = position.assignedByType.get(object)?.get(goal)
    const where =
      assigned === undefined
        ? ABSENT
        : `${slotOf(this.#numbers, assigned.provider)}.${assigned.field.key}.${assigned.child === null ? '' : positionIdOf(this.#numbers, assigned.child)}`
    return `${goal.key}:${goal.name}:${this.#costText(object, goal)}${this.#typeText(goal.type)}:${where}:${goal.group}:${goal.fallbackGroups.join()}`
  }

  /** Empty where nothing is said of the costs of a field. */
  #costText(object: TypeId, { name, args }: FieldGoal): string {
    const { costs } = this.#graph.compiled
    if (costs === null) return ''
    const coordinate = `${typeOf(this.#graph, object).name}.${name}`
    return costs.fields.has(coordinate) ? `${coordinate}${args}:` : ''
  }

  #costArguments(object: TypeId, { name, args }: FieldGoal): { readonly args?: string } {
    const { costs } = this.#graph.compiled
    if (costs === null || args === '') return {}
    const cost = costs.fields.get(`${typeOf(this.#graph, object).name}.${name}`)
    return cost === undefined || cost.args.size === 0 ? {} : { args }
  }

  #typeText(type: TypeRef): string {
    const end = type.nonNull ? '!' : ''
    return type.kind === 'list' ? `[${this.#typeText(type.item)}]${end}` : `${type.type}${end}`
  }

  #field(position: DraftPosition, object: TypeId, goal: Goal): ShapeField {
    if (goal.kind === 'denied') return this.#denied(object, goal)
    if (goal.kind !== 'field') return { kind: goal.kind, key: goal.key, ...this.#delivery(goal) }
    const assigned = position.assignedByType.get(object)?.get(goal)
    const [first] = position.providers
    const provider = assigned?.provider ?? first
    return {
      kind: 'field',
      key: goal.key,
      parentType: object,
      name: goal.name,
      nonNull: goal.type.nonNull,
      source: {
        slot: assigned === undefined ? 0 : slotOf(this.#numbers, assigned.provider),
        key: assigned?.field.key ?? ABSENT,
      },
      fetch: provider === undefined ? NO_FETCH : fetchIdOf(this.#numbers, provider),
      node: this.#node(goal.type, goal, assigned?.child ?? null),
      ...this.#costArguments(object, goal),
      ...this.#delivery(goal),
    }
  }

  #denied(object: TypeId, goal: DeniedGoal): ShapeField {
    const { key, name, nonNull } = goal
    return {
      kind: 'field',
      key,
      parentType: object,
      name,
      nonNull,
      source: { slot: 0, key: ABSENT },
      fetch: NO_FETCH,
      node: { kind: 'denied' },
      ...this.#delivery(goal),
    }
  }

  /** The groups that deliver a goal; those that have nothing to deliver are left out. */
  #delivery({ group, fallbackGroups }: Goal): {
    readonly group: GroupId
    readonly fallbackGroups?: readonly GroupId[]
  } {
    const live = fallbackGroups.filter((other) => this.#groups[other]?.isLive === true)
    return live.length === 0 ? { group } : { group, fallbackGroups: live }
  }

  #node(type: TypeRef, goal: FieldGoal, child: DraftPosition | null): ShapeNode {
    // Without a child the field was never asked for: whatever its type, it completes as null.
    if (goal.child !== null && child === null)
      return { kind: 'leaf', type: namedType(type), coerce: 'custom' }
    if (type.kind === 'list')
      return { kind: 'list', item: this.#node(type.item, goal, child), nonNullItem: type.item.nonNull }
    return child === null
      ? { kind: 'leaf', type: type.type, coerce: this.#coercion(type.type) }
      : this.object(child)
  }

  #coercion(type: TypeId): LeafCoercion {
    const { name, kind } = typeOf(this.#graph, type)
    if (kind === 'enum') return 'enum'
    switch (name) {
      case 'String':
      case 'Int':
      case 'Float':
      case 'Boolean':
      case 'ID':
        return name
      default:
        return 'custom'
    }
  }
}
