/**
 * A random supergraph with its data: entities with plain, shared, computed, moved and referring fields, interfaces and
 * unions over them and values without keys. Not every deal composes; the caller keeps those that do.
 */
import { type Deal, type Entity, type Member, randomDeal } from './random-deal.ts'
import { randomSubgraphSdl } from './random-subgraph-sdl.ts'
import type { ComputedField, FieldFunction, Row, Suite, Tables } from './suite.ts'

const ROWS = 3

export function randomSuite(tape: readonly number[]): Suite {
  const deal = randomDeal(tape)
  return {
    name: 'random',
    monolith: monolithSdl(deal),
    tables: () => Object.fromEntries(deal.entities.map((entity) => [entity.name, rowsOf(entity)])),
    fields: Object.fromEntries(worldFields(deal)),
    computed: Object.fromEntries(computedFields(deal)),
    subgraphs: Object.fromEntries(
      deal.values.map((_, index) => [`g${index}`, { sdl: randomSubgraphSdl(deal, index) }]),
    ),
    operations: [],
  }
}

function monolithSdl({ entities, roots, hasNode, hasUnion }: Deal): string {
  return [
    `type Query { ${roots.map(({ name, type }) => `${name}: [${type}!]`).join(' ')} }`,
    'type Value { x: Int y: String }',
    ...(hasNode ? ['interface Node { id: ID! }'] : []),
    ...(hasUnion ? [`union Any = ${entities.map(({ name }) => name).join(' | ')}`] : []),
    ...entities.map(({ name, members }) => {
      const lines = ['id: ID!', 'code: ID!', ...members.map((member) => `${member.name}: ${member.type}`)]
      return `type ${name}${hasNode ? ' implements Node' : ''} { ${lines.join(' ')} }`
    }),
  ].join('\n')
}

function worldFields({ entities, roots }: Deal): readonly (readonly [string, FieldFunction])[] {
  return [
    ...roots.map(({ name, type }): readonly [string, FieldFunction] => [
      `Query.${name}`,
      (_row, _args, tables) => tables[type],
    ]),
    ...entities.flatMap((entity) =>
      entity.members
        .filter(({ target }) => target !== null && target !== 'Value')
        .map((member): readonly [string, FieldFunction] => [
          `${entity.name}.${member.name}`,
          (row, _args, tables) => refer(row, member, entities, tables),
        ]),
    ),
  ]
}

function computedFields({ entities }: Deal): readonly (readonly [string, ComputedField])[] {
  return entities.flatMap(({ name, members }) =>
    members
      .filter(({ requires }) => requires.length > 0)
      .map((member): readonly [string, ComputedField] => [
        `${name}.${member.name}`,
        {
          compute: (inputs) => JSON.stringify(member.requires.map((input) => inputs[input])),
          inputs: (row) => inputsOf(row, member, members),
        },
      ]),
  )
}

/** What the monolith computes from: plain values, and computed ones computed. */
function inputsOf(row: Row, member: Member, members: readonly Member[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    member.requires.map((name) => {
      const input = members.find((candidate) => candidate.name === name)
      if (input === undefined || input.requires.length === 0) return [name, row[name]]
      const inputs = inputsOf(row, input, members)
      return [name, JSON.stringify(input.requires.map((key) => inputs[key]))]
    }),
  )
}

/** Values are told apart by type, row and field; some are null. */
function rowsOf({ name, members }: Entity): Row[] {
  return Array.from({ length: ROWS }, (_, index) => {
    const values = members.map(
      (member, position) => [member.name, valueOf(`${name}${index}`, member, index, position)] as const,
    )
    return {
      __typename: name,
      id: `${name}-${index}`,
      code: `${name}/${index}`,
      ...Object.fromEntries(values),
    }
  })
}

function valueOf(prefix: string, member: Member, index: number, position: number): unknown {
  if (member.target === 'Value') return index === 1 ? null : { __typename: 'Value', x: index, y: prefix }
  if (member.target !== null) return (index * 7 + position * 3) % 5
  if ((index + position) % 5 === 4) return null
  return member.type === 'Int' ? index * 10 + position : `${prefix}.${member.name}`
}

/** The number in the row decides: a single object or null, a list of some length with a hole, or no list. */
function refer(row: Row, member: Member, entities: readonly Entity[], tables: Tables): unknown {
  const seed = Number(row[member.name])
  const isAbstract = member.target === 'Node' || member.target === 'Any'
  const names = isAbstract ? entities.map(({ name }) => name) : [member.target ?? '']
  const pick = (number: number) => tables[names[number % names.length] ?? '']?.[number % ROWS] ?? null
  if (!member.type.startsWith('[')) return seed === 4 ? null : pick(seed)
  return seed === 3 ? null : [pick(seed), seed === 2 ? null : pick(seed + 1), pick(seed)].slice(0, seed)
}
