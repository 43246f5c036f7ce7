/**
 * A random supergraph: entities with plain, shared, computed and referring fields, interfaces and unions over them and
 * values without keys, dealt out to subgraphs that know the entities by different keys. Made from a tape of numbers like a random operation, so a shorter tape is a
 * smaller graph. Not every deal composes; the caller keeps those that do.
 */
import { FED2, type FieldFunction, type Row, type Suite, type Tables } from './suite.ts'

const ROWS = 3

type Member = {
  readonly name: string
  readonly type: string
  /** Subgraphs that resolve it. More than one: shareable. */
  readonly owners: readonly number[]
  /** Names of scalar fields of the same type that it is computed from. */
  readonly requires: readonly string[]
  /** The object type it leads to. */
  readonly target: string | null
}

type Entity = {
  readonly name: string
  readonly members: readonly Member[]
  readonly keys: readonly string[][]
}

export function randomSuite(tape: readonly number[]): Suite {
  const choose = chooser(tape)
  const subgraphCount = 2 + choose(3)
  const entityNames = Array.from({ length: 2 + choose(2) }, (_, index) => `T${index}`)
  const hasNode = choose(2) === 1
  const hasUnion = choose(2) === 1
  const entities = entityNames.map((name): Entity => {
    const members: Member[] = []
    const owner = () => choose(subgraphCount)
    for (let index = 0; index < 2 + choose(3); index++) {
      const owners = [...new Set(choose(4) === 3 ? [owner(), owner()] : [owner()])]
      members.push({
        name: `s${index}`,
        type: choose(2) === 0 ? 'Int' : 'String',
        owners,
        requires: [],
        target: null,
      })
    }
    for (let index = 0; index < choose(3); index++) {
      const target = targetOf(choose, entityNames, hasNode, hasUnion)
      const type = choose(2) === 0 ? target : `[${target}]`
      members.push({ name: `r${index}`, type, owners: [owner()], requires: [], target })
    }
    if (choose(3) === 2)
      members.push({ name: 'v', type: 'Value', owners: [owner()], requires: [], target: 'Value' })
    for (let index = 0; index < choose(3); index++) {
      const at = owner()
      const inputs = members
        .filter(({ name, owners }) => /^[sc]/.test(name) && !owners.includes(at))
        .map(({ name }) => name)
      if (inputs.length === 0) continue
      const requires = [
        ...new Set([inputs[choose(inputs.length)] ?? '', inputs[choose(inputs.length)] ?? '']),
      ]
      members.push({ name: `c${index}`, type: 'String', owners: [at], requires, target: null })
    }
    const keys = Array.from(
      { length: subgraphCount },
      () => [['id'], ['code'], ['id', 'code'], ['id']][choose(4)] ?? ['id'],
    )
    return { name, members, keys }
  })
  const roots = entities.map(({ name }, index) => ({
    name: `all${index}`,
    type: name,
    owner: choose(subgraphCount),
  }))
  return assemble(entities, roots, subgraphCount, { hasNode, hasUnion })
}

type Root = { readonly name: string; readonly type: string; readonly owner: number }
type Abstract = { readonly hasNode: boolean; readonly hasUnion: boolean }

function chooser(tape: readonly number[]): (limit: number) => number {
  let position = 0
  return (limit) => (tape[position++] ?? 0) % limit
}

function targetOf(
  choose: (limit: number) => number,
  names: readonly string[],
  hasNode: boolean,
  hasUnion: boolean,
): string {
  const targets = [...names, ...names, ...(hasNode ? ['Node'] : []), ...(hasUnion ? ['Any'] : [])]
  return targets[choose(targets.length)] ?? 'T0'
}

