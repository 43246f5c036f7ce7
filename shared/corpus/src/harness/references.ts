/** The row that a representation stands for, as every subgraph of the corpus finds it. */
import { isRecord } from '@switchyard/values'
import { type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql'
import { concreteTypes, worldField } from './monolith.ts'
import type { TypeFacts } from './subgraph-facts.ts'
import type { Inputs, Row, Suite, Tables } from './suite.ts'

export function findRow(
  suite: Suite,
  schema: GraphQLSchema,
  type: TypeFacts,
  representation: Inputs,
  tables: Tables,
): Row | null {
  for (const { selection, resolvable } of type.keys) {
    if (!resolvable || !holdsAll(representation, selection)) continue
    for (const concrete of concreteTypes(schema, type.name)) {
      for (const row of tables[concrete] ?? []) {
        if (matches(suite, row, selection, representation, tables)) return row
      }
    }
  }
  return null
}

export function holdsAll(value: Inputs, selection: SelectionSetNode): boolean {
  return selection.selections.every((node) => {
    if (node.kind !== Kind.FIELD) return true
    const child = value[node.name.value]
    if (child === undefined || child === null) return false
    const below = node.selectionSet
    if (below === undefined) return true
    return asList(child).every((item) => isRecord(item) && holdsAll(item, below))
  })
}

function matches(
  suite: Suite,
  row: Row,
  selection: SelectionSetNode,
  wanted: Inputs,
  tables: Tables,
): boolean {
  return selection.selections.every((node) => {
    if (node.kind !== Kind.FIELD) return true
    const name = node.name.value
    const have = worldField(suite, `${row.__typename}.${name}`)(row, {}, tables)
    const want = wanted[name]
    const below = node.selectionSet
    if (below === undefined) return leafEquals(have, want)
    const haves = asList(have)
    const wants = asList(want)
    return (
      haves.length === wants.length &&
      haves.every((item, index) => {
        const other = wants[index]
        return isRow(item) && isRecord(other) && matches(suite, item, below, other, tables)
      })
    )
  })
}

/** Ids may be numbers in the data and are strings on the wire. */
function leafEquals(have: unknown, want: unknown): boolean {
  if (Array.isArray(have) && Array.isArray(want)) {
    return have.length === want.length && have.every((item, index) => leafEquals(item, want[index]))
  }
  return have === want || (typeof have === 'number' && String(have) === want)
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flatMap(asList) : [value]
}

export function isRow(value: unknown): value is Row {
  return isRecord(value) && typeof value['__typename'] === 'string' && !(value instanceof Error)
}
