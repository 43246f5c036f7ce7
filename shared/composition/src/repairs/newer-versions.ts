/**
 * Repair: versions of the federation specification after 2.9, which the library refuses.
 *
 * From 2.10 to 2.15 one directive was added: `@cacheTag` (2.12), which tells caches of responses what to
 * forget. All else that these versions changed is how Apollo's composer validates, and which version of
 * connectors may be linked. So a schema of a newer version is composed as one of 2.9, without `@cacheTag`:
 * nothing here caches responses, and a hint says so.
 *
 * Links to the specifications of contexts and connectors go, too: whoever uses their directives has been
 * refused.
 */
import { Kind, visit } from 'graphql'
import type { ConstArgumentNode, ConstDirectiveNode, DocumentNode } from 'graphql'
import { type FederationLink, findFederationLink, importedName } from '../federation/federation-link.ts'
import { linkedVersion, minorVersion } from '../federation/federation-versions.ts'
import { readDirectiveNames, linkedSpecification } from '../directives/specified-directives.ts'

const NEWEST_OF_LIBRARY = 9
const CACHE_TAGS_SINCE = 12
const LEFT_OUT: ReadonlySet<string> = new Set(['cacheTag', 'context', 'connect'])

/** The document as one of the newest version of the federation specification that the library takes. */
export function withLibraryVersion(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  if (link === null) return document
  const directiveOf = readDirectiveNames(document)
  const minor = minorVersion(link) ?? 0
  const isCacheTag = ({ name }: { readonly name: { readonly value: string } }) =>
    directiveOf(name.value)?.name === 'cacheTag' &&
    // Before, importing it is the mistake that is reported.
    (minor >= CACHE_TAGS_SINCE || !link.imports.has(name.value))
  return visit(document, {
    Directive(node) {
      if (node === link.node) return minor > NEWEST_OF_LIBRARY ? asLibraryVersion(link) : undefined
      return LEFT_OUT.has(linkedSpecification(node) ?? '') || isCacheTag(node) ? null : undefined
    },
    DirectiveDefinition: (node) => (isCacheTag(node) ? null : undefined),
  })
}

function asLibraryVersion(link: FederationLink): ConstDirectiveNode {
  return {
    ...link.node,
    arguments: link.node.arguments?.map((argument): ConstArgumentNode => {
      const { name, value } = argument
      if (name.value === 'url' && value.kind === Kind.STRING)
        return {
          ...argument,
          value: {
            ...value,
            value: value.value.replace(linkedVersion(link) ?? '', `v2.${NEWEST_OF_LIBRARY}`),
          },
        }
      if (name.value !== 'import' || value.kind !== Kind.LIST) return argument
      const hasCacheTags = (minorVersion(link) ?? 0) >= CACHE_TAGS_SINCE
      const values = value.values.filter((one) => !hasCacheTags || importedName(one) !== '@cacheTag')
      return { ...argument, value: { ...value, values } }
    }),
  }
}
