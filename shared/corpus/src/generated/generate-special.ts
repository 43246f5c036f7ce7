/**
 * Interface entities and interface objects, values split over subgraphs, hidden parts, and differences about
 * null.
 */
import { resolvableHomes } from './generate-abstract.ts'
import {
  allSubgraphs,
  isFederation1,
  leafType,
  own,
  randomArguments,
  share,
  topLevel,
  wrapType,
} from './generate-types.ts'
import {
  addMember,
  declare,
  isRoot,
  type Member,
  type Model,
  type ModelType,
  presenceIn,
  type SubgraphId,
} from './model.ts'
import type { Random } from '@switchyard/samples'

/** One subgraph knows all types of the interface; others add fields to all of them without knowing any. */
export function addInterfaceEntity(model: Model, random: Random): void {
  const modern = allSubgraphs(model).filter((index) => !isFederation1(model, index))
  const [home, ...others] = random.shuffled(modern)
  if (home === undefined || others.length === 0) return
  model.note('interface entity')
  const media = model.addType('Media', 'interface')
  const id = addMember(media, 'id', 'ID!')
  const objects = ['Film', 'Album', 'Poster'].slice(0, 2 + random.below(2)).map((name) => {
    const type = model.addType(name, 'object', true)
    type.interfaces.add('Media')
    addMember(type, 'id', 'ID!')
    return type
  })
  const homes = others.length > 1 && random.chance(25) ? [home, ...others.splice(0, 1)] : [home]
  for (const index of homes) {
    presenceIn(media, index).keys.push({ text: 'id', resolvable: true })
    declare(id, index)
    for (const object of objects) addImplementer(object, index, ['Media'])
  }
  const title = addCommon(media, objects, 'title', leafType(random))
  for (const member of title) declare(member, home)
  const visitors = random.some(others, 1, 2)
  for (const index of visitors) addInterfaceObject(model, random, media, objects, index)
  shareWithType(model, random, media, objects, home)
  for (const object of objects)
    addOwnFields(model, random, object, [...homes, ...others.filter((index) => !visitors.includes(index))])
  const parents = model.objects().filter(({ entity, interfaces }) => entity && !interfaces.has('Media'))
  for (const index of [...homes, ...visitors]) {
    const parent = parents.find((type) => resolvableHomes(type).includes(index))
    if (parent === undefined) continue
    const member = addMember(
      parent,
      `media${parent.members.size}`,
      wrapType(random, 'Media'),
      randomArguments(model, random),
    )
    declare(member, index)
  }
}

function addImplementer(type: ModelType, subgraph: SubgraphId, interfaces: readonly string[]): void {
  const presence = presenceIn(type, subgraph)
  presence.keys.push({ text: 'id', resolvable: true })
  for (const name of interfaces) presence.interfaces.add(name)
  const id = type.members.get('id')
  if (id !== undefined) declare(id, subgraph)
}

/** The same field on the interface and on each of its types. */
function addCommon(
  media: ModelType,
  objects: readonly ModelType[],
  name: string,
  type: string,
  args = '',
): readonly Member[] {
  return [media, ...objects].map((owner) => addMember(owner, name, type, args))
}

function addInterfaceObject(
  model: Model,
  random: Random,
  media: ModelType,
  objects: readonly ModelType[],
  subgraph: SubgraphId,
): void {
  model.note('interface object')
  const presence = presenceIn(media, subgraph)
  presence.interfaceObject = true
  const isStub = random.chance(15)
  presence.keys.push({ text: 'id', resolvable: !isStub })
  const id = media.members.get('id')
  if (id !== undefined) declare(id, subgraph)
  if (isStub) {
    model.note('interface object with a key that is not resolvable')
    return
  }
  const known = media.members.get('stars')
  if (known !== undefined && random.chance(30)) share(model, known, subgraph)
  const name = media.members.has('stars') ? `stars${media.members.size}` : 'stars'
  const [stars] = addCommon(media, objects, name, leafType(random), randomArguments(model, random))
  if (stars !== undefined) declare(stars, subgraph)
  if (!random.chance(50)) return
  model.note('requires on an interface object')
  const title = media.members.get('title')
  if (title !== undefined) declare(title, subgraph, '@external')
  const verdicts = addCommon(media, objects, `verdict${media.members.size}`, 'String')
  for (const member of verdicts) member.computed = true
  const [verdict] = verdicts
  if (verdict !== undefined) declare(verdict, subgraph, '@requires(fields: "title")')
}

