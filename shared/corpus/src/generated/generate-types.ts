/**
 * Enums, scalars, inputs, entities with keys, values, their plain fields and references, and the root fields.
 */
import {
  addMember,
  declare,
  isRoot,
  type Key,
  type Member,
  type Model,
  type ModelType,
  namedType,
  presenceIn,
  type SubgraphId,
} from './model.ts'
import type { Random } from '@switchyard/samples'

export const ENTITIES = ['Product', 'User', 'Review', 'Shop'] as const
export const VALUES = ['Size', 'Money'] as const
const LEAVES = ['Int', 'String', 'Float', 'Boolean', 'ID', 'Color', 'Json'] as const
const NASTY = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON'] as const
const ENUM_VALUES = ['RED', 'GREEN', 'BLUE', 'constructor']

export function allSubgraphs(model: Model): readonly SubgraphId[] {
  return model.subgraphs.map((_, index) => index)
}

export function isFederation1(model: Model, subgraph: SubgraphId): boolean {
  return model.subgraphs[subgraph]?.federation1 === true
}

export function addSimpleTypes(model: Model, random: Random): void {
  const everywhere = (text: string) => new Map(allSubgraphs(model).map((index) => [index, text] as const))
  const values = new Map<SubgraphId, string>()
  const isPartial = random.chance(40)
  for (const index of allSubgraphs(model)) {
    const known = isPartial ? ['RED', ...random.some(ENUM_VALUES.slice(1), 1, 3)] : ENUM_VALUES
    values.set(index, ` { ${known.join(' ')} }`)
  }
  if (isModern(model) && random.chance(25)) {
    for (const [index, text] of values) values.set(index, text.replace('GREEN', 'GREEN @inaccessible'))
    if ([...values.values()].some((text) => text.includes('GREEN'))) model.note('hidden enum value')
  }
  const known = ENUM_VALUES.filter((value) => [...values.values()].some((text) => text.includes(value)))
  if (isPartial) model.note('enum values known in parts')
  model.simple.set('Color', {
    name: 'Color',
    kind: 'enum',
    whole: ` { ${known.map((value) => ([...values.values()].some((text) => text.includes(`${value} @`)) ? `${value} @inaccessible` : value)).join(' ')} }`,
    parts: values,
  })
  model.simple.set('Sort', {
    name: 'Sort',
    kind: 'enum',
    whole: ' { UP DOWN }',
    parts: everywhere(' { UP DOWN }'),
  })
  model.simple.set('Json', { name: 'Json', kind: 'scalar', whole: '', parts: everywhere('') })
  const filter = ' { text: String = "any" sort: Sort = UP least: Int, not: Filter, colors: [[Sort!]] }'
  model.simple.set('Filter', { name: 'Filter', kind: 'input', whole: filter, parts: everywhere(filter) })
}

const ARGUMENTS = [
  'first: Int = 2',
  'first: Int, filter: Filter',
  'filter: Filter = { text: "some" }',
  'sort: Sort! = DOWN',
  'sort: Sort, ids: [ID!]',
  'unit: String',
  'unit: String = "m", json: Json',
] as const

/** Keys that an entity may have, and the members they are made of. */
type KeyPlan = { readonly text: string; readonly fields: readonly (readonly [string, string])[] }

const KEY_PLANS: readonly KeyPlan[] = [
  { text: 'id', fields: [['id', 'ID!']] },
  { text: 'code', fields: [['code', 'ID!']] },
  {
    text: 'ka kb',
    fields: [
      ['ka', 'Int!'],
      ['kb', 'Int!'],
    ],
  },
  { text: 'tag { code }', fields: [['tag', 'Tag!']] },
  { text: 'keyTags { code }', fields: [['keyTags', '[Tag!]!']] },
  {
    text: 'tag { code part { number } } ka',
    fields: [
      ['tag', 'Tag!'],
      ['ka', 'Int!'],
    ],
  },
]

export function addEntities(model: Model, random: Random): void {
  const tag = model.addType('Tag', 'object')
  addMember(tag, 'code', 'ID!')
  addMember(tag, 'part', 'Part!')
  addMember(model.addType('Part', 'object'), 'number', 'ID!')
  for (const name of VALUES.slice(0, 1 + random.below(2))) {
    const value = model.addType(name, 'object')
    for (const field of ['amount', 'unit'].slice(0, 1 + random.below(2)))
      addMember(value, field, leafType(random))
    if (random.chance(25)) addMember(value, 'inner', random.pick([name, `[${name}]`]))
  }
  for (const name of ENTITIES.slice(0, 2 + random.below(3))) addEntity(model, random, name)
}

