/** Graphs of given sizes, for measuring how long it takes to compose them. */
import type { SubgraphInput } from '@switchyard/composition'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])'

/** Each subgraph has an entity of its own, and adds fields to the entity of the one before it. */
export function chainOfEntities(subgraphs: number): readonly SubgraphInput[] {
  return numbers(subgraphs).map((index) => {
    const before = (index + subgraphs - 1) % subgraphs
    const sdl = `${LINK}
type Query { entity${index}(id: ID!): Entity${index} }
type Entity${index} @key(fields: "id") { id: ID! name${index}: String next: Entity${before} ${fields(index, 6)} }
type Entity${before} @key(fields: "id") { id: ID! ${fields(index, 3).replaceAll('field', `of${index}x`)} }
type Page @shareable { total: Int! more: Boolean! }
enum Order { ASCENDING DESCENDING }
input Filter { text: String order: Order }`
    return subgraphOf(index, sdl)
  })
}

/** Types that belong to one subgraph each, evenly shared out; each refers to the next one. */
export function manyTypes(types: number, subgraphs: number): readonly SubgraphInput[] {
  const each = Math.ceil(types / subgraphs)
  return numbers(subgraphs).map((index) => {
    const own = numbers(each).map((type) => {
      const name = index * each + type
      const next = index * each + ((type + 1) % each)
      return `type Type${name} @key(fields: "id") { id: ID! next: Type${next} ${fields(name, 5)} }`
    })
    const sdl = `${LINK}\ntype Query { first${index}: Type${index * each} }\n${own.join('\n')}`
    return subgraphOf(index, sdl)
  })
}

function fields(seed: number, count: number): string {
  return numbers(count)
    .map((index) => `field${index}(first: Int = ${seed % 10}): ${index % 2 === 0 ? 'String' : '[Int!]!'}`)
    .join(' ')
}

function subgraphOf(index: number, sdl: string): SubgraphInput {
  const name = `subgraph-${String(index).padStart(4, '0')}`
  return { name, routingUrl: `http://${name}.test/graphql`, sdl }
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}
