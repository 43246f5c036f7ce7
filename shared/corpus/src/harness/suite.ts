/**
 * A suite of the corpus: one world of plain data, told once as a monolith and once as subgraphs.
 *
 * Both sides read the same rows through the same functions. What a subgraph may and may not answer follows
 * from its own SDL alone (see subgraph-behaviour.ts), so a plan that asks the wrong subgraph gets an error
 * and not the right value.
 */

/** An object of the world. `__typename` is its concrete type. */
export type Row = { readonly __typename: string; readonly [field: string]: unknown }

/** Rows of the entity types, by type name. Made anew for every operation, so mutations may write. */
export type Tables = Readonly<Record<string, Row[]>>

export type Arguments = Readonly<Record<string, unknown>>

export type FieldFunction = (row: Row, args: Arguments, tables: Tables) => unknown

/** The fields of a representation besides its key, as the field that requires them sees them. */
export type Inputs = Readonly<Record<string, unknown>>

export type ComputedField = {
  /** Computes from the inputs only. Reading an input that was not sent throws. */
  readonly compute: (inputs: Inputs, args: Arguments) => unknown
  /** The inputs as the monolith has them; the row itself when absent. */
  readonly inputs?: (row: Row, tables: Tables) => Inputs
}

export type SuiteSubgraph = {
  readonly sdl: string
  /** Where this subgraph differs from the world: `Type.field`. */
  readonly fields?: Readonly<Record<string, FieldFunction>>
  /** Representations this subgraph has nothing for: it answers null. */
  readonly missing?: (representation: Inputs) => boolean
  /** The same, said of the row that the representation stands for. */
  readonly missingRow?: (row: Row) => boolean
  /** Takes the place of the answer: an HTTP-level failure. Return null to let the answer through. */
  readonly sabotage?: (query: string, answer: HttpAnswer) => Sabotage | null
}

export type HttpAnswer = { readonly status: number; readonly body: unknown }

export type Sabotage =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

export type SuiteOperation = {
  readonly name: string
  readonly query: string
  readonly operationName?: string
  readonly variables?: Arguments
  /** Active labels of progressive overrides. */
  readonly labels?: readonly string[]
  /**
   * How the errors are compared with the monolith's. If it is absent, there must be none. `exact` means the
   * same set of paths. `prefix` means that every path of either side begins, or is begun by, one of the other
   * side: a failed fetch reports one error where the monolith has one per field.
   */
  readonly errors?: 'exact' | 'prefix'
  /** True if lists are compared as sets, as for introspection, which promises no order of definitions. */
  readonly anyOrder?: true
}

export type Suite = {
  readonly name: string
  /** The client's schema. */
  readonly monolith: string
  /** The schema together with what clients do not see of it, where there is such a thing. */
  readonly whole?: string
  readonly tables?: () => Tables
  /** `Type.field`; a field without an entry reads the property of its name. */
  readonly fields?: Readonly<Record<string, FieldFunction>>
  readonly computed?: Readonly<Record<string, ComputedField>>
  readonly subgraphs: Readonly<Record<string, SuiteSubgraph>>
  readonly operations: readonly SuiteOperation[]
}

const IMPORTS =
  '["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@interfaceObject", "@extends"]'

/** Opens a Federation 2 subgraph document. */
export const FED2 = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ${IMPORTS})\n`

export function find(rows: readonly Row[] | undefined, field: string, value: unknown): Row | null {
  return rows?.find((row) => row[field] === value) ?? null
}

export function findAll(
  rows: readonly Row[] | undefined,
  field: string,
  values: unknown,
): readonly (Row | null)[] {
  return Array.isArray(values) ? values.map((value) => find(rows, field, value)) : []
}

export function subgraphInputs(suite: Suite) {
  return Object.entries(suite.subgraphs).map(([name, { sdl }]) => ({
    name,
    routingUrl: `http://${name}.test/`,
    sdl,
  }))
}
