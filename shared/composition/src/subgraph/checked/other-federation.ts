/** Recognises links to the GraphQL Federation specification, which is also called composite schemas. */
import { Kind, type ConstDirectiveNode, type DocumentNode } from 'graphql'
import { argument, importedName, specificationAt } from '../../federation/federation-link.ts'

/** Directives of the GraphQL Foundation's specification that the federation of Apollo does not have. */
const OTHER_DIRECTIVES: ReadonlySet<string> = new Set(['@lookup', '@require'])

/** True for a link to that specification, or for one that imports its directives. */
export function isOfOtherFederation(
  link: ConstDirectiveNode,
  url: string,
  defined: ReadonlySet<string>,
): boolean {
  return isOtherUrl(url) || importsOtherDirective(defined, link)
}

/** The names of the directives that a document defines. */
export function definedDirectives({ definitions }: DocumentNode): ReadonlySet<string> {
  return new Set(
    definitions.flatMap((node) => (node.kind === Kind.DIRECTIVE_DEFINITION ? [node.name.value] : [])),
  )
}

function isOtherUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || specificationAt(text) !== null) return false
  const isOfGraphql = url.hostname === 'graphql.org' || url.hostname.endsWith('.graphql.org')
  return url.pathname
    .split('/')
    .some((one) => one.startsWith('composite-schemas') || (isOfGraphql && one === 'federation'))
}

/** A directive of this name that the document itself defines is somebody's own. */
function importsOtherDirective(defined: ReadonlySet<string>, link: ConstDirectiveNode): boolean {
  const imported = argument(link, 'import')
  const names = imported?.kind === Kind.LIST ? imported.values.map(importedName) : []
  return names.some((one) => one !== null && OTHER_DIRECTIVES.has(one) && !defined.has(one.slice(1)))
}
