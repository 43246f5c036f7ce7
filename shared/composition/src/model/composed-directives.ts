/** Reads `@composeDirective`: which of a subgraph's own directives the supergraph shall have. */
import { Kind, type ConstDirectiveNode, type DocumentNode } from 'graphql'
import { schemaDirectives } from '../directives/specified-directives.ts'
import { argument, readImports } from '../federation/federation-link.ts'
import type { ComposedDirective } from './model.ts'
import type { Names } from './names.ts'

/** The composed directives of a document by their names in it, without `@`. */
export function readComposedDirectives(
  document: DocumentNode,
  names: Names,
): ReadonlyMap<string, ComposedDirective> {
  const found = new Map<string, ComposedDirective>()
  const applied = schemaDirectives(document)
  let links: Links | null = null
  for (const node of applied) {
    const directive = names.directive(node.name.value)
    const name = argument(node, 'name')
    if (directive?.name !== 'composeDirective' || name?.kind !== Kind.STRING) continue
    const local = name.value.replace(/^@/, '')
    links ??= readLinks(applied)
    const composed = linkOf(links, local)
    if (composed !== null) found.set(local, composed)
  }
  return found
}

type Link = { readonly identity: string; readonly version: string; readonly position: number }
type Links = {
  /** Names that links import, each with its name in the specification. */
  readonly byImport: ReadonlyMap<string, { readonly link: Link; readonly name: string }>
  readonly byNamespace: ReadonlyMap<string, Link>
  readonly namespaceLengths: ReadonlySet<number>
}

/** The first link of each name. */
function readLinks(applied: readonly ConstDirectiveNode[]): Links {
  const byImport = new Map<string, { readonly link: Link; readonly name: string }>()
  const byNamespace = new Map<string, Link>()
  for (const [position, node] of applied.entries()) {
    const url = argument(node, 'url')
    if (node.name.value !== 'link' || url?.kind !== Kind.STRING) continue
    const link = { ...splitUrl(url.value), position }
    for (const [local, name] of readImports(argument(node, 'import')))
      if (!byImport.has(local)) byImport.set(local, { link, name })
    const as = argument(node, 'as')
    const namespace = as?.kind === Kind.STRING ? as.value : (link.identity.split('/').at(-1) ?? '')
    if (!byNamespace.has(namespace)) byNamespace.set(namespace, link)
  }
  const namespaceLengths = new Set([...byNamespace.keys()].map(({ length }) => length))
  return { byImport, byNamespace, namespaceLengths }
}

/** The first link that imports a name, or whose namespace the name begins with: `@ns__x`. */
function linkOf({ byImport, byNamespace, namespaceLengths }: Links, local: string): ComposedDirective | null {
  const imported = byImport.get(local)
  let first = imported?.link
  let importedName = imported?.name ?? ''
  for (const length of namespaceLengths) {
    const link = local.startsWith('__', length) ? byNamespace.get(local.slice(0, length)) : undefined
    if (link === undefined || (first !== undefined && first.position <= link.position)) continue
    first = link
    importedName = local.slice(length + 2)
  }
  return first === undefined ? null : { identity: first.identity, version: first.version, importedName }
}

function splitUrl(text: string): { readonly identity: string; readonly version: string } {
  const [, identity = text, version = ''] = /^(.*?)(?:\/(v\d[^/]*))?\/?$/.exec(text) ?? []
  return { identity, version }
}
