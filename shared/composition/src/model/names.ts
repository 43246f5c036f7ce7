/** Which specification a name of a subgraph belongs to: directives, scalars of federation, root types. */
import { Kind, type DocumentNode, type TypeNode } from 'graphql'
import { readDirectiveNames, type SpecifiedDirective } from '../directives/specified-directives.ts'
import { findFederationLink, type FederationLink } from '../federation/federation-link.ts'
import { minorVersion } from '../federation/federation-versions.ts'
import { TYPES_OF_ARGUMENTS } from '../events/event-directives.ts'
import { operationTypes } from '../documents/definitions.ts'

/** How the names of one document are read. */
export type Names = {
  readonly link: FederationLink | null
  /** The minor version of Federation 2; null for Federation 1. */
  readonly minor: number | null
  /** The directive that a name stands for; null for one of the subgraph's own. */
  readonly directive: (used: string) => SpecifiedDirective | null
  /** The name that a type has in the supergraph. */
  readonly type: (written: string) => string
  /** True for types that a specification brings, or that routers add for themselves. */
  readonly isMachinery: (written: string) => boolean
}

/** Directives that the composers of Federation 1 know besides those of its specification. */
const ALSO_OF_FEDERATION_1: ReadonlySet<string> = new Set(['tag', 'inaccessible', 'override'])
const MACHINERY: ReadonlySet<string> = new Set([
  '_Any',
  '_Entity',
  '_Service',
  '_FieldSet',
  'link__Import',
  'link__Purpose',
  'link_Import',
  'link_Purpose',
  'core__Purpose',
])
/** The scalars of the federation specification, which a link may import. */
const SCALARS: ReadonlySet<string> = new Set(['FieldSet', 'Scope', 'Policy', 'ContextFieldValue'])
/** The names of root types in every supergraph, by the kind of operation. */
export const ROOT_NAMES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** Reads the links and the root types of a document. */
export function readNames(document: DocumentNode): Names {
  const link = findFederationLink(document)
  const known = new Map<string, SpecifiedDirective | null>()
  const read = readDirectiveNames(document)
  const directive = (used: string): SpecifiedDirective | null => {
    let found = known.get(used)
    if (found === undefined) {
      found = withoutNamespace(read(used), link) ?? ofFederation1(link, used)
      known.set(used, found)
    }
    return found
  }
  const roots = rootNames(document)
  return {
    link,
    minor: link === null ? null : minorVersion(link),
    directive,
    type: (written) => roots.get(written) ?? written,
    isMachinery: (written) =>
      MACHINERY.has(written) ||
      TYPES_OF_ARGUMENTS.has(written) ||
      (link !== null &&
        (written.startsWith(`${link.namespace}__`) || SCALARS.has(link.imports.get(written) ?? ''))),
  }
}

/** The type as the supergraph writes it: `[Query!]!` for `[RootQuery!]!`. */
export function typeText(type: TypeNode, names: Names): string {
  if (type.kind === Kind.NON_NULL_TYPE) return `${typeText(type.type, names)}!`
  if (type.kind === Kind.LIST_TYPE) return `[${typeText(type.type, names)}]`
  return names.type(type.name.value)
}

/** The named type inside of lists and non-null types: `Query` of `[Query!]!`. */
export function namedTypeOf(text: string): string {
  return text.replaceAll(/[[\]!]/g, '')
}

/** An import of `@federation__key` means the key, as that name does without an import. */
function withoutNamespace(
  found: SpecifiedDirective | null,
  link: FederationLink | null,
): SpecifiedDirective | null {
  if (found === null || link === null || found.specification !== 'federation') return found
  return { ...found, name: unprefixed(found.name, link) }
}

/** `key` for `federation__key`; any other name as it is. */
export function unprefixed(name: string, { namespace }: FederationLink): string {
  return name.startsWith(`${namespace}__`) ? name.slice(namespace.length + 2) : name
}

function ofFederation1(link: FederationLink | null, used: string): SpecifiedDirective | null {
  return link === null && ALSO_OF_FEDERATION_1.has(used) ? { specification: 'federation', name: used } : null
}

function rootNames(document: DocumentNode): ReadonlyMap<string, string> {
  return new Map(
    operationTypes(document).map(({ operation, type }) => [type.name.value, ROOT_NAMES[operation]] as const),
  )
}
