/** Rule: links name known specifications in known versions, each once, and import what these have. */
import { Kind, print, type ConstDirectiveNode, type StringValueNode } from 'graphql'
import { OWN_SPECIFICATIONS, schemaDirectives } from '../../../directives/specified-directives.ts'
import { isImportable } from '../../../federation/directive-definitions.ts'
import {
  argument,
  type FederationLink,
  importedName,
  specificationAt,
} from '../../../federation/federation-link.ts'
import { FEDERATION_VERSIONS, linkedVersion } from '../../../federation/federation-versions.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import { unprefixed } from '../../../model/names.ts'
import type { CheckedSubgraph, Rule } from '../../checked/checked-subgraph.ts'
import { definedDirectives, isOfOtherFederation } from '../../checked/other-federation.ts'
import { readLinkUrl, type LinkUrl } from './link-url.ts'

type Link = { readonly node: ConstDirectiveNode; readonly value: StringValueNode; readonly url: LinkUrl }

/** Finds links that are not understood, or not allowed. */
export const links: Rule = function* links(subgraph) {
  const found = schemaDirectives(subgraph.model.document).flatMap((node): readonly Link[] => {
    const value = argument(node, 'url')
    if (node.name.value !== 'link' || value?.kind !== Kind.STRING) return []
    return [{ node, value, url: readLinkUrl(value.value) }]
  })
  yield* linkedTwice(subgraph, found)
  const defined = definedDirectives(subgraph.model.document)
  for (const link of found) {
    if (isOfOtherFederation(link.node, link.value.value, defined))
      yield finding('UNKNOWN_FEDERATION_LINK_VERSION', { kind: 'composite-schemas' }, [{ node: link.value }])
    else if (isPassedOver(subgraph, link)) continue
    else yield* wrongUrl(subgraph, link)
  }
  yield* wrongImports(subgraph)
}

/**
 * Specifications of single federation directives may be linked beside federation in any version, and the
 * specification of links where no federation is linked.
 */
function isPassedOver({ names }: CheckedSubgraph, { url }: Link): boolean {
  const name = url.isOfApollo ? (url.name ?? '') : ''
  if (names.link === null) return name === 'link'
  return name === 'connect' || OWN_SPECIFICATIONS[name] !== undefined
}

function* linkedTwice(subgraph: CheckedSubgraph, found: readonly Link[]): Iterable<SubgraphFinding> {
  const counted = found.filter((link) => !isPassedOver(subgraph, link))
  for (const [identity, same] of Map.groupBy(counted, ({ url }) => url.identity))
    if (same.length > 1)
      yield finding(
        'INVALID_LINK_DIRECTIVE_USAGE',
        { kind: 'linked-twice', identity },
        same.map(({ value }) => ({ node: value })),
      )
}

/** The versions of specifications that have a meaning here. */
const VERSIONS: Readonly<Record<string, readonly string[] | undefined>> = {
  link: ['v1.0'],
  core: ['v0.1', 'v0.2'],
  join: ['v0.1', 'v0.2', 'v0.3', 'v0.4', 'v0.5'],
  tag: ['v0.1', 'v0.2'],
  inaccessible: ['v0.1', 'v0.2'],
  kotlin_labs: ['v0.1', 'v0.2'],
}

function* wrongUrl({ names }: CheckedSubgraph, { node, value, url }: Link): Iterable<SubgraphFinding> {
  const { name, version } = url
  const at = [{ node: value }]
  if (version !== null && !/^v\d+\.\d+/.test(version))
    yield finding('INVALID_LINK_IDENTIFIER', { url: value.value, lacks: 'version' }, at)
  else if (!url.isOfApollo) return
  else if (name === null && version === null)
    yield finding('INVALID_LINK_IDENTIFIER', { url: value.value, lacks: 'name' }, at)
  else if (version === null)
    yield finding('INVALID_LINK_IDENTIFIER', { url: value.value, lacks: 'version' }, at)
  else if (node === names.link?.node) yield* unknownFederation(version, value)
  else if (name !== null && VERSIONS[name]?.includes(version) === false)
    yield finding('UNKNOWN_LINK_VERSION', { specification: name, version }, at)
}

/** Some schemas of Federation 1 link a v1.0 that was never written down. */
function* unknownFederation(version: string, node: StringValueNode): Iterable<SubgraphFinding> {
  const written = specificationAt(node.value)?.version ?? version
  if (written === 'v1.0' || FEDERATION_VERSIONS.some((known) => known === written)) return
  yield finding('UNKNOWN_FEDERATION_LINK_VERSION', { kind: 'version', version: written }, [{ node }])
}

function* wrongImports({ model, names }: CheckedSubgraph): Iterable<SubgraphFinding> {
  const { link } = names
  for (const node of schemaDirectives(model.document)) {
    const list = node.name.value === 'link' ? argument(node, 'import') : undefined
    if (list?.kind !== Kind.LIST || argument(node, 'url') === undefined) continue
    for (const item of list.values) {
      const name = importedName(item)
      if (name === null || (node !== link?.node && !isOfOneKind(item, name)))
        yield finding('INVALID_GRAPHQL', { kind: 'malformed-import', text: print(item) }, [{ node: item }])
      else if (node === link?.node && !isKnownImport(name, names.minor, link))
        yield finding('INVALID_LINK_DIRECTIVE_USAGE', { kind: 'unknown-import', element: name }, [
          { node: item },
        ])
    }
  }
}

/** A directive is renamed to a directive, and a type to a type. The link to federation never asked for it. */
function isOfOneKind(item: Parameters<typeof importedName>[0], name: string): boolean {
  const as =
    item.kind === Kind.OBJECT ? item.fields.find((field) => field.name.value === 'as')?.value : undefined
  if (as === undefined) return true
  return as.kind === Kind.STRING && as.value.startsWith('@') === name.startsWith('@')
}

/** True for imports of an unknown version, too: nobody can say what that has. */
function isKnownImport(name: string, minor: number | null, link: FederationLink): boolean {
  const version = linkedVersion(link)
  if (minor === null || !FEDERATION_VERSIONS.some((known) => known === version)) return true
  return isImportable(unprefixed(name.replace(/^@/, ''), link), minor)
}
