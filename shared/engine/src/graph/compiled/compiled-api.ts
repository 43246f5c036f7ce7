/**
 * The schema clients see, as plain data: what a worker makes of the supergraph, and the main thread builds a
 * `GraphQLSchema` from, type by type. In the order of the supergraph, which is the order of introspection.
 */
import type { ConstValueNode, DirectiveLocation } from 'graphql'

/** The whole schema: root types by name, types and directives. */
export type CompiledApi = {
  readonly description: string | undefined
  readonly query: string | undefined
  readonly mutation: string | undefined
  readonly subscription: string | undefined
  readonly types: readonly ApiType[]
  /** Those that operations may use; the ones of the specification are not among them. */
  readonly directives: readonly ApiDirective[]
}

type Described = { readonly name: string; readonly description: string | undefined }
type Deprecable = Described & { readonly deprecationReason: string | undefined }

/** An argument, or a field of an input object. Types are written as in SDL: `[Product!]`. */
export type ApiInput = Deprecable & { readonly type: string; readonly default: ConstValueNode | undefined }
/** A field of an object or interface type. */
export type ApiField = Deprecable & { readonly type: string; readonly args: readonly ApiInput[] }

/**
 * The scalars of the specification that fields and arguments of a type have, in the order of their first use:
 * introspection lists only those that are used.
 */
type UsingScalars = { readonly scalars: readonly string[] }

/** A type by its kind, with names in place of references. */
export type ApiType =
  | (Described & { readonly kind: 'scalar'; readonly specifiedByURL: string | undefined })
  | (Described &
      UsingScalars & {
        readonly kind: 'object' | 'interface'
        readonly interfaces: readonly string[]
        readonly fields: readonly ApiField[]
      })
  | (Described & { readonly kind: 'union'; readonly types: readonly string[] })
  | (Described & { readonly kind: 'enum'; readonly values: readonly Deprecable[] })
  | (Described &
      UsingScalars & {
        readonly kind: 'input'
        readonly fields: readonly ApiInput[]
        readonly isOneOf: boolean
      })

/** A directive that clients may use or see. */
export type ApiDirective = Deprecable & {
  readonly locations: readonly DirectiveLocation[]
  readonly isRepeatable: boolean
  readonly args: readonly ApiInput[]
}
