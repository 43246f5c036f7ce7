/** A namespace of the size that Studio is made for, as schemas and commands. */

export const SUBGRAPHS = 200
export const TYPES = 20_000
/** Fields of each type, besides those that lead elsewhere. */
export const FIELDS = 4
export const FLAGS = 50
export const ROLLOUTS = 10
export const DOCUMENTS = 500
/** Types of which each causes an error in the graph that does not compose. */
export const ERRORS = 3000
export const GRAPH = { namespace: 'default', graph: 'shop' } as const
export const BROKEN_GRAPH = 'broken'
export const LABELS = ['team=shop']
export const BROKEN_LABELS = ['team=broken']

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])\n'
const WORDS = 'Order Price Stock User Review Cart Item Offer Media Store Tax Label'.split(' ')

/** Returns the name of a type. Names are of several lengths, and have parts in common. */
export function typeName(index: number): string {
  return `${word(index)}${word(index * 31 + 5)}${word(index * 17 + 3)}${index.toString(36)}`
}

/** Returns the field of `Query` that leads to a type. */
export function rootField(index: number): string {
  return `all${typeName(index)}`
}

/** Returns the name of one of the fields that every type has. */
export function fieldName(at: number): string {
  return `${word(at).toLowerCase()}${at}`
}

/** Returns the schema of a subgraph. `more` goes into its first type. */
export function subgraphSdl(subgraph: number, more = ''): string {
  const own = Array.from({ length: TYPES / SUBGRAPHS }, (_, index) => index * SUBGRAPHS + subgraph)
  const roots = own.map((index) => `${rootField(index)}(first: Int = 10): [${typeName(index)}!]`)
  const types = own.map((index, place) => typeSdl(index, place === 0 ? more : ''))
  return `${LINK}type Query { ${roots.join(' ')} }\n${types.join('\n')}\n`
}

/** Returns the schemas of two subgraphs that do not fit together. */
export function brokenSdl(type: 'Int' | 'String'): string {
  const types = Array.from({ length: ERRORS }, (_, index) => `type Broken${index} @shareable { of: ${type} }`)
  const roots = type === 'Int' ? 'first: Broken0' : 'second: Broken1'
  return `${LINK}type Query { ${roots} }\n${types.join('\n')}\n`
}

/** Returns the documents that clients published, by name. */
export function documents(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: DOCUMENTS }, (_, at) => {
      const fields = `id ${fieldName(0)}(first: 3) ${fieldName(1)} next { id ${fieldName(2)} }`
      return [`d${at}`, `query Published${at} { ${rootField(at * 7)} { ${fields} } }`]
    }),
  )
}

function typeSdl(index: number, more: string): string {
  const fields = Array.from({ length: FIELDS }, (_, at) => `  ${fieldName(at)}(first: Int = 10): String`)
  const next = typeName((index + SUBGRAPHS) % TYPES)
  return `"Describes ${typeName(index)}."
type ${typeName(index)} @key(fields: "id") {
  id: ID!
${fields.join('\n')}
  next: ${next}
  ${more}
}
${beside((index + SUBGRAPHS + 1) % TYPES, index)}`
}

/** Adds a field to an entity of another subgraph. */
function beside(entity: number, index: number): string {
  return `type ${typeName(entity)} @key(fields: "id") { id: ID! from${index}: Int }`
}

function word(seed: number): string {
  return WORDS[(seed * 7919) % WORDS.length] ?? ''
}
