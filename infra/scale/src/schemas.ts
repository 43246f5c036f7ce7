/**
 * Subgraphs of a graph of any size: each has types of its own, and adds a field to entities of the one before
 * it.
 */

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])\n'
const FIELDS = ['name', 'title', 'summary', 'state', 'owner', 'region']

export type GraphSize = {
  readonly subgraphs: number
  /** The number of types of each subgraph. Every third is an entity. */
  readonly types: number
  /** Each replaces the first subgraph by another version of it. */
  readonly flags?: number
}

/** Returns a body for `POST /v1/namespaces/{ns}/apply`. `change` makes another last subgraph. */
export function graphState({ subgraphs, types, flags = 0 }: GraphSize, change = 0): object {
  const labels = ['team=scale']
  const base = Array.from({ length: subgraphs }, (_, index) => ({
    name: `s${index}`,
    routingUrl: `http://127.0.0.1:1/s${index}`,
    labels,
    sdl: subgraphSdl(index, types, index === subgraphs - 1 ? `change${change}: Int` : ''),
  }))
  const versions = Array.from({ length: flags }, (_, index) => ({
    name: `s0-v${index}`,
    subgraph: 's0',
    routingUrl: `http://127.0.0.1:1/v${index}`,
    sdl: subgraphSdl(0, types, `version${index}: Int`),
  }))
  return {
    graphs: [{ name: 'shop', labelMatchers: labels }],
    subgraphs: base,
    featureSubgraphs: versions,
    featureFlags: versions.map(({ name }) => ({ name: `flag-${name}`, labels, featureSubgraphs: [name] })),
  }
}

function subgraphSdl(subgraph: number, types: number, more: string): string {
  const own = Array.from({ length: types }, (_, type) => typeSdl(subgraph, type))
  const before = subgraph === 0 ? '' : extensionSdl(subgraph, types)
  return `${LINK}type Query { q${subgraph}: T${subgraph}_0 ${more} }\n${own.join('')}${before}`
}

function typeSdl(subgraph: number, type: number): string {
  const fields = FIELDS.map((name) => `${name}(first: Int = ${type}, filter: String): String`)
  const to = `T${subgraph}_${Math.max(0, type - 1)}`
  const key = type % 3 === 0 ? ' @key(fields: "id")' : ''
  return `type T${subgraph}_${type}${key} { id: ID! ${fields.join(' ')} next: [${to}!] }\n`
}

/** Fields of entities that another subgraph has. */
function extensionSdl(subgraph: number, types: number): string {
  const entities = Array.from({ length: Math.ceil(types / 3) }, (_, index) => index * 3)
  return entities
    .map((type) => `type T${subgraph - 1}_${type} @key(fields: "id") { id: ID! from${subgraph}: String }\n`)
    .join('')
}
