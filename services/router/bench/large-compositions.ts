/** Compositions of any size that clients of the shop notice nothing of: their types are not asked for. */
import type { BuiltArtifact } from '../test/support/artifacts.ts'
import { packed } from '../test/support/artifacts.ts'

/** The subgraph of the products in the supergraph: a feature subgraph may be in its place. */
const PRODUCTS = /^\s*(PRODUCTS\w*) @join__graph/m
const FIELDS = ['name', 'title', 'summary', 'state', 'owner', 'region']

/** `base` with `types` more types, about 500 bytes each; `version` makes no two of them alike. */
export function largeComposition(base: BuiltArtifact, types: number, version: string): BuiltArtifact {
  const { artifact } = base
  const products = PRODUCTS.exec(artifact.supergraphSdl)?.[1] ?? 'PRODUCTS'
  const more = Array.from({ length: types }, (_, index) => typeSdl(index, version, products))
  return packed({ ...artifact, supergraphSdl: `${artifact.supergraphSdl}\n${more.join('\n')}\n` })
}

function typeSdl(index: number, version: string, products: string): string {
  const [own, next] = [`Large${index}`, `Large${index === 0 ? 0 : index - 1}`]
  const fields = FIELDS.map((name) => `${name}(first: Int = ${index}, filter: String): String`)
  const changed = index === 0 ? ` ${version}: Int` : ''
  return `type ${own} @join__type(graph: ${products}, key: "id") @join__type(graph: REVIEWS, key: "id") {
  id: ID! ${fields.map((field) => `${field} @join__field(graph: ${products})`).join(' ')}
  next: [${next}!] @join__field(graph: REVIEWS)${changed}
}`
}
