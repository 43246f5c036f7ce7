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
  for (const node of applied) {
    const directive = names.directive(node.name.value)
    const name = argument(node, 'name')
    if (directive?.name !== 'composeDirective' || name?.kind !== Kind.STRING) continue
    const local = name.value.replace(/^@/, '')
    const composed = linkOf(applied, local)
    if (composed !== null) found.set(local, composed)
  }
  return found
}

function linkOf(applied: readonly ConstDirectiveNode[], local: string): ComposedDirective | null {
  for (const node of applied) {
    const url = argument(node, 'url')
    if (node.name.value !== 'link' || url?.kind !== Kind.STRING) continue
    const link = splitUrl(url.value)
    const imported = readImports(argument(node, 'import')).get(local) ?? withoutNamespace(node, link, local)
    if (imported !== null) return { ...link, importedName: imported }
  }
  return null
}

/** `x` of `@ns__x`, where the link has the namespace `ns`. */
function withoutNamespace(
  node: ConstDirectiveNode,
  { identity }: { readonly identity: string },
  local: string,
): string | null {
  const as = argument(node, 'as')
  const namespace = as?.kind === Kind.STRING ? as.value : (identity.split('/').at(-1) ?? '')
  return local.startsWith(`${namespace}__`) ? local.slice(namespace.length + 2) : null
}

function splitUrl(text: string): { readonly identity: string; readonly version: string } {
  const [, identity = text, version = ''] = /^(.*?)(?:\/(v\d[^/]*))?\/?$/.exec(text) ?? []
  return { identity, version }
}