function addEntity(model: Model, random: Random, name: string): void {
  const type = model.addType(name, 'object', true)
  const homes = random.some(allSubgraphs(model), 1, Math.min(4, model.subgraphs.length))
  const plans: readonly KeyPlan[] = random.chance(50)
    ? [KEY_PLANS[0] as KeyPlan]
    : random.some([...KEY_PLANS, ...twinPlan(model, random, name)], 1, 3)
  const isChain = plans.length > 1 && random.chance(50)
  if (isChain) model.note('chain of keys')
  for (const [position, home] of homes.entries()) {
    // In a chain each home shares a key with the one before it; otherwise the first key is everybody's.
    const first = isChain ? Math.max(0, (position % plans.length) - 1) : 0
    const own = isChain
      ? plans.slice(first, first + 2)
      : [plans[0] as KeyPlan, ...random.some(plans.slice(1), 0, 2)]
    for (const plan of own) addKey(model, random, type, home, plan, true)
  }
  if (homes.length === 1) model.note('entity of one subgraph')
}

/** A key through another entity: the one with the same number. */
function twinPlan(model: Model, random: Random, name: string): readonly KeyPlan[] {
  const other = [...model.types.values()].find(
    ({ entity, name: found, members }) => entity && found !== name && members.get('id') !== undefined,
  )
  if (other === undefined || !random.chance(60)) return []
  return [{ text: 'twin { id }', fields: [['twin', `${other.name}!`]] }]
}

function addKey(
  model: Model,
  random: Random,
  type: ModelType,
  subgraph: SubgraphId,
  plan: KeyPlan,
  resolvable: boolean,
): void {
  const presence = presenceIn(type, subgraph)
  if (presence.keys.some(({ text }) => text === plan.text)) return
  presence.keys.push({ text: plan.text, resolvable })
  if (plan.fields.length > 1) model.note('composite key')
  if (plan.text.includes('{')) model.note('nested key')
  if (plan.text.startsWith('keyTags')) model.note('key with a list')
  if (presence.keys.length > 1) model.note('several keys')
  for (const [name, fieldType] of plan.fields) {
    const member = type.members.get(name) ?? addMember(type, name, fieldType)
    if (!member.declared.has(subgraph)) declare(member, subgraph)
    makePresent(model, random, namedType(fieldType), subgraph)
  }
}

/**
 * Lets a subgraph name a type: an entity with a key, a value with all of its fields, an abstract type with a
 * member.
 */
export function makePresent(model: Model, random: Random, name: string, subgraph: SubgraphId): void {
  const type = model.types.get(name)
  if (type === undefined || type.presence.has(subgraph) || isLone(model, type)) return
  presenceIn(type, subgraph)
  if (type.kind === 'object' && type.entity) presentEntity(model, random, type, subgraph)
  else if (type.kind === 'object') presentValue(model, random, type, subgraph)
  else presentAbstract(model, random, type, subgraph)
}

function presentEntity(model: Model, random: Random, type: ModelType, subgraph: SubgraphId): void {
  const known = [...type.presence.values()].flatMap(({ keys }) => keys.filter(({ resolvable }) => resolvable))
  const key = random.pick(known)
  const resolvable = isFederation1(model, subgraph) || random.chance(60)
  if (!resolvable) model.note('key that is not resolvable')
  const presence = presenceIn(type, subgraph)
  presence.keys.push({ text: key.text, resolvable })
  for (const field of topLevel(key.text)) {
    const member = type.members.get(field)
    if (member === undefined) continue
    if (!member.declared.has(subgraph)) declare(member, subgraph)
    makePresent(model, random, namedType(member.type), subgraph)
  }
}

function presentValue(model: Model, random: Random, type: ModelType, subgraph: SubgraphId): void {
  const shared = isFederation1(model, subgraph) ? [] : ['@shareable']
  for (const member of type.members.values()) {
    declare(member, subgraph, ...shared)
    makePresent(model, random, namedType(member.type), subgraph)
  }
}