/** The subgraph that knows the types has for one of them what an interface object has for all. */
function shareWithType(
  model: Model,
  random: Random,
  media: ModelType,
  objects: readonly ModelType[],
  home: SubgraphId,
): void {
  const stars = media.members.get('stars')
  if (stars === undefined || stars.args !== '' || !random.chance(50)) return
  const member = random.pick(objects).members.get('stars')
  if (member === undefined) return
  for (const declaration of stars.declared.values())
    if (!declaration.directives.includes('@shareable')) declaration.directives.push('@shareable')
  share(model, member, home)
  model.note('field of a type shared with an interface object')
}

function addOwnFields(model: Model, random: Random, object: ModelType, homes: readonly SubgraphId[]): void {
  for (const index of random.some(homes, 1, 2)) {
    if (!object.presence.has(index)) addImplementer(object, index, [])
    const member = addMember(object, `${object.name.toLowerCase()}${object.members.size}`, leafType(random))
    own(model, random, member, [index])
  }
}

/**
 * Adds an interface without implementations. Only subgraphs that have it as an interface object add fields to
 * it.
 */
export function addLoneInterfaceObjects(model: Model, random: Random): void {
  const modern = allSubgraphs(model).filter((index) => !isFederation1(model, index))
  const [home, first, second] = random.shuffled(modern)
  if (home === undefined || first === undefined) return
  model.note('interface object without implementations')
  const ghost = model.addType('Ghost', 'interface')
  const id = addMember(ghost, 'id', 'ID!')
  presenceIn(ghost, home).keys.push({ text: 'id', resolvable: true })
  declare(id, home)
  const others = second !== undefined && random.chance(60) ? [second] : []
  for (const index of [first, ...others]) {
    // Nobody finds an object there; where there are others, it has nothing that they would have to ask for.
    const isStub = index === first && random.chance(40)
    const presence = presenceIn(ghost, index)
    presence.interfaceObject = true
    presence.keys.push({ text: 'id', resolvable: !isStub })
    declare(id, index)
    for (const parent of model.objects())
      if (parent.entity && resolvableHomes(parent).includes(index) && random.chance(25))
        declare(addMember(parent, `ghost${parent.members.size}`, wrapType(random, 'Ghost')), index)
    if (isStub && others.length > 0) continue
    declare(
      addMember(ghost, `haunt${ghost.members.size}`, leafType(random), randomArguments(model, random)),
      index,
    )
  }
}

/**
 * A value without a key whose fields live in different subgraphs: whoever leads to it must be asked in each.
 */
export function addSplitValues(model: Model, random: Random): void {
  const parents = model
    .objects()
    .filter(({ entity }) => entity)
    .map((type) => ({ type, homes: modernHomes(model, type) }))
    .filter(({ homes }) => homes.length > 1)
  const atRoot = parents.length === 0 || random.chance(40)
  const parent = atRoot ? null : random.pick(parents)
  const type = parent?.type ?? model.types.get('Query') ?? model.addType('Query', 'object')
  const homes = parent?.homes ?? allSubgraphs(model).filter((index) => !isFederation1(model, index))
  const owners = random.some(homes, 2, 3)
  if (owners.length < 2) return
  model.note(atRoot ? 'value split at the root' : 'value split below an entity')
  const split = model.addType('Split', 'object')
  const isDeep = random.chance(50)
  const inner = isDeep ? model.addType('SplitInner', 'object') : null
  const member = addMember(
    type,
    'split',
    random.pick(['Split', 'Split!', '[Split]', '[Split!]!']),
    randomArguments(model, random),
  )
  for (const owner of owners) {
    if (type.name === 'Query') presenceIn(type, owner)
    presenceIn(split, owner)
    declare(member, owner, '@shareable')
    declare(addMember(split, `part${split.members.size}`, leafType(random)), owner)
    if (inner === null) continue
    presenceIn(inner, owner)
    declare(addMember(inner, `deep${inner.members.size}`, leafType(random)), owner)
  }
  const common = addMember(split, 'common', 'Int')
  for (const owner of owners) declare(common, owner, '@shareable')
  if (inner === null) return
  const deep = addMember(split, 'inner', random.pick(['SplitInner', '[SplitInner]']))
  for (const owner of owners) declare(deep, owner, '@shareable')
}

