/** Rule: a composed directive is one and the same in all subgraphs. */
import { Kind, type ConstDirectiveNode } from 'graphql'
import { schemaDirectives } from '../../../directives/specified-directives.ts'
import { argument } from '../../../federation/federation-link.ts'
import { graphFinding, type Finding, type GraphPlace } from '../../../findings/finding.ts'
import type { ComposedDirective, SubgraphModel } from '../../../model/model.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { place } from '../../checked/places.ts'
import { importNodes } from './imported-names.ts'

type Composed = ComposedDirective & { readonly at: number; readonly as: string }

/** Finds composed directives that are not the same everywhere. */
export const composedDirectives: GraphRule = function* composedDirectives({ subgraphs }) {
  const composed = subgraphs.flatMap(({ composed: own }, at) =>
    [...own].map(([as, directive]): Composed => ({ at, as, ...directive })),
  )
  yield* severalVersions(subgraphs, composed)
  yield* severalNames(subgraphs, composed)
  yield* severalSpecifications(subgraphs, composed)
  yield* withoutLocation(subgraphs, composed)
}

function* severalVersions(
  subgraphs: readonly SubgraphModel[],
  composed: readonly Composed[],
): Iterable<Finding> {
  for (const [identity, found] of Map.groupBy(composed, (one) => one.identity)) {
    const versions = new Set(found.flatMap(({ version }) => majorOf(version) ?? []))
    if (versions.size < 2) continue
    const places = subgraphs.flatMap(({ document }, at) =>
      schemaDirectives(document)
        .filter((node) => linksTo(node, identity))
        .map((node) => place(at, node)),
    )
    yield graphFinding(
      'DIRECTIVE_COMPOSITION_ERROR',
      { kind: 'versions', identity, versions: [...versions].sort() },
      places,
    )
  }
}

/** `v1` of `v1.2`; null where a link names no version. */
function majorOf(version: string): string | null {
  return /^v\d+/.exec(version)?.[0] ?? null
}

function linksTo(node: ConstDirectiveNode, identity: string): boolean {
  const url = node.name.value === 'link' ? argument(node, 'url') : undefined
  return url?.kind === Kind.STRING && (url.value === identity || url.value.startsWith(`${identity}/`))
}

function* severalNames(
  subgraphs: readonly SubgraphModel[],
  composed: readonly Composed[],
): Iterable<Finding> {
  const groups = Map.groupBy(composed, ({ identity, importedName }) => `${identity} ${importedName}`)
  for (const found of groups.values()) {
    const byName = Map.groupBy(found, ({ as }) => as)
    const [first] = found
    if (first === undefined || byName.size < 2) continue
    const names = [...byName].map(([text, same]) => ({ text, at: same.map(({ at }) => at) }))
    yield graphFinding(
      'DIRECTIVE_COMPOSITION_ERROR',
      { kind: 'names', directive: first.importedName, names },
      found.flatMap((one) => importPlaces(subgraphs, one)),
    )
  }
}

function* severalSpecifications(
  subgraphs: readonly SubgraphModel[],
  composed: readonly Composed[],
): Iterable<Finding> {
  for (const [directive, found] of Map.groupBy(composed, ({ as }) => as)) {
    const byIdentity = Map.groupBy(found, ({ identity }) => identity)
    if (byIdentity.size < 2) continue
    const specifications = [...byIdentity].map(([text, same]) => ({ text, at: same.map(({ at }) => at) }))
    yield graphFinding(
      'DIRECTIVE_COMPOSITION_ERROR',
      { kind: 'specifications', directive, specifications },
      found.flatMap((one) => importPlaces(subgraphs, one)),
    )
  }
}

/** Where it is imported. A directive that is written with its namespace has the place of its definition. */
function importPlaces(
  subgraphs: readonly SubgraphModel[],
  { at, as, importedName }: Composed,
): readonly GraphPlace[] {
  const subgraph = subgraphs[at]
  if (subgraph === undefined) return []
  const imported = importNodes(subgraph, `@${importedName}`)
  const definition = subgraph.directives.get(as)
  if (imported.length > 0 || definition === undefined) return imported.map((node) => place(at, node))
  return [place(at, definition.name)]
}

function* withoutLocation(
  subgraphs: readonly SubgraphModel[],
  composed: readonly Composed[],
): Iterable<Finding> {
  for (const [directive, found] of Map.groupBy(composed, ({ as }) => as)) {
    const definitions = found.flatMap(({ at }) => {
      const node = subgraphs[at]?.directives.get(directive)
      return node === undefined ? [] : [{ at, node, locations: node.locations.map(({ value }) => value) }]
    })
    const [first, ...others] = definitions
    if (first === undefined || others.length === 0) continue
    const isShared = (location: string) => others.every(({ locations }) => locations.includes(location))
    if (first.locations.some(isShared)) continue
    yield graphFinding(
      'INVALID_GRAPHQL',
      { kind: 'no-shared-location', directive },
      definitions.map(({ at, node, locations }) => place(at, node.name, { kind: 'locations', locations })),
    )
  }
}
