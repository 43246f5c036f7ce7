/**
 * Entities that a world gives and does not find again. A plan may ask for any entity by any of its keys, so
 * one that is in no table turns null there, and that looks like a wrong plan.
 */
import { execute, type GraphQLSchema, isObjectType, Kind, parse, type SelectionSetNode } from 'graphql'
import { concreteTypes, createMonolith, worldField } from './monolith.ts'
import { findRow, holdsAll, isRow } from './references.ts'
import { readSubgraphFacts, type TypeFacts } from './subgraph-facts.ts'
import type { Row, Suite, SuiteOperation, SuiteSubgraph, Tables } from './suite.ts'

type Entry = { readonly name: string; readonly subgraph: SuiteSubgraph; readonly type: TypeFacts }

/** Describes entities of the operations' results that some subgraph does not find by a complete key. */
export async function lostEntities(
  suite: Suite,
  operations: readonly SuiteOperation[],
): Promise<readonly string[]> {
  const { world: schema } = createMonolith(suite)
  const entries = Object.entries(suite.subgraphs).flatMap(([name, subgraph]) =>
    [...readSubgraphFacts(subgraph.sdl).values()].map((type): Entry => ({ name, subgraph, type })),
  )
  const lost = new Set<string>()
  const seen = new Set<Row>()
  // At once: a later field of a mutation may well remove it.
  hearResults(schema, (row, tables) => {
    if (seen.has(row)) return
    seen.add(row)
    for (const words of lostBy(suite, schema, entries, row, tables)) lost.add(words)
  })
  for (const { query, variables, operationName } of operations) {
    const options = { variableValues: variables ?? {}, operationName: operationName ?? null }
    await execute({ schema, document: parse(query), contextValue: suite.tables?.() ?? {}, ...options })
  }
  return [...lost]
}

function hearResults(schema: GraphQLSchema, hear: (row: Row, tables: Tables) => void): void {
  const hearAll = (value: unknown, tables: Tables): void => {
    if (Array.isArray(value)) for (const item of value) hearAll(item, tables)
    else if (isRow(value)) hear(value, tables)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      field.resolve = (row: unknown, args, tables: Tables, info) => {
        const value: unknown = resolve?.(row, args, tables, info)
        hearAll(value, tables)
        return value
      }
    }
  }
}

function* lostBy(
  suite: Suite,
  schema: GraphQLSchema,
  entries: readonly Entry[],
  row: Row,
  tables: Tables,
): Generator<string> {
  for (const { name, subgraph, type } of entries) {
    if (!concreteTypes(schema, type.name).includes(row.__typename)) continue
    for (const key of type.keys) {
      if (!key.resolvable) continue
      const representation = { __typename: type.name, ...keyOf(suite, row, key.selection, tables) }
      if (!holdsAll(representation, key.selection) || subgraph.missing?.(representation) === true) continue
      if (findRow(suite, schema, { ...type, keys: [key] }, representation, tables) === null)
        yield `${name} does not find ${row.__typename} by ${JSON.stringify(representation)}`
    }
  }
}

/** Returns the key as far as the row has it. Fields that throw are left out. */
function keyOf(
  suite: Suite,
  row: Row,
  { selections }: SelectionSetNode,
  tables: Tables,
): Readonly<Record<string, unknown>> {
  const key: Record<string, unknown> = {}
  for (const node of selections) {
    if (node.kind !== Kind.FIELD) continue
    const value = valueOf(suite, row, node.name.value, tables)
    const below = node.selectionSet
    if (value !== undefined)
      key[node.name.value] =
        below === undefined ? value : deep(value, (child) => keyOf(suite, child, below, tables))
  }
  return key
}

function valueOf(suite: Suite, row: Row, field: string, tables: Tables): unknown {
  try {
    const value = worldField(suite, `${row.__typename}.${field}`)(row, {}, tables)
    return value instanceof Error ? undefined : value
  } catch {
    return undefined
  }
}

function deep(value: unknown, change: (row: Row) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => deep(item, change))
  return isRow(value) ? change(value) : value
}
