/**
 * Values without tables: what a field gives follows from the object it is asked of, its name and its
 * arguments.
 *
 * Entities exist in a fixed number per type; every other object is made on the way and known by where it was
 * found. Some names have a meaning, so that keys tell entities apart: `ka` and `kb` are two halves of the
 * number of an entity, `twin…` leads to the entity of the same number, lists called `key…` are never empty,
 * `stamp` counts the mutations so far.
 */
import { ROOT } from '../harness/monolith.ts'
import type { Arguments, Row, Tables } from '../harness/suite.ts'
import { hashText } from '@switchyard/samples'
import type * as Samples from '@switchyard/samples'

export const INSTANCES = 4

/** The table whose only row is the event that fields of the subscription root are asked for. */
export const EVENT = '$event'

/** Returns a table with an event. Events of other numbers have other values. */
export function eventTable(event: number): Tables {
  return { [EVENT]: [{ __typename: 'Subscription', ident: `event ${event}` }] }
}

/** A type as values are made for it: as narrow as the narrowest promise of any subgraph. */
export type Shape = Samples.Shape<string>
export type Leaf = Samples.Leaf<string>

export function identOf(row: Row): string {
  return typeof row['ident'] === 'string' ? row['ident'] : row.__typename
}

export function entityRows(type: string): Row[] {
  return Array.from({ length: INSTANCES }, (_, index) => ({
    __typename: type,
    ident: `${type}#${index}`,
    index,
  }))
}

export function fieldValue(
  salt: number,
  row: Row,
  field: string,
  shape: Shape,
  args: Arguments,
  tables: Tables,
): unknown {
  if (field === 'stamp') return tables['$log']?.length ?? 0
  const index = typeof row['index'] === 'number' ? row['index'] : null
  if (index !== null && field === 'ka') return index & 1
  if (index !== null && field === 'kb') return index >> 1
  return valueOf(shape, `${salt}/${identOf(row)}.${field}${argumentText(args)}`, { field, index, tables })
}

/** Key order does not matter to a field. */
export function argumentText(args: Arguments): string {
  return Object.keys(args).length === 0 ? '' : JSON.stringify(sorted(args))
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, child]) => [key, sorted(child)])
}

type Place = { readonly field: string; readonly index: number | null; readonly tables: Tables }

function valueOf(shape: Shape, path: string, place: Place): unknown {
  const hash = hashText(path)
  if (!shape.nonNull && hash % 7 === 3) return null
  if (shape.list !== null) {
    const least = place.field.startsWith('key') ? 1 : 0
    const items = shape.list
    return Array.from({ length: least + (hash % 3) }, (_, at) => valueOf(items, `${path}[${at}]`, place))
  }
  switch (shape.leaf.kind) {
    case 'scalar':
      return scalarValue(shape.leaf.name, hash, path)
    case 'enum':
      return shape.leaf.values[hash % shape.leaf.values.length] ?? null
    case 'object':
      return objectOf(shape.leaf.types[hash % shape.leaf.types.length], hash, place)
    default:
      return shape.leaf satisfies never
  }
}

function objectOf(type: string | undefined, hash: number, { field, index, tables }: Place): Row | null {
  if (type === undefined) return null
  // There is one root, wherever it is reached from.
  if (type === 'Query') return ROOT
  const rows = tables[type]
  if (rows === undefined) return { __typename: type, ident: `${type}@${hash.toString(36)}` }
  const number = field.startsWith('twin') && index !== null ? index : hash >>> 3
  return rows[number % rows.length] ?? null
}

function scalarValue(name: string, hash: number, path: string): unknown {
  switch (name) {
    case 'Int':
      return hash % 1000
    case 'Float':
      return (hash % 1000) / 4
    case 'Boolean':
      return hash % 2 === 0
    case 'ID':
      return `#${hash.toString(36)}`
    case 'String':
      return path.slice(path.indexOf('/') + 1)
    default:
      return [hash % 100, `s${hash % 100}`, { a: hash % 10, b: [null, true] }, [hash % 10]][hash % 4]
  }
}

/** The value of a field that is made from `inputs` alone. */
export function computedValue(salt: number, inputs: string, shape: Shape): unknown {
  return valueOf(shape, `${salt}/${inputs}`, { field: '', index: null, tables: {} })
}
