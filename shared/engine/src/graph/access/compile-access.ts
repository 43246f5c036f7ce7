/**
 * Reads who may see what: `@authenticated`, `@requiresScopes` and `@policy`, as composition wrote them into
 * the supergraph (https://specs.apollo.dev/authenticated/v0.1, …/requiresScopes/v0.1, …/policy/v0.1).
 *
 * A field that reads others by `@requires` shows what it makes of them. So it demands what they demand, too.
 * Composition insists on that (`MISSING_TRANSITIVE_AUTH_REQUIREMENTS`); supergraphs of older composers may
 * lack it.
 *
 * A subgraph that has an interface as an object type is asked for a field without knowing the types of the
 * objects. So such a field demands what it demands of any of these types.
 */
import {
  type ConstDirectiveNode,
  type ConstValueNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
} from 'graphql'
import type { TypeId } from '../../ids/ids.ts'
import type {
  AccessCondition,
  CompiledAccess,
  CompiledGraph,
  CompiledType,
  FieldSet,
} from '../compiled/compiled-graph.ts'
import { argumentOf, type NodeWithDirectives } from '../header/directives.ts'
import type { AccessRule } from '../header/features.ts'
import { parseSupergraph, readHeader, type SupergraphHeader } from '../header/header.ts'
import { namedType } from '../compiled/named-type.ts'

/**
 * The conditions that a supergraph writes down itself, without those that follow from `@requires` and from
 * interface objects; null if nothing is protected. Throws SupergraphError.
 */
export function readAccess(supergraphSdl: string): CompiledAccess | null {
  return compileAccess(readHeader(parseSupergraph(supergraphSdl)), { types: [], removed: [] })
}

/** The conditions of all types and fields; null if nothing is protected. */
export function compileAccess(
  { document, names }: Pick<SupergraphHeader, 'document' | 'names'>,
  { types, removed }: Pick<CompiledGraph, 'types' | 'removed'>,
): CompiledAccess | null {
  if (names.accessRules.length === 0) return null
  const compiler = new AccessCompiler(names.accessDirectives, types, new Set(removed))
  for (const definition of document.definitions) {
    if (!isTypeDefinitionNode(definition) && !isTypeExtensionNode(definition)) continue
    const type = definition.name.value
    compiler.add(compiler.types, type, definition)
    for (const field of ('fields' in definition && definition.fields) || [])
      compiler.add(compiler.fields, `${type}.${field.name.value}`, field)
  }
  compiler.addInherited()
  return {
    conditions: compiler.conditions,
    types: listsOf(compiler.types),
    fields: listsOf(compiler.fields),
  }
}

/** Numbers of conditions by a type's name, or by a field's coordinate. */
type ConditionSets = Map<string, Set<number>>

class AccessCompiler {
  readonly conditions: AccessCondition[] = []
  readonly types: ConditionSets = new Map()
  readonly fields: ConditionSets = new Map()
  readonly #rules: ReadonlyMap<string, AccessRule>
  readonly #graphTypes: readonly CompiledType[]
  readonly #removed: ReadonlySet<TypeId>
  readonly #numbers = new Map<string, number>()

  constructor(
    rules: ReadonlyMap<string, AccessRule>,
    graphTypes: readonly CompiledType[],
    removed: ReadonlySet<TypeId>,
  ) {
    this.#rules = rules
    this.#graphTypes = graphTypes
    this.#removed = removed
  }

  /** Adds the conditions of the directives that are applied to a type or field. */
  add(sets: ConditionSets, name: string, { directives }: NodeWithDirectives): void {
    for (const applied of directives ?? []) {
      const rule = this.#rules.get(applied.name.value)
      if (rule !== undefined) merge(sets, name, [this.#numberOf(readCondition(rule, applied))])
    }
  }

  /**
   * Adds to fields the conditions of others that are fetched with them, until no condition is added any more.
   */
  addInherited(): void {
    const readers = this.#live.flatMap(({ id, name, fields }) =>
      fields.flatMap((field) =>
        field.edges.flatMap(({ requires }) =>
          requires === null ? [] : [{ id, coordinate: `${name}.${field.name}`, fieldSet: requires.fieldSet }],
        ),
      ),
    )
    const untyped = this.#untypedFields()
    for (let grew = true; grew; ) {
      grew = false
      for (const { id, coordinate, fieldSet } of readers) {
        const needed = new Set<number>()
        this.#collect(id, fieldSet, needed)
        grew = merge(this.fields, coordinate, needed) || grew
      }
      for (const coordinates of untyped) {
        const needed = new Set(
          coordinates.flatMap(({ type, coordinate }) => this.#demanded(type, coordinate)),
        )
        for (const { coordinate } of coordinates) grew = merge(this.fields, coordinate, needed) || grew
      }
    }
  }

  get #live(): readonly CompiledType[] {
    return this.#graphTypes.filter(({ id }) => !this.#removed.has(id))
  }

  #demanded(type: string, coordinate: string): readonly number[] {
    return [...(this.types.get(type) ?? []), ...(this.fields.get(coordinate) ?? [])]
  }