function presentAbstract(model: Model, random: Random, type: ModelType, subgraph: SubgraphId): void {
  const possible =
    type.kind === 'union' ? type.unionMembers : implementersOf(model, type).map(({ name }) => name)
  const chosen = random.chance(40) ? possible : random.some(possible, 1, possible.length)
  if (chosen.length < possible.length) model.note(`${type.kind} known in parts`)
  for (const name of chosen) makePresent(model, random, name, subgraph)
  const presence = presenceIn(type, subgraph)
  if (type.kind === 'union') {
    for (const name of chosen) presence.members.add(name)
    return
  }
  implementIn(model, random, type, subgraph, chosen)
}

/** An interface that nothing implements: there are objects of it where it is an object, and nowhere else. */
export function isLone(model: Model, type: ModelType): boolean {
  return type.kind === 'interface' && implementersOf(model, type).length === 0
}

export function implementersOf(model: Model, type: ModelType): readonly ModelType[] {
  return model.objects().filter(({ interfaces }) => interfaces.has(type.name))
}

/** The interface gets there those fields that each of its types there can answer. */
export function implementIn(
  model: Model,
  random: Random,
  type: ModelType,
  subgraph: SubgraphId,
  chosen: readonly string[],
): void {
  const objects = chosen.map((name) => model.type(name))
  const parents = [...type.interfaces].map((name) => model.type(name))
  for (const parent of parents) {
    if (!parent.presence.has(subgraph)) {
      presenceIn(parent, subgraph)
      implementIn(model, random, parent, subgraph, chosen)
    } else {
      for (const object of objects) joinInterface(model, parent, object, subgraph)
    }
    presenceIn(type, subgraph).interfaces.add(parent.name)
  }
  const common = [...type.members.values()].filter((member) =>
    objects.every(({ members }) => isResolved(members.get(member.name), subgraph)),
  )
  const inherited = new Set(parents.flatMap((parent) => declaredNames(parent, subgraph)))
  const kept = common.filter(({ name }) => inherited.has(name) || random.chance(75))
  const shown = kept.length > 0 ? kept : common.slice(0, 1)
  for (const member of shown) declare(member, subgraph)
  if (shown.length === 0) offerOneField(model, random, type, objects, subgraph)
  for (const object of objects) presenceIn(object, subgraph).interfaces.add(type.name)
}

/** An interface must have some field: the first of it becomes shared by every type there. */
function offerOneField(
  model: Model,
  random: Random,
  type: ModelType,
  objects: readonly ModelType[],
  subgraph: SubgraphId,
): void {
  const [member] = type.members.values()
  if (member === undefined) return
  declare(member, subgraph)
  for (const object of objects) {
    const own = object.members.get(member.name)
    if (own !== undefined && !isResolved(own, subgraph)) share(model, own, subgraph)
  }
  makePresent(model, random, namedType(member.type), subgraph)
}

/** A type that joins an interface that is already there must have the fields that it has there. */
function joinInterface(model: Model, type: ModelType, object: ModelType, subgraph: SubgraphId): void {
  for (const name of declaredNames(type, subgraph)) {
    const own = object.members.get(name)
    if (own !== undefined && !isResolved(own, subgraph)) share(model, own, subgraph)
  }
  presenceIn(object, subgraph).interfaces.add(type.name)
}

/** One more subgraph that resolves the field. */
export function share(model: Model, member: Member, subgraph: SubgraphId): void {
  for (const [owner, declaration] of member.declared) {
    const isMarked = declaration.directives.includes('@shareable') || declaration.external
    if (!isMarked && !isFederation1(model, owner)) declaration.directives.push('@shareable')
  }
  declare(member, subgraph, ...(isFederation1(model, subgraph) ? [] : ['@shareable']))
  model.note('shareable field')
}

function declaredNames(type: ModelType, subgraph: SubgraphId): readonly string[] {
  return [...type.members.values()].filter(({ declared }) => declared.has(subgraph)).map(({ name }) => name)
}

export function isResolved(member: Member | undefined, subgraph: SubgraphId): boolean {
  const declared = member?.declared.get(subgraph)
  return declared !== undefined && !declared.external
}

export function leafType(random: Random): string {
  const leaf = random.pick(LEAVES)
  return random.pick([leaf, leaf, `${leaf}!`, `[${leaf}!]`, `[[${leaf}]!]!`, `[${leaf}]`])
}

export function wrapType(random: Random, name: string): string {
  return random.pick([name, name, `${name}!`, `[${name}!]!`, `[${name}]`, `[[${name}]]`, `[${name}!]`])
}

