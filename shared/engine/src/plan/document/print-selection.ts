/** Prints subgraph selections, minified, with type conditions only where they are needed. */
import { type Graph, presenceOf, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import type { Budget } from '../../work/planning-budget.ts'
import type { DocumentField, DocumentSelection } from './document.ts'
import type { SubgraphId, TypeId } from '../../ids/ids.ts'
import { mergeableShape } from './response-keys.ts'
import type { SelectionTexts } from './selection-texts.ts'
import { byTypeName } from '../../graph/type-order.ts'

/**
 * Selections of one place, merged; `texts` holds those below. `variables` collects the client variables that
 * are used.
 */
export function printSelections(
  graph: Graph,
  selections: readonly DocumentSelection[],
  variables: Set<string>,
  texts: SelectionTexts,
  budget: Budget,
): string {
  const [first] = selections
  if (first === undefined) return '{__typename}'
  const printer = new SelectionPrinter(graph, first.sub, variables, texts, budget)
  return printer.print(selections)
}

class SelectionPrinter {
  readonly #graph: Graph
  readonly #sub: SubgraphId
  readonly #variables: Set<string>
  readonly #texts: SelectionTexts
  readonly #budget: Budget
  readonly #byName: (one: TypeId, other: TypeId) => number

  constructor(graph: Graph, sub: SubgraphId, variables: Set<string>, texts: SelectionTexts, budget: Budget) {
    this.#texts = texts
    this.#budget = budget
    this.#graph = graph
    this.#sub = sub
    this.#variables = variables
    this.#byName = byTypeName(graph)
  }

  print(selections: readonly DocumentSelection[]): string {
    const parts: string[] = []
    if (selections.some((selection) => selection.typename)) parts.push('__typename')
    const type = selections[0]?.type ?? null
    const fields = selections.flatMap((selection) => selection.fields)
    const direct: DocumentField[] = []
    const conditional: DocumentField[] = []
    for (const field of fields) (this.#isDirect(type, field) ? direct : conditional).push(field)
    const leaves = new Set(direct.flatMap((field) => (field.child === null ? [field.key] : [])))
    const rest = conditional.filter((field) => !leaves.has(field.key))
    parts.push(...this.#printFields(direct), ...this.#printFragments(type, rest))
    return `{${parts.length === 0 ? '__typename' : parts.join(' ')}}`
  }

  #printFields(fields: readonly DocumentField[]): readonly string[] {
    const byKey = new Map<string, DocumentField[]>()
    this.#budget.step(fields.length / 2)
    for (const field of fields) {
      const same = byKey.get(field.key)
      if (same === undefined) byKey.set(field.key, [field])
      else same.push(field)
    }
    return [...byKey].flatMap(([key, same]) => {
      const [first] = same
      if (first === undefined) return []
      for (const variable of first.variables) this.#variables.add(variable)
      const children = same.flatMap((field) => field.child ?? [])
      const alias = key === first.name ? '' : `${key}:`
      return [`${alias}${first.name}${first.args}${children.length === 0 ? '' : this.#below(children)}`]
    })
  }

  #below(children: readonly DocumentSelection[]): string {
    const [first] = children
    const text = this.print(children)
    const type = first?.type ?? null
    // What the supergraph calls a root type may have another name in the subgraph.
    if (type === null || Object.values(this.#graph.compiled.roots).includes(type)) return text
    return this.#texts.add(typeOf(this.#graph, type).name, text)
  }

  #printFragments(type: TypeId | null, fields: readonly DocumentField[]): readonly string[] {
    const byText = new Map<string, TypeId[]>()
    for (const { objects, selected } of this.#classes(fields)) {
      const text = this.#printFields(selected).join(' ')
      byText.set(text, [...(byText.get(text) ?? []), ...objects])
    }
    for (const objects of byText.values()) objects.sort(this.#byName)
    return [...byText].flatMap(([text, types]) => {
      const names = this.#conditions(type, types, fields)
      if (type !== null) this.#budget.typeConditions(names.length)
      return names.map((name) => `...on ${name}{${text}}`)
    })
  }

  /** Object types for which the same is selected, in the order of their first one. */
  #classes(
    fields: readonly DocumentField[],
  ): readonly { objects: TypeId[]; selected: readonly DocumentField[] }[] {
    const byObject = new Map<TypeId, DocumentField[]>()
    for (const field of fields) {
      this.#budget.step(field.on.size / 8)
      for (const object of field.on) {
        const selected = byObject.get(object)
        if (selected === undefined) byObject.set(object, [field])
        else selected.push(field)
      }
    }
    const numbers = new Map(fields.map((field, number) => [field, number]))
    const classes = new Map<string, { objects: TypeId[]; selected: readonly DocumentField[] }>()
    for (const [object, selected] of [...byObject].sort(([a], [b]) => this.#byName(a, b))) {
      const key = selected.map((field) => numbers.get(field)).join(',')
      const known = classes.get(key)
      if (known === undefined) classes.set(key, { objects: [object], selected })
      else known.objects.push(object)
    }
    return [...classes.values()]
  }

  /**
   * One common interface if the subgraph has one that means exactly these types here, else the types one by
   * one.
   */
  #conditions(
    type: TypeId | null,
    types: readonly TypeId[],
    fields: readonly DocumentField[],
  ): readonly string[] {
    const nameOf = (id: TypeId) => typeOf(this.#graph, id).name
    if (types.length < 2) return types.map(nameOf)
    this.#budget.step(types.length / 8)
    // Among entities anything may come back.
    const here = type === null ? null : new Set(presenceOf(this.#graph, type, this.#sub)?.runtime)
    const [first] = types
    const selected = fields.filter((field) => first !== undefined && field.on.has(first))
    for (const candidate of first === undefined ? [] : typeOf(this.#graph, first).interfaces) {
      const presence = presenceOf(this.#graph, candidate, this.#sub)
      if (presence === undefined || presence.interfaceObject) continue
      const meant = presence.runtime.filter((object) => here === null || here.has(object))
      if (meant.length !== types.length || !types.every((object) => meant.includes(object))) continue
      if (selected.every((field) => this.#declaredOn(candidate, field))) return [nameOf(candidate)]
    }
    return types.map(nameOf)
  }

  /**
   * May stand without a type condition: every object that can be here has it selected, and the type declares
   * it.
   */
  #isDirect(type: TypeId | null, field: DocumentField): boolean {
    if (type === null) return false
    const { kind } = typeOf(this.#graph, type)
    const presence = presenceOf(this.#graph, type, this.#sub)
    if (kind === 'object' || presence === undefined || presence.interfaceObject) return true
    this.#budget.step(field.on.size / 16)
    return presence.runtime.every((object) => field.on.has(object)) && this.#declaredOn(type, field)
  }

  /**
   * Whether the type declares the field with a type that conflicts with no other where those of the objects
   * do not.
   */
  #declaredOn(type: TypeId, field: DocumentField): boolean {
    const declared = typeOf(this.#graph, type).fields.find((candidate) => candidate.name === field.name)
    const own = declared?.edges.find((edge) => edge.sub === this.#sub)?.type
    if (own === undefined || (field.child !== null && namedType(own) !== field.child.type)) return false
    return mergeableShape(this.#graph, own) === mergeableShape(this.#graph, field.type)
  }
}