function assemble(
  entities: readonly Entity[],
  roots: readonly Root[],
  count: number,
  abstract: Abstract,
): Suite {
  const fields: Record<string, FieldFunction> = {}
  for (const root of roots) fields[`Query.${root.name}`] = (_row, _args, tables) => tables[root.type]
  for (const entity of entities) {
    for (const member of entity.members) {
      if (member.target === null || member.target === 'Value') continue
      fields[`${entity.name}.${member.name}`] = (row, _args, tables) => refer(row, member, entities, tables)
    }
  }
  return {
    name: 'random',
    monolith: [
      `type Query { ${roots.map(({ name, type }) => `${name}: [${type}!]`).join(' ')} }`,
      ...abstractTypes(
        abstract,
        entities.map(({ name }) => name),
      ),
      'type Value { x: Int y: String }',
      ...entities.map(({ name, members }) =>
        objectType(
          name,
          abstract,
          members.map((member) => `${member.name}: ${member.type}`),
        ),
      ),
    ].join('\n'),
    tables: () => Object.fromEntries(entities.map((entity) => [entity.name, rowsOf(entity)])),
    fields,
    computed: Object.fromEntries(
      entities.flatMap(({ name, members }) =>
        members
          .filter(({ requires }) => requires.length > 0)
          .map((member) => [
            `${name}.${member.name}`,
            {
              compute: (inputs: Readonly<Record<string, unknown>>) =>
                JSON.stringify(member.requires.map((input) => inputs[input])),
              inputs: (row: Row) => inputsOf(row, member, members),
            },
          ]),
      ),
    ),
    subgraphs: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `g${index}`,
        { sdl: subgraphSdl(index, entities, roots, abstract) },
      ]),
    ),
    operations: [],
  }
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

function subgraphSdl(
  index: number,
  entities: readonly Entity[],
  roots: readonly Root[],
  abstract: Abstract,
): string {
  const owned = (entity: Entity) => entity.members.filter(({ owners }) => owners.includes(index))
  const ownRoots = roots.filter(({ owner }) => owner === index)
  const targets = new Set(ownRoots.map(({ type }) => type))
  for (const entity of entities)
    for (const { target } of owned(entity)) if (target !== null) targets.add(target)
  const everybody = targets.has('Node') || targets.has('Any')
  const parts = [FED2]
  if (ownRoots.length > 0) {
    parts.push(`type Query { ${ownRoots.map(({ name, type }) => `${name}: [${type}!]`).join(' ')} }`)
  }
  const present = entities.filter(
    (entity) => everybody || targets.has(entity.name) || owned(entity).length > 0,
  )
  if (targets.has('Value')) parts.push('type Value @shareable { x: Int y: String }')
  const local = { hasNode: targets.has('Node'), hasUnion: targets.has('Any') && abstract.hasUnion }
  parts.push(
    ...abstractTypes(
      local,
      present.map(({ name }) => name),
    ),
  )
  for (const entity of present) {
    const keys = entity.keys[index] ?? ['id']
    const mine = owned(entity)
    const external = new Set(mine.flatMap(({ requires }) => requires))
    const lines = [
      ...mine.map(({ name, type, owners, requires }) => {
        const shareable = owners.length > 1 ? ' @shareable' : ''
        const required = requires.length > 0 ? ` @requires(fields: "${requires.join(' ')}")` : ''
        return `${name}: ${type}${shareable}${required}`
      }),
      ...entity.members
        .filter(({ name }) => external.has(name))
        .map(({ name, type }) => `${name}: ${type} @external`),
    ]
    const directives = keys.map((key) => `@key(fields: "${key}")`).join(' ')
    const fields = keys.includes('id') || !local.hasNode ? keys : ['id', ...keys]
    parts.push(objectType(entity.name, local, lines, directives, fields))
  }
  return parts.join('\n')
}

function objectType(
  name: string,
  { hasNode }: Abstract,
  lines: readonly string[],
  directives = '',
  keys: readonly string[] = ['id', 'code'],
): string {
  const shared = keys.map((key) =>
    directives !== '' && !directives.includes(`"${key}"`) ? `${key}: ID! @shareable` : `${key}: ID!`,
  )
  return `type ${name}${hasNode ? ' implements Node' : ''} ${directives} { ${[...shared, ...lines].join(' ')} }`
}

function abstractTypes({ hasNode, hasUnion }: Abstract, names: readonly string[]): readonly string[] {
  return [
    ...(hasNode ? ['interface Node { id: ID! }'] : []),
    ...(hasUnion ? [`union Any = ${names.join(' | ')}`] : []),
  ]
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

function refer(row: Row, member: Member, entities: readonly Entity[], tables: Tables): unknown {
  const seed = Number(row[member.name])
  const isAbstract = member.target === 'Node' || member.target === 'Any'
  const names = isAbstract ? entities.map(({ name }) => name) : [member.target ?? '']
  const pick = (number: number) => tables[names[number % names.length] ?? '']?.[number % ROWS] ?? null
  if (!member.type.startsWith('[')) return seed === 4 ? null : pick(seed)
  return seed === 3 ? null : [pick(seed), seed === 2 ? null : pick(seed + 1), pick(seed)].slice(0, seed)
}