export function randomArguments(model: Model, random: Random): string {
  if (!random.chance(25)) return ''
  if (random.chance(15) && isModern(model)) {
    model.note('hidden argument')
    return 'first: Int = 2, secret: Filter = { text: "hidden" } @inaccessible'
  }
  model.note('arguments')
  return random.pick(ARGUMENTS)
}

/** Plain and referring fields of the entities, most in one subgraph and some shared. */
export function addFields(model: Model, random: Random): void {
  const entities = model.objects().filter(({ entity }) => entity)
  for (const type of entities) {
    const homes = [...type.presence]
      .filter(([, { keys }]) => keys.some(({ resolvable }) => resolvable))
      .map(([home]) => home)
    for (let count = 1 + random.below(3), index = 0; index < count; index++) {
      const name = random.chance(8) ? random.pick(NASTY) : `field${type.members.size}`
      if (type.members.has(name)) continue
      const member = addMember(type, name, leafType(random), randomArguments(model, random))
      own(model, random, member, homes)
    }
    if (random.chance(8)) own(model, random, addMember(type, 'stamp', 'Int!'), homes)
    if (random.chance(10) && isModern(model)) addSecret(model, random, type, homes)
    const values = model.objects().filter(({ entity, hidden }) => !entity && !hidden)
    const targets = [...entities, ...values].map(({ name }) => name)
    for (let count = random.below(3), index = 0; index < count; index++) {
      const target = random.chance(8) ? 'Query' : random.pick(targets)
      const wrapped = target === 'Query' ? 'Query' : wrapType(random, target)
      if (target === 'Query') model.note('root reached again')
      if (target === type.name) model.note('type that refers to itself')
      const member = addMember(type, `ref${type.members.size}`, wrapped, randomArguments(model, random))
      own(model, random, member, homes)
    }
  }
}

function isModern(model: Model): boolean {
  return !model.subgraphs.some(({ federation1 }) => federation1)
}

/** A type that clients do not see, for requirements to read. */
function addSecret(model: Model, random: Random, type: ModelType, homes: readonly SubgraphId[]): void {
  if (!model.types.has('Secret')) {
    const secret = model.addType('Secret', 'object')
    secret.hidden = true
    addMember(secret, 'text', 'String')
    addMember(secret, 'weight', 'Int!')
  }
  const member = addMember(type, 'vault', random.pick(['Secret', '[Secret!]']))
  member.hidden = true
  own(model, random, member, homes)
  model.note('hidden type')
}

/** Gives the member to one home, at times to more, and makes its type known there. */
export function own(model: Model, random: Random, member: Member, homes: readonly SubgraphId[]): void {
  const owners = random.some(homes, 1, random.chance(25) ? 3 : 1)
  for (const owner of owners) {
    if (member.declared.size > 0 && (isFederation1(model, owner) || hasFederation1Owner(model, member)))
      continue
    if (member.declared.size > 0) share(model, member, owner)
    else declare(member, owner)
    makePresent(model, random, namedType(member.type), owner)
  }
}

function hasFederation1Owner(model: Model, member: Member): boolean {
  return [...member.declared.keys()].some((owner) => isFederation1(model, owner))
}

/** A way in for every type, mutations, and fields that need no object. */
export function addRoots(model: Model, random: Random): void {
  const query = model.types.get('Query') ?? model.addType('Query', 'object')
  for (const index of allSubgraphs(model)) presenceIn(query, index)
  const reachable = [...model.types.values()].filter(({ name, hidden }) => !isRoot(name) && !hidden)
  for (const type of reachable) {
    const homes = [...type.presence]
      .filter(([, { keys }]) => !type.entity || keys.length > 0)
      .map(([home]) => home)
    if (
      homes.length === 0 ||
      type.name.startsWith('Split') ||
      !random.chance(type.kind === 'object' ? 70 : 95)
    )
      continue
    const wrapped = random.pick([`[${type.name}]`, `[${type.name}!]!`, type.name, `[${type.name}!]`])
    const member = addMember(query, `root${type.name}`, wrapped, randomArguments(model, random))
    ownRoot(model, random, member, homes)
  }
  ownRoot(
    model,
    random,
    addMember(query, 'version', 'String', randomArguments(model, random)),
    allSubgraphs(model),
  )
  for (const index of allSubgraphs(model)) {
    const leadsToRoot = [...model.types.values()].some(({ members }) =>
      [...members.values()].some(({ type, declared }) => type === 'Query' && declared.has(index)),
    )
    const hasRoot = [...query.members.values()].some(({ declared }) => declared.has(index))
    if (leadsToRoot && !hasRoot) declare(addMember(query, `ping${index}`, 'Int'), index)
  }
  if (random.chance(50)) addMutations(model, random)
}

