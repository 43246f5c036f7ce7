/** Rule: a directive of the federation specification that the supergraph keeps has one name everywhere. */
import { Kind, type ValueNode } from 'graphql'
import { schemaDirectives } from '../../../directives/specified-directives.ts'
import { argument, findFederationLink, importedName } from '../../../federation/federation-link.ts'
import { graphFinding } from '../../../findings/finding.ts'
import type { SubgraphModel } from '../../../model/model.ts'
import type { GraphRule } from '../../checked/checked-graph.ts'
import { place } from '../../checked/places.ts'

const CHECKED: readonly string[] = ['cost', 'listSize']

/** Finds such directives that are imported under several names. */
export const importedNames: GraphRule = function* importedNames({ subgraphs }) {
  for (const directive of CHECKED) {
    const imports = subgraphs.flatMap(({ document }, at) => {
      const link = findFederationLink(document)
      return link === null
        ? []
        : [...link.imports].flatMap(([as, name]) => (name === directive ? [{ at, as }] : []))
    })
    const byName = Map.groupBy(imports, ({ as }) => as)
    if (byName.size < 2) continue
    const names = [...byName].map(([as, found]) => ({ text: as, at: found.map(({ at }) => at) }))
    const places = subgraphs.flatMap((subgraph, at) =>
      importNodes(subgraph, `@${directive}`).map((node) => place(at, node)),
    )
    yield graphFinding('LINK_IMPORT_NAME_MISMATCH', { directive, names }, places)
  }
}

/** The entries in the lists of imports of a subgraph that name an element, as its specification calls it. */
export function importNodes({ document }: SubgraphModel, element: string): readonly ValueNode[] {
  return schemaDirectives(document).flatMap((node) => {
    const list = node.name.value === 'link' ? argument(node, 'import') : undefined
    return list?.kind === Kind.LIST ? list.values.filter((item) => importedName(item) === element) : []
  })
}
