/** The schema of a composition, as people look it up: its types, one of them, and what a search finds. */
import { z } from 'zod'
import { Sha256 } from '../names.ts'

/** The composition that an answer is about. */
const OF_COMPOSITION = {
  namespace: z.string(),
  graph: z.string(),
  /** Its name, in the form in which routes take it. */
  composition: z.string(),
  /** Hash of its artifact. Equal hashes are equal compositions. */
  artifact: Sha256,
}

/** Kinds of types in the order of the letters by which `CompositionTypes` names them. */
export const TYPE_KINDS = ['OBJECT', 'INTERFACE', 'UNION', 'ENUM', 'SCALAR', 'INPUT_OBJECT'] as const
export const TypeKind = z.enum(TYPE_KINDS)
export type TypeKind = z.infer<typeof TypeKind>

/**
 * All types of the client schema, sorted by name, in columns: entry `i` of each list is about type `i`.
 * Columns keep 20,000 types small when they are compressed.
 */
export const CompositionTypes = z.object({
  ...OF_COMPOSITION,
  /** Names of the subgraphs. */
  subgraphs: z.array(z.string()),
  /** Names of the types of root operations; null where there is none. */
  roots: z.object({
    query: z.string().nullable(),
    mutation: z.string().nullable(),
    subscription: z.string().nullable(),
  }),
  names: z.array(z.string()),
  /** Places in `TYPE_KINDS`: 0 is an object. */
  kinds: z.array(
    z
      .int()
      .min(0)
      .max(TYPE_KINDS.length - 1),
  ),
  /** Fields, input fields, enum values or members that clients see. */
  sizes: z.array(z.int().min(0)),
  /** Sets of subgraphs, as places in `subgraphs`. */
  subgraphSets: z.array(z.array(z.int().min(0))),
  /** Those that define a type, as places in `subgraphSets`. */
  definedBy: z.array(z.int().min(0)),
})
export type CompositionTypes = z.infer<typeof CompositionTypes>

/** All of what clients see of a composition. */
export const CompositionSchema = z.object({ ...OF_COMPOSITION, sdl: z.string() })
export type CompositionSchema = z.infer<typeof CompositionSchema>

/** A directive that was applied, without those that only composition and routers read. */
export const AppliedDirective = z.object({
  /** Name without `@`. */
  name: z.string(),
  /** Values are GraphQL literals. */
  arguments: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type AppliedDirective = z.infer<typeof AppliedDirective>

const DESCRIBED = {
  name: z.string(),
  description: z.string().nullable(),
  /** Reason of `@deprecated`; null if it is not deprecated. */
  deprecated: z.string().nullable(),
  /** Whether clients do not see it. */
  inaccessible: z.boolean(),
  directives: z.array(AppliedDirective),
}

/** An argument or input field. `defaultValue` is a GraphQL literal. */
const INPUT_VALUE = { ...DESCRIBED, type: z.string(), defaultValue: z.string().nullable() }

/** A field in one subgraph. */
export const FieldInSubgraph = z.object({
  subgraph: z.string(),
  /** The type that it has there, where that is another one. */
  type: z.string().nullable(),
  /** Whether it only refers to the field of another subgraph, and does not resolve it. */
  external: z.boolean(),
  /** Selection sets of `@requires` and `@provides`. */
  requires: z.string().nullable(),
  provides: z.string().nullable(),
  /** The subgraph that it takes the field from, and the label of a progressive override. */
  override: z.string().nullable(),
  overrideLabel: z.string().nullable(),
  /** Whether another subgraph took the field over, so that this one only uses it in keys and the like. */
  usedOverridden: z.boolean(),
  /** Whether requests may be answered by this subgraph. */
  resolves: z.boolean(),
})
export type FieldInSubgraph = z.infer<typeof FieldInSubgraph>

/** A field of an object or interface, or an input field (which has a default and no arguments). */
export const FieldView = z.object({
  ...INPUT_VALUE,
  arguments: z.array(z.object(INPUT_VALUE)),
  subgraphs: z.array(FieldInSubgraph),
})
export type FieldView = z.infer<typeof FieldView>

/**
 * One type. Lists that its kind does not have are empty. Fields, members and values are told in pages: `from`
 * is the place of the first one of this page, and `total` how many the type has.
 */
export const CompositionType = z.object({
  ...OF_COMPOSITION,
  ...DESCRIBED,
  kind: TypeKind,
  /** The subgraphs that define it. */
  subgraphs: z.array(
    z.object({
      subgraph: z.string(),
      /** Selection sets of `@key`; those with `resolvable: false` only refer to an entity of others. */
      keys: z.array(z.object({ fields: z.string(), resolvable: z.boolean() })),
      interfaceObject: z.boolean(),
    }),
  ),
  interfaces: z.array(z.string()),
  /** Object types and interfaces that implement it. */
  implementedBy: z.array(z.string()),
  /** Members of a union, and enum values, with the subgraphs that have them. */
  members: z.array(z.object({ name: z.string(), subgraphs: z.array(z.string()) })),
  values: z.array(z.object({ ...DESCRIBED, subgraphs: z.array(z.string()) })),
  fields: z.array(FieldView),
  from: z.int().min(0),
  total: z.int().min(0),
  /** Coordinates of fields and arguments of this type, the first 200 of `usedByCount`. */
  usedBy: z.array(z.string()),
  usedByCount: z.int().min(0),
})
export type CompositionType = z.infer<typeof CompositionType>

/** The best matches first: names that are equal, begin with or contain the text, then descriptions. */
export const CompositionSearch = z.object({
  ...OF_COMPOSITION,
  matches: z.array(
    z.object({
      /** `Product`, `Product.price`, `Query.search(term:)`, `Colour.RED`. */
      coordinate: z.string(),
      kind: z.enum(['type', 'field', 'argument', 'input-field', 'enum-value']),
      /** The type by whose name `types/{type}` answers with what was found. */
      type: z.string(),
      matched: z.enum(['name', 'description']),
      /** The description around the text; only if the text was found there. */
      excerpt: z.string().nullable(),
    }),
  ),
  /** Whether there are more matches than were asked for. */
  more: z.boolean(),
})
export type CompositionSearch = z.infer<typeof CompositionSearch>
