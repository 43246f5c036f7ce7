/** The directives and scalars of the federation specification, in each of its versions. */
import { Kind, parse, type DirectiveDefinitionNode } from 'graphql'

/** One definition of the specification, in the versions from `since` up to and without `until`. */
type Specified = {
  /** The 7 of 2.7. */
  readonly since: number
  readonly until?: number
  /** True for directives that composers of Federation 1 know as well. */
  readonly isOfFederation1?: true
  readonly sdl: string
}

const ANYWHERE =
  'FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ENUM | ENUM_VALUE | SCALAR | INPUT_OBJECT | INPUT_FIELD_DEFINITION | ARGUMENT_DEFINITION'
const OUTPUT = 'FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM'

/** The table. `@tag` on a schema came with the third version of its own specification, which any may link. */
const SPECIFIED: readonly Specified[] = [
  {
    since: 0,
    isOfFederation1: true,
    sdl: '@key(fields: FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE',
  },
  { since: 0, isOfFederation1: true, sdl: '@requires(fields: FieldSet!) on FIELD_DEFINITION' },
  { since: 0, isOfFederation1: true, sdl: '@provides(fields: FieldSet!) on FIELD_DEFINITION' },
  { since: 0, isOfFederation1: true, sdl: '@external on OBJECT | FIELD_DEFINITION' },
  { since: 0, isOfFederation1: true, sdl: '@extends on OBJECT | INTERFACE' },
  { since: 0, isOfFederation1: true, sdl: `@tag(name: String!) repeatable on ${ANYWHERE} | SCHEMA` },
  { since: 0, isOfFederation1: true, sdl: `@inaccessible on ${ANYWHERE}` },
  { since: 0, until: 2, sdl: '@shareable on FIELD_DEFINITION | OBJECT' },
  { since: 2, sdl: '@shareable repeatable on FIELD_DEFINITION | OBJECT' },
  {
    since: 0,
    until: 7,
    isOfFederation1: true,
    sdl: '@override(from: String!) on FIELD_DEFINITION',
  },
  { since: 7, sdl: '@override(from: String!, label: String) on FIELD_DEFINITION' },
  { since: 1, sdl: '@composeDirective(name: String!) repeatable on SCHEMA' },
  { since: 3, sdl: '@interfaceObject on OBJECT' },
  { since: 5, sdl: `@authenticated on ${OUTPUT}` },
  { since: 5, sdl: `@requiresScopes(scopes: [[Scope!]!]!) on ${OUTPUT}` },
  { since: 6, sdl: `@policy(policies: [[Policy!]!]!) on ${OUTPUT}` },
  {
    since: 8,
    sdl: '@cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR',
  },
  {
    since: 8,
    sdl: '@listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION',
  },
  { since: 8, sdl: '@context(name: String!) repeatable on INTERFACE | OBJECT | UNION' },
  { since: 8, sdl: '@fromContext(field: ContextFieldValue) on ARGUMENT_DEFINITION' },
  { since: 12, sdl: '@cacheTag(format: String!) repeatable on FIELD_DEFINITION | OBJECT' },
]

/** The scalars, with the version that brought them. */
const SCALARS: ReadonlyMap<string, number> = new Map([
  ['FieldSet', 0],
  ['Scope', 5],
  ['Policy', 6],
  ['ContextFieldValue', 8],
])

type Definition = Specified & { readonly node: DirectiveDefinitionNode }

const DEFINITIONS: ReadonlyMap<string, readonly Definition[]> = Map.groupBy(
  SPECIFIED.flatMap((specified): readonly Definition[] => {
    const [node] = parse(`directive ${specified.sdl}`, { noLocation: true }).definitions
    return node?.kind === Kind.DIRECTIVE_DEFINITION ? [{ ...specified, node }] : []
  }),
  ({ node }) => node.name.value,
)

/** The directive of the link specification, which brings all others. One without a URL is passed over. */
export const LINK_DEFINITION: DirectiveDefinitionNode | undefined = parse(
  'directive @link(url: String! = "", as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA',
  { noLocation: true },
).definitions.find((node) => node.kind === Kind.DIRECTIVE_DEFINITION)

/**
 * Returns the definition of a directive in version 2.`minor`, or in Federation 1 if `minor` is null. Null if
 * that version does not have it.
 */
export function federationDirective(name: string, minor: number | null): DirectiveDefinitionNode | null {
  const found = DEFINITIONS.get(name)?.find(({ since, until, isOfFederation1 }) =>
    minor === null ? isOfFederation1 === true : since <= minor && minor < (until ?? Infinity),
  )
  return found?.node ?? null
}

/** True if any version of the specification has a directive of this name. */
export function isFederationDirective(name: string): boolean {
  return DEFINITIONS.has(name)
}

/** True if version 2.`minor` has a directive or a scalar of this name, which a link may import. */
export function isImportable(name: string, minor: number): boolean {
  return federationDirective(name, minor) !== null || (SCALARS.get(name) ?? Infinity) <= minor
}