/** Two subgraphs share a root, and each has the key of one type and only takes that of the other. */
export function addExternalKeys(model: Model, random: Random): void {
  const [left, right] = random.shuffled(allSubgraphs(model).filter((index) => !isFederation1(model, index)))
  if (left === undefined || right === undefined) return
  model.note('shareable root with external keys')
  const node = model.addType('SplitNode', 'interface')
  const nodeId = addMember(node, 'id', 'ID!')
  const query = model.types.get('Query') ?? model.addType('Query', 'object')
  const wrapped = random.pick(['SplitNode', '[SplitNode]', '[[SplitNode!]!]'])
  const root = addMember(query, 'splitNode', wrapped, randomArguments(model, random))
  for (const [name, owner, other] of [
    ['SplitLeft', left, right],
    ['SplitRight', right, left],
  ] as const) {
    presenceIn(node, owner)
    presenceIn(query, owner)
    declare(nodeId, owner)
    declare(root, owner, '@shareable')
    const type = model.addType(name, 'object', true)
    type.interfaces.add(node.name)
    const id = addMember(type, 'id', 'ID!')
    for (const index of [owner, other]) {
      addImplementer(type, index, [node.name])
      if (random.chance(70)) declare(addMember(type, `side${type.members.size}`, leafType(random)), index)
    }
    declare(id, other, '@external')
  }
}

function modernHomes(model: Model, type: ModelType): readonly SubgraphId[] {
  return [...type.presence]
    .filter(([home, { keys }]) => !isFederation1(model, home) && keys.some(({ resolvable }) => resolvable))
    .map(([home]) => home)
}

/** Fields, types, arguments and enum values that subgraphs use and clients do not see. */
export function addHidden(model: Model, random: Random): void {
  const inInterfaces = new Set(
    [...model.types.values()]
      .filter(({ kind }) => kind === 'interface')
      .flatMap(({ members }) => [...members.keys()]),
  )
  for (const type of model.objects()) {
    const visible = [...type.members.values()].filter(({ hidden }) => !hidden)
    const candidates = visible.filter(
      ({ name, declared }) =>
        !inInterfaces.has(name) &&
        [...declared].some(([index, { external }]) => !external && !isFederation1(model, index)),
    )
    if (visible.length < 3 || candidates.length === 0 || !random.chance(40)) continue
    const member = random.pick(candidates)
    member.hidden = true
    const isKey = [...type.presence.values()].some(({ keys }) =>
      keys.some(({ text }) => topLevel(text).includes(member.name)),
    )
    model.note(isKey ? 'hidden key field' : 'hidden field')
  }
  hideUnionMember(model, random)
}

/** An object of it may still turn up where the union is asked for: null and an error for the client. */
function hideUnionMember(model: Model, random: Random): void {
  const union = model.types.get('Thing')
  if (union === undefined || model.types.has('Secret') || !random.chance(50)) return
  const homes = [...union.presence].filter(([index]) => !isFederation1(model, index))
  const [first] = homes
  if (first === undefined) return
  model.note('hidden member of a union')
  const secret = model.addType('Secret', 'object')
  secret.hidden = true
  const member = addMember(secret, 'text', 'String')
  union.unionMembers.push('Secret')
  for (const [index, presence] of homes) {
    presenceIn(secret, index)
    declare(member, index, '@shareable')
    presence.members.add('Secret')
  }
}

/** A field that several subgraphs resolve may be promised non-null by some of them. */
export function narrowNullability(model: Model, random: Random): void {
  for (const type of model.types.values()) {
    if (type.kind !== 'object' || isRoot(type.name)) continue
    for (const member of type.members.values()) {
      const declared = [...member.declared.values()]
      if (declared.length < 2 || declared.some(({ external }) => external) || member.type.endsWith('!'))
        continue
      if (member.computed || !random.chance(40)) continue
      random.pick(declared).type = `${member.type}!`
      model.note('nullable in some subgraphs only')
    }
  }
}

/** An argument that not every subgraph has is none of the graph's. */
export function addOwnArguments(model: Model, random: Random): void {
  for (const type of model.objects()) {
    for (const member of type.members.values()) {
      const declared = [...member.declared.values()]
      if (declared.length < 2 || declared.some(({ external }) => external) || !random.chance(50)) continue
      if (isInKey(model, type, member.name)) continue
      random.pick(declared).extraArguments = random.pick(['only: Int = 1', 'only: [ID!]'])
      model.note('argument of one subgraph only')
    }
  }
}

/** Also below it: `Tag` and `Part` are there for keys. */
function isInKey(model: Model, type: ModelType, field: string): boolean {
  if (['Tag', 'Part'].includes(type.name) || field === 'id') return true
  return [...model.type(type.name).presence.values()].some(({ keys }) =>
    keys.some(({ text }) => topLevel(text).includes(field)),
  )
}

export function addTags(model: Model, random: Random): void {
  for (const type of model.types.values()) {
    for (const member of type.members.values()) {
      for (const [subgraph, declaration] of member.declared) {
        if (declaration.external || isFederation1(model, subgraph) || !random.chance(10)) continue
        declaration.directives.push('@tag(name: "internal")')
        model.note('tag')
      }
    }
  }
}
