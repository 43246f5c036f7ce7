/** Inputs that are refused before the library sees them, each with a reason its author can act on. */
import { Kind } from 'graphql'
import type { ConstDirectiveNode, DocumentNode } from 'graphql'
import type { CompositionError, SubgraphInput } from './contract/composition-result.ts'
import { argument, findFederationLink, importedName, specificationAt } from './federation/federation-link.ts'
import { FEDERATION_VERSIONS, linkedVersion } from './federation/federation-versions.ts'
import { at } from './locations/place.ts'
import {
  schemaDirectives,
  type SpecifiedDirective,
  specifiedDirectives,
} from './directives/specified-directives.ts'
import { reasonToRefuse } from './directives/unsupported-directives.ts'

/** A schema as it was written. */
export type SourceDocument = { readonly name: string; readonly document: DocumentNode }

/** Why this input cannot be composed. Empty when the library can be asked. */
export function refuseInput(subgraphs: readonly SubgraphInput[]): readonly CompositionError[] {
  if (subgraphs.length === 0) {
    return [
      {
        code: 'NO_SUBGRAPHS',
        message: 'There is no subgraph to compose; a graph needs at least one subgraph with a schema.',
        subgraphs: [],
        locations: [],
      },
    ]
  }
  const seen = new Set<string>()
  const errors: CompositionError[] = []
  for (const { name } of subgraphs) {
    if (seen.has(name)) {
      errors.push({
        code: 'DUPLICATE_SUBGRAPH_NAME',
        message: `Two subgraphs are called "${name}"; names are unique within a graph.`,
        subgraphs: [name],
        locations: [],
      })
    }
    seen.add(name)
  }
  return errors
}

/** Finds the parts of one schema for which no composition can do what their author expects. */
export function refuseUnsupported(source: SourceDocument): readonly CompositionError[] {
  return [...unknownVersion(source), ...otherFederation(source), ...unsupportedDirectives(source)]
}

function unknownVersion({ name, document }: SourceDocument): readonly CompositionError[] {
  const link = findFederationLink(document)
  const version = link === null ? null : linkedVersion(link)
  if (link === null || version === null || isKnown(version)) return []
  const newest = FEDERATION_VERSIONS.at(-1) ?? ''
  return [
    {
      code: 'UNKNOWN_FEDERATION_LINK_VERSION',
      message:
        `[${name}] Federation ${version} is not known here; known are ${FEDERATION_VERSIONS[0]} to ${newest}, and Federation 1 (no @link). ` +
        `Link ${newest} if the schema needs nothing newer; otherwise it takes a newer Switchyard.`,
      subgraphs: [name],
      locations: at({ name }, argument(link.node, 'url')),
    },
  ]
}

/** Directives of the GraphQL Foundation's specification that the federation of Apollo does not have. */
const OTHER_DIRECTIVES: ReadonlySet<string> = new Set(['@lookup', '@require'])

/** Links to the GraphQL Federation specification, which is also called composite schemas. */
function otherFederation({ name, document }: SourceDocument): readonly CompositionError[] {
  return schemaDirectives(document).flatMap((node) => {
    const url = argument(node, 'url')
    if (node.name.value !== 'link' || url?.kind !== Kind.STRING) return []
    if (!isOtherFederation(url.value) && !importsOtherDirective(document, node)) return []
    return [
      {
        code: 'UNKNOWN_FEDERATION_LINK_VERSION',
        message:
          `[${name}] The GraphQL Federation specification (composite schemas, with @lookup and @require) is not known here; known are ${FEDERATION_VERSIONS[0]} to ${FEDERATION_VERSIONS.at(-1) ?? ''} of https://specs.apollo.dev/federation, and Federation 1 (no @link). ` +
          'There a @key, resolved by the field "_entities", does what @lookup does, and @requires on a field what @require does on an argument.',
        subgraphs: [name],
        locations: at({ name }, url),
      },
    ]
  })
}

function isOtherFederation(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || specificationAt(text) !== null) return false
  const names = url.pathname.split('/')
  const isOfGraphql = url.hostname === 'graphql.org' || url.hostname.endsWith('.graphql.org')
  return names.some((one) => one.startsWith('composite-schemas') || (isOfGraphql && one === 'federation'))
}

/** A directive of this name that the document itself defines is somebody's own. */
function importsOtherDirective(document: DocumentNode, link: ConstDirectiveNode): boolean {
  const imported = argument(link, 'import')
  const names = imported?.kind === Kind.LIST ? imported.values.map(importedName) : []
  return names.some(
    (one) =>
      one !== null &&
      OTHER_DIRECTIVES.has(one) &&
      !document.definitions.some(
        (node) => node.kind === Kind.DIRECTIVE_DEFINITION && `@${node.name.value}` === one,
      ),
  )
}

/** Some schemas of Federation 1 link a v1.0 that was never written down. */
function isKnown(version: string): boolean {
  return version === 'v1.0' || FEDERATION_VERSIONS.some((known) => known === version)
}

function unsupportedDirectives({ name, document }: SourceDocument): readonly CompositionError[] {
  return specifiedDirectives(document).flatMap(({ node, coordinate, directive }) => {
    const reason = reasonToRefuse(directive)
    return reason === null
      ? []
      : [
          {
            code: 'UNSUPPORTED_DIRECTIVE',
            message: `[${name}] ${named(node, directive)} on "${coordinate}" is not supported: ${reason}`,
            subgraphs: [name],
            locations: at({ name }, node),
          },
        ]
  })
}

function named(node: ConstDirectiveNode, { name }: SpecifiedDirective): string {
  return node.name.value === name ? `@${name}` : `@${name} (written @${node.name.value})`
}
