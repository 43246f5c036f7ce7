/**
 * Which directive of which specification a name means in one document.
 *
 * A directive of federation comes with the link to the federation specification, or with a link to a
 * specification of its own: `@link(url: "https://specs.apollo.dev/authenticated/v0.1", import: [{ name:
 * "@authenticated", as: "@auth" }])`.
 */
import { Kind } from 'graphql'
import type { ConstDirectiveNode, DirectiveNode, DocumentNode } from 'graphql'
import {
  argument,
  federationDirectiveName,
  findFederationLink,
  readImports,
  specificationAt,
} from '../federation/federation-link.ts'

/** Directives of federation that have a specification of their own, the one of its name first. */
export const OWN_SPECIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  tag: ['tag'],
  inaccessible: ['inaccessible'],
  authenticated: ['authenticated'],
  requiresScopes: ['requiresScopes'],
  policy: ['policy'],
  cost: ['cost', 'listSize'],
  context: ['context', 'fromContext'],
  cacheTag: ['cacheTag'],
}

/** A directive by its specification and the name that it has there. */
export type SpecifiedDirective = {
  /** `federation`, whatever link brought the directive; `connect` for connectors. */
  readonly specification: string
  /** The name in its specification, without `@`. */
  readonly name: string
}

/**
 * Links are read by their URLs, whatever the directive that links is called: a schema may rename it, and a
 * name that is not recognised would leave without effect what its author relies on.
 */
export function readDirectiveNames(document: DocumentNode): (used: string) => SpecifiedDirective | null {
  const federation = findFederationLink(document)
  const links = schemaDirectives(document).flatMap((node) => {
    const specification = specificationOf(node)
    return specification === null || node === federation?.node
      ? []
      : [{ specification, namespace: namespaceOf(node, specification), imports: importsOf(node) }]
  })
  const positions = positionsByName(links)
  return (used) => {
    const name = federationDirectiveName(federation, used)
    if (name !== null) return { specification: 'federation', name }
    for (const position of positions(used)) {
      const link = links[position]
      if (link === undefined) continue
      const { specification, namespace, imports } = link
      const linked = imports.get(used) ?? unprefixed(used, namespace, specification)
      if (linked === null) continue
      const isFederation = OWN_SPECIFICATIONS[specification]?.includes(linked) === true
      return { specification: isFederation ? 'federation' : specification, name: linked }
    }
    return null
  }
}

type NamedLink = { readonly namespace: string; readonly imports: ReadonlyMap<string, string> }

/** Returns a function that gives the positions of the links that may bring a name, the first one first. */
function positionsByName(links: readonly NamedLink[]): (used: string) => readonly number[] {
  const first = new Map<string, number>()
  const add = (key: string, position: number) => {
    if (!first.has(key)) first.set(key, position)
  }
  const lengths = new Set<number>()
  for (const [position, { namespace, imports }] of links.entries()) {
    add(`${namespace}__`, position)
    lengths.add(namespace.length)
    for (const used of imports.keys()) add(used, position)
  }
  return (used) => {
    const keys = [used, `${used}__`]
    for (const length of lengths) if (used.startsWith('__', length)) keys.push(used.slice(0, length + 2))
    return keys.flatMap((key) => first.get(key) ?? []).sort((a, b) => a - b)
  }
}

/**
 * The name of the specification that a directive on the schema links; null when it links none of
 * https://specs.apollo.dev.
 */
function specificationOf(node: DirectiveNode): string | null {
  const url = argument(node, 'url') ?? argument(node, 'feature')
  const specification = url?.kind === Kind.STRING ? specificationAt(url.value) : null
  return specification === null || specification.version === null ? null : specification.name
}

/**
 * Returns the specification that a `@link` names, wherever the `@link` stands. Returns null for any other
 * directive, even one with a URL.
 */
export function linkedSpecification(node: DirectiveNode): string | null {
  return node.name.value === 'link' ? specificationOf(node) : null
}

/** The directives on the schema definition and on all its extensions. */
export function schemaDirectives(document: DocumentNode): readonly ConstDirectiveNode[] {
  return document.definitions.flatMap((node) =>
    node.kind === Kind.SCHEMA_DEFINITION || node.kind === Kind.SCHEMA_EXTENSION
      ? (node.directives ?? [])
      : [],
  )
}

function importsOf(node: ConstDirectiveNode): ReadonlyMap<string, string> {
  return readImports(argument(node, 'import'))
}

function namespaceOf(node: ConstDirectiveNode, specification: string): string {
  const as = argument(node, 'as')
  return as?.kind === Kind.STRING ? as.value : specification
}

/**
 * The main directive of a specification has the name of its namespace; the others follow it:
 * `@cost__listSize`.
 */
function unprefixed(used: string, namespace: string, specification: string): string | null {
  if (used === namespace) return specification
  return used.startsWith(`${namespace}__`) ? used.slice(namespace.length + 2) : null
}
