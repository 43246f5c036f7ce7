/** The SDL of one subgraph of a random deal: what it owns, what that refers to, and what it needs from others. */
import type { Deal, Entity, Member } from './random-deal.ts'
import { FED2 } from './suite.ts'

export function randomSubgraphSdl(deal: Deal, index: number): string {
  const roots = deal.roots.filter(({ owner }) => owner === index)
  const targets = new Set(roots.map(({ type }) => type))
  for (const entity of deal.entities) {
    for (const { target } of declared(entity, index)) if (target !== null) targets.add(target)
  }
  const hasNode = targets.has('Node')
  const hasUnion = targets.has('Any')
  const present = deal.entities.filter(
    (entity) => hasNode || hasUnion || targets.has(entity.name) || declared(entity, index).length > 0,
  )
  const queries = roots.map(({ name, type }) => `${name}: [${type}!]`)
  return [
    FED2,
    ...(queries.length > 0 ? [`type Query { ${queries.join(' ')} }`] : []),
    ...(targets.has('Value') ? [`type Value @shareable { ${deal.values[index]} }`] : []),
    ...(hasNode ? ['interface Node { id: ID! }'] : []),
    ...(hasUnion ? [`union Any = ${present.map(({ name }) => name).join(' | ')}`] : []),
    ...present.map((entity) => entitySdl(deal, index, entity, hasNode)),
  ].join('\n')
}

function declared(entity: Entity, index: number): readonly Member[] {
  return entity.members.filter(({ owners, overrides }) => owners.includes(index) || overrides === index)
}

function entitySdl(deal: Deal, index: number, entity: Entity, hasNode: boolean): string {
  const keys = entity.keys[index] ?? ['id']
  const own = declared(entity, index)
  const external = new Set(own.flatMap(({ requires }) => requires))
  for (const other of deal.entities) {
    for (const member of declared(other, index)) {
      const provided = member.target === entity.name ? providedField(deal, index, member) : null
      if (provided !== null) external.add(provided)
    }
  }
  const lines = [
    ...keys.map((key) => `${key}: ID!`),
    ...(hasNode && !keys.includes('id') ? ['id: ID! @shareable'] : []),
    ...own.map((member) => `${member.name}: ${member.type}${directivesOf(deal, index, member)}`),
    ...entity.members
      .filter(({ name }) => external.has(name))
      .map(({ name, type }) => `${name}: ${type} @external`),
  ]
  const directives = keys.map((key) => `@key(fields: "${key}")`).join(' ')
  return `type ${entity.name}${hasNode ? ' implements Node' : ''} ${directives} { ${lines.join(' ')} }`
}

function directivesOf(deal: Deal, index: number, member: Member): string {
  if (member.overrides === index) return ''
  const provided = providedField(deal, index, member)
  return [
    member.owners.length > 1 ? ' @shareable' : '',
    member.overrides === null ? '' : ` @override(from: "g${member.overrides}")`,
    member.requires.length > 0 ? ` @requires(fields: "${member.requires.join(' ')}")` : '',
    provided === null ? '' : ` @provides(fields: "${provided}")`,
  ].join('')
}

function providedField(deal: Deal, index: number, member: Member): string | null {
  if (!member.provides) return null
  const target = deal.entities.find(({ name }) => name === member.target)
  const fitting = target?.members.find(
    ({ target, owners, overrides, requires }) =>
      target === null && requires.length === 0 && !owners.includes(index) && overrides !== index,
  )
  return fitting?.name ?? null
}