  /** The fields that interface objects give, each with all object types that it may be a field of. */
  #untypedFields(): readonly (readonly { readonly type: string; readonly coordinate: string }[])[] {
    return this.#live.flatMap(({ id, kind, fields, presence, possible }) => {
      const subgraphs = new Set(presence.flatMap(({ sub, interfaceObject }) => (interfaceObject ? sub : [])))
      if (kind !== 'interface' || subgraphs.size === 0) return []
      const given = fields.filter(({ edges }) => edges.some(({ sub }) => subgraphs.has(sub)))
      return given.map((field) =>
        [id, ...possible].flatMap((owner) => {
          const type = this.#graphTypes[owner]?.name
          return type === undefined ? [] : { type, coordinate: `${type}.${field.name}` }
        }),
      )
    })
  }

  #collect(type: TypeId, fieldSet: FieldSet, needed: Set<number>): void {
    for (const item of fieldSet) {
      if (item.kind === 'on') {
        this.#collect(item.type, item.below, needed)
        continue
      }
      for (const owner of new Set([type, ...(this.#graphTypes[type]?.possible ?? [])])) {
        const { name = '', fields = [] } = this.#graphTypes[owner] ?? {}
        const field = fields.find((each) => each.name === item.name)
        if (field === undefined) continue
        const target = namedType(field.type)
        for (const number of this.types.get(name) ?? []) needed.add(number)
        for (const number of this.fields.get(`${name}.${item.name}`) ?? []) needed.add(number)
        for (const number of this.types.get(this.#graphTypes[target]?.name ?? '') ?? []) needed.add(number)
        if (item.below !== null) this.#collect(target, item.below, needed)
      }
    }
  }

  #numberOf(condition: AccessCondition): number {
    const text = JSON.stringify(condition)
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.conditions.length)
    return this.conditions.push(condition) - 1
  }
}

/** Whether the set of a name has grown. */
function merge(sets: ConditionSets, name: string, numbers: Iterable<number>): boolean {
  const set = sets.get(name) ?? new Set()
  const before = set.size
  for (const number of numbers) set.add(number)
  if (set.size > 0) sets.set(name, set)
  return set.size > before
}

function listsOf(sets: ConditionSets): ReadonlyMap<string, readonly number[]> {
  return new Map([...sets].map(([name, numbers]) => [name, [...numbers].sort((a, b) => a - b)]))
}

function readCondition(rule: AccessRule, applied: ConstDirectiveNode): AccessCondition {
  switch (rule) {
    case 'authenticated':
      return { kind: 'authenticated' }
    case 'requiresScopes':
      return { kind: 'scopes', anyOf: readAlternatives(argumentOf(applied, 'scopes')) }
    case 'policy':
      return { kind: 'policies', anyOf: readAlternatives(argumentOf(applied, 'policies')) }
    default:
      return rule satisfies never
  }
}

/**
 * Reads the alternatives of a condition, such as `[["a", "b"], ["c"]]`. One value stands for a list of one,
 * as GraphQL coerces lists. A value that is no list of strings gives no alternative, and nobody meets such a
 * condition.
 */
function readAlternatives(value: ConstValueNode | undefined): readonly (readonly string[])[] {
  return itemsOf(value).flatMap((item) => {
    const names = itemsOf(item).flatMap((name) => (name.kind === Kind.STRING ? [name.value] : []))
    return names.length === itemsOf(item).length ? [names] : []
  })
}

function itemsOf(value: ConstValueNode | undefined): readonly ConstValueNode[] {
  if (value === undefined) return []
  return value.kind === Kind.LIST ? value.values : [value]
}