function ownRoot(
  model: Model,
  random: Random,
  member: Member,
  homes: readonly SubgraphId[],
  shared = 20,
): void {
  for (const owner of random.some(homes, 1, random.chance(shared) ? 3 : 1)) {
    if (member.declared.size > 0 && (isFederation1(model, owner) || hasFederation1Owner(model, member)))
      continue
    if (member.declared.size > 0) share(model, member, owner)
    else declare(member, owner)
    if (member.declared.size > 1) model.note('shareable root field')
  }
}

function addMutations(model: Model, random: Random): void {
  const mutation = model.addType('Mutation', 'object')
  model.note('mutation')
  const entities = model.objects().filter(({ entity, name }) => entity && !name.startsWith('Split'))
  for (let count = 1 + random.below(3), index = 0; index < count; index++) {
    const type = random.pick(entities)
    const homes = [...type.presence.keys()].filter((home) => !isFederation1(model, home))
    if (homes.length === 0) continue
    const wrapped = random.pick([type.name, `${type.name}!`, `[${type.name}]`])
    const member = addMember(
      mutation,
      `change${index}`,
      wrapped,
      random.pick(['', 'sort: Sort = UP', 'first: Int']),
    )
    ownRoot(model, random, member, homes, 45)
    if (member.declared.size > 1) model.note('shareable mutation')
    for (const home of member.declared.keys()) presenceIn(mutation, home)
  }
  if (mutation.members.size === 0) model.types.delete('Mutation')
}

/** An interface must have all fields of those that it implements, in some subgraph at least. */
export function completeInterfaces(model: Model): void {
  for (const type of model.types.values()) {
    for (const parent of [...type.interfaces].map((name) => model.type(name))) {
      if (type.kind !== 'interface') continue
      const missing = [...parent.members.values()].filter(
        ({ name, declared }) => declared.size > 0 && type.members.get(name)?.declared.size === 0,
      )
      const [home] = type.presence.keys()
      if (home === undefined) continue
      for (const { name } of missing) offerField(model, [type, parent], name, home)
    }
  }
}

function offerField(
  model: Model,
  interfaces: readonly ModelType[],
  name: string,
  subgraph: SubgraphId,
): void {
  const objects = model
    .objects()
    .filter(({ presence }) => interfaces.some((type) => presence.get(subgraph)?.interfaces.has(type.name)))
  for (const object of objects) {
    const own = object.members.get(name)
    if (own !== undefined && !isResolved(own, subgraph)) share(model, own, subgraph)
  }
  for (const type of interfaces) {
    const member = type.members.get(name)
    if (member !== undefined && !member.declared.has(subgraph)) declare(member, subgraph)
  }
}

/** Federation 1: types of other subgraphs are extended, and their keys are external. */
export function addFederation1Keys(model: Model, random: Random): void {
  for (const index of allSubgraphs(model)) {
    if (!isFederation1(model, index)) continue
    for (const type of model.objects()) {
      const presence = type.presence.get(index)
      if (presence === undefined || !type.entity) continue
      const hasOther = [...type.presence].some(
        ([other, { keys }]) =>
          other !== index && keys.some(({ text }) => presence.keys.some((own) => own.text === text)),
      )
      const hasExternal = [...type.members.values()].some(
        ({ declared }) => declared.get(index)?.external === true,
      )
      if (!hasOther || (!hasExternal && random.chance(50))) continue
      model.note('federation 1 extension')
      for (const { text } of presence.keys) {
        for (const field of topLevel(text)) {
          const member = type.members.get(field)
          const declared = member?.declared.get(index)
          const isElsewhere = [...(member?.declared ?? [])].some(
            ([other, { external }]) => other !== index && !external,
          )
          if (declared !== undefined && isElsewhere && !declared.directives.includes('@external'))
            declared.directives.push('@external')
        }
      }
    }
  }
}

/** Names of the fields of a selection text that are on the object itself. */
export function topLevel(selection: string): readonly string[] {
  let depth = 0
  const found: string[] = []
  for (const [token] of selection.matchAll(/[{}]|\w+/g)) {
    if (token === '{') depth++
    else if (token === '}') depth--
    else if (depth === 0) found.push(token)
  }
  return found
}

export type { Key }
