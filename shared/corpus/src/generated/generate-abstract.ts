/** Interfaces, interfaces that implement others, unions, and fields that lead to them. */
import {
  addMember,
  declare,
  isRoot,
  type Model,
  type ModelType,
  presenceIn,
  type SubgraphId,
} from './model.ts'
import {
  implementIn,
  isLone,
  implementersOf,
  isFederation1,
  leafType,
  makePresent,
  own,
  randomArguments,
  wrapType,
} from './generate-types.ts'
import type { Random } from '@switchyard/samples'

export function addAbstractTypes(model: Model, random: Random): void {
  if (random.chance(60)) {
    const node = addInterface(model, random, 'Node', null)
    if (node !== null && random.chance(45)) addInterface(model, random, 'Named', node)
  }
  if (random.chance(60)) addUnion(model, random, 'Thing')
  if (random.chance(25)) addUnion(model, random, 'Other')
  addReferences(model, random)
}

/** Fields of an interface are made on each of its types, there where the type lives. */
function addInterface(
  model: Model,
  random: Random,
  name: string,
  parent: ModelType | null,
): ModelType | null {
  const candidates = parent === null ? ordinary(model) : implementersOf(model, parent)
  const objects = random.some(candidates, parent === null ? 2 : 1, 4)
  if (objects.length === 0) return null
  const type = model.addType(name, 'interface')
  model.note(parent === null ? 'interface' : 'interface that implements another')
  if (parent !== null) {
    type.interfaces.add(parent.name)
    for (const { name: field, type: fieldType, args } of parent.members.values())
      addMember(type, field, fieldType, args)
  }
  for (const object of objects) object.interfaces.add(name)
  if (objects.every(({ members }) => members.get('id')?.type === 'ID!')) addMember(type, 'id', 'ID!')
  for (let count = 1 + random.below(2), index = 0; index < count; index++) {
    addCommonField(model, random, type, objects)
  }
  const homes = [...new Set(objects.flatMap(({ presence }) => [...presence.keys()]))]
  for (const home of random.some(homes, 1, 3)) {
    if (type.presence.has(home)) continue
    const known = objects.filter(({ presence }) => presence.has(home)).map(({ name }) => name)
    presenceIn(type, home)
    implementIn(model, random, type, home, random.some(known, 1, known.length))
  }
  return type
}

function addCommonField(model: Model, random: Random, type: ModelType, objects: readonly ModelType[]): void {
  const name = `${type.name.toLowerCase()}Field${type.members.size}`
  const entities = objects.filter(({ entity }) => entity)
  const isSelf = random.chance(35) && entities.length === objects.length
  const fieldType = isSelf ? type.name : leafType(random)
  const args = randomArguments(model, random)
  const declaredType = isSelf ? random.pick([type.name, `[${type.name}]`]) : fieldType
  addMember(type, name, declaredType, args)
  const isCovariant = isSelf && random.chance(60)
  if (isCovariant) model.note('covariant field')
  for (const object of objects) {
    const own = isCovariant ? declaredType.replace(type.name, object.name) : declaredType
    const narrow = !own.endsWith('!') && random.chance(15) ? `${own}!` : own
    const member = addMember(object, name, isSelf ? own : narrow, args)
    if (object.entity) ownIn(model, random, object, member)
    else for (const home of object.presence.keys()) declare(member, home, ...shareableIn(model, home))
  }
}

function ownIn(model: Model, random: Random, object: ModelType, member: Parameters<typeof own>[2]): void {
  own(model, random, member, resolvableHomes(object))
}

function shareableIn(model: Model, subgraph: SubgraphId): readonly string[] {
  return isFederation1(model, subgraph) ? [] : ['@shareable']
}

function addUnion(model: Model, random: Random, name: string): void {
  const union = model.addType(name, 'union')
  model.note('union')
  const objects = random.some(ordinary(model), 2, 4)
  union.unionMembers.push(...objects.map(({ name }) => name))
}

/** Each abstract type is reached by some field of an entity; elsewhere roots lead to it. */
function addReferences(model: Model, random: Random): void {
  const abstracts = [...model.types.values()].filter((type) => type.kind !== 'object' && !isLone(model, type))
  for (const { name } of abstracts) {
    for (let count = 1 + random.below(2), index = 0; index < count; index++) {
      const parent = random.pick(model.objects().filter(({ entity }) => entity))
      const member = addMember(
        parent,
        `any${parent.members.size}`,
        wrapType(random, name),
        randomArguments(model, random),
      )
      own(model, random, member, resolvableHomes(parent))
    }
    const type = model.type(name)
    if (type.presence.size === 0) makePresent(model, random, name, random.below(model.subgraphs.length))
  }
}

/** Returns the subgraphs that can fetch an entity, or those that have its type if none can fetch it. */
export function resolvableHomes(type: ModelType): readonly SubgraphId[] {
  const homes = [...type.presence].filter(([, { keys }]) => keys.some(({ resolvable }) => resolvable))
  return (homes.length > 0 ? homes : [...type.presence]).map(([home]) => home)
}

/**
 * Implementers of an interface entity keep to themselves: a subgraph that knows the interface as an object
 * cannot name them.
 */
function ordinary(model: Model): readonly ModelType[] {
  return model
    .objects()
    .filter(
      ({ name, interfaces, hidden }) =>
        !isRoot(name) && !hidden && !interfaces.has('Media') && !isKeyPart(name),
    )
}

function isKeyPart(name: string): boolean {
  return name === 'Tag' || name === 'Part' || name.startsWith('Split')
}
