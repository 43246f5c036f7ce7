/**
 * Turns the field sets of `@key` and `@requires` into goals, which are searched for like goals of the client.
 *
 * Goals and lists of goals are interned: the same wish is the same object, so what is remembered of it is
 * found again.
 */
import type { FieldSet, FieldSetItem, TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, isComposite, printTypeRef, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import { fieldSetText } from '../../graph/moves/field-set-text.ts'
import type { FieldGoal, Goal, Selection } from '../../operation/normalise/normalised.ts'
import { INITIAL_GROUP, type TypeId } from '../../ids/ids.ts'

/** The type of an object, which the planner needs and the client may not have asked for. */
export const TYPENAME: Goal = {
  kind: 'typename',
  key: '__typename',
  group: INITIAL_GROUP,
  fallbackGroups: [],
}

/** Turns the selections of keys and `@requires` into goals, and remembers them. */
export class KeyGoals {
  readonly #graph: Graph
  readonly #goals = new Map<FieldSet, Map<TypeId, readonly FieldGoal[]>>()
  readonly #goalByText = new Map<string, FieldGoal>()
  readonly #goalIds = new Map<FieldGoal, number>()
  readonly #goalLists = new Map<string, readonly FieldGoal[]>()
  readonly #withType = new Map<readonly FieldGoal[], readonly Goal[]>()
  readonly #joined = new Map<FieldSet, Map<FieldSet, FieldSet>>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  /** Returns the goals that a key or requires selection has for objects of this type. */
  of(fieldSet: FieldSet, object: TypeId): readonly FieldGoal[] {
    let byType = this.#goals.get(fieldSet)
    if (byType === undefined) {
      byType = new Map()
      this.#goals.set(fieldSet, byType)
    }
    let goals = byType.get(object)
    if (goals === undefined) {
      goals = this.#makeGoals(fieldSet, object)
      byType.set(object, goals)
    }
    return goals
  }

  /** Key and requires of one call as one selection. */
  joined(key: FieldSet, requires: FieldSet | null): FieldSet {
    if (requires === null) return key
    let byRequires = this.#joined.get(key)
    if (byRequires === undefined) {
      byRequires = new Map()
      this.#joined.set(key, byRequires)
    }
    let both = byRequires.get(requires)
    if (both === undefined) {
      both = [...key, ...requires]
      byRequires.set(requires, both)
    }
    return both
  }

  #makeGoals(fieldSet: FieldSet, object: TypeId): readonly FieldGoal[] {
    const merged = new Map<string, { name: string; args: string; sub: FieldSetItem[] }>()
    const collect = (items: FieldSet): void => {
      for (const item of items) {
        if (item.kind === 'on') {
          if (typeOf(this.#graph, item.type).possible.includes(object)) collect(item.below)
          continue
        }
        const key = item.name + item.args
        const known = merged.get(key)
        if (known === undefined)
          merged.set(key, { name: item.name, args: item.args, sub: [...(item.below ?? [])] })
        else known.sub.push(...(item.below ?? []))
      }
    }
    collect(fieldSet)
    const goals = [...merged.values()].flatMap(({ name, args, sub }) => {
      const field = fieldOf(this.#graph, object, name)
      return field === undefined ? [] : [this.#goal(name, args, field.type, sub)]
    })
    // Interned, so that object types of which the same is wanted share the list, like those of client
    // selections do.
    const key = goals.map((goal) => this.#goalIds.get(goal)).join(',')
    const known = this.#goalLists.get(key)
    if (known !== undefined) return known
    this.#goalLists.set(key, goals)
    return goals
  }

  #goal(name: string, args: string, type: TypeRef, sub: FieldSet): FieldGoal {
    const key = `${name}${args}|${printTypeRef(this.#graph, type)}|${fieldSetText(sub)}`
    let goal = this.#goalByText.get(key)
    if (goal === undefined) {
      const target = namedType(type)
      const child = isComposite(this.#graph, target) ? this.#selection(sub, target) : null
      goal = {
        kind: 'field',
        key: name,
        name,
        args,
        variables: [],
        type,
        child,
        group: INITIAL_GROUP,
        fallbackGroups: [],
        whole: null,
      }
      this.#goalByText.set(key, goal)
      this.#goalIds.set(goal, this.#goalIds.size)
    }
    return goal
  }

  #selection(fieldSet: FieldSet, type: TypeId): Selection {
    // Whoever sorts the objects by type needs their types, even where the same is wanted of all of them.
    const isSorted = fieldSet.some((item) => item.kind === 'on' && item.type !== type)
    const byType = new Map<TypeId, readonly Goal[]>()
    for (const object of typeOf(this.#graph, type).possible) {
      const goals = this.of(fieldSet, object)
      byType.set(object, isSorted ? this.#andType(goals) : goals)
    }
    return { type, byType }
  }

  #andType(goals: readonly FieldGoal[]): readonly Goal[] {
    let both = this.#withType.get(goals)
    if (both === undefined) {
      both = [TYPENAME, ...goals]
      this.#withType.set(goals, both)
    }
    return both
  }
}
