/** Compositions of any size that clients of the shop notice nothing of: their types are not asked for. */
import type { BuiltArtifact } from '../test/support/artifacts.ts'
import { packed } from '../test/support/artifacts.ts'

/** The value of a feature subgraph, for which our composer writes that of the subgraph it replaces. */
const NEXT = /\bPRODUCTS_NEXT\b/g
const FIELDS = ['name', 'title', 'summary', 'state', 'owner', 'region']

/** `base` with `types` more types, about 500 bytes each; `version` makes no two of them alike. */
export function largeComposition(base: BuiltArtifact, types: number, version: string): BuiltArtifact {
  const { artifact } = base
  const more = Array.from({ length: types }, (_, index) => typeSdl(index, version))
  const shop = artifact.supergraphSdl.replace(NEXT, 'PRODUCTS')
  return packed({ ...artifact, supergraphSdl: `${shop}\n${more.join('\n')}\n` })
}

function typeSdl(index: number, version: string): string {
  const [own, next] = [`Large${index}`, `Large${index === 0 ? 0 : index - 1}`]
  const fields = FIELDS.map((name) => `${name}(first: Int = ${index}, filter: String): String`)
  const changed = index === 0 ? ` ${version}: Int` : ''
  return `type ${own} @join__type(graph: PRODUCTS, key: "id") @join__type(graph: REVIEWS, key: "id") {
  id: ID! ${fields.map((field) => `${field} @join__field(graph: PRODUCTS)`).join(' ')}
  next: [${next}!] @join__field(graph: REVIEWS)${changed}
}`
}
