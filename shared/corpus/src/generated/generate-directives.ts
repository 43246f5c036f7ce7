/** `@requires`, `@provides` and `@override`: fields that one subgraph declares and another one resolves. */
import { resolvableHomes } from './generate-abstract.ts'
import { isFederation1, isLone, isResolved, leafType, makePresent, topLevel } from './generate-types.ts'
import {
  addMember,
  declare,
  type Member,
  type Model,
  type ModelType,
  namedType,
  type SubgraphId,
} from './model.ts'
import type { Random } from '@switchyard/samples'

const MAX_DEPTH = 2

export function addRequirements(model: Model, random: Random): void {
  const entities = model.objects().filter(({ entity, interfaces }) => entity && !interfaces.has('Media'))
  for (let count = random.below(4), index = 0; index < count; index++) {
    const type = random.pick(entities)
    const homes = [...type.presence].filter(([, { keys }]) => keys.some(({ resolvable }) => resolvable))
    if (homes.length === 0) continue
    const [subgraph] = random.pick(homes)
    const selections = inputsFor(model, random, type, subgraph)
    if (selections.length === 0) continue
    const member = addMember(type, `sum${type.members.size}`, random.chance(70) ? 'String' : leafType(random))
    member.computed = true
    declare(member, subgraph, `@requires(fields: "${selections.join(' ')}")`)
    model.note('requires')
  }
}

function inputsFor(model: Model, random: Random, type: ModelType, subgraph: SubgraphId): readonly string[] {
  const candidates = [...type.members.values()].filter(
    (member) =>
      !isResolved(member, subgraph) &&
      [...member.declared].some(([owner, { external }]) => owner !== subgraph && !external) &&
      namedType(member.type) !== 'Query' &&
      member.name !== 'stamp',
  )
  const found: string[] = []
  for (const member of random.some(candidates, 1, 2)) {
    const selection = inputSelection(model, random, member, subgraph, 0)
    if (selection === null) continue
    if (!member.declared.has(subgraph)) declare(member, subgraph, '@external')
    if (member.computed) model.note('requires of a requires')
    found.push(selection)
  }
  return found
}

/**
 * The text that selects a field for a requirement; below it, as much as the subgraph's schema is made to
 * know.
 */
function inputSelection(
  model: Model,
  random: Random,
  member: Member,
  subgraph: SubgraphId,
  depth: number,
): string | null {
  const text = `${member.name}${literalArguments(random, member.args)}`
  if (text.includes('(')) model.note('arguments in requires')
  const target = model.types.get(namedType(member.type))
  if (target === undefined) return text
  // A split value has no subgraph that knows all of it.
  if (depth >= MAX_DEPTH || target.name.startsWith('Split')) return null
  makePresent(model, random, target.name, subgraph)
  const below = selectionBelow(model, random, target, subgraph, depth + 1)
  if (below === null) return null
  model.note('nested requires')
  return `${text} { ${below} }`
}

function selectionBelow(
  model: Model,
  random: Random,
  type: ModelType,
  subgraph: SubgraphId,
  depth: number,
): string | null {
  if (type.presence.get(subgraph)?.interfaceObject === true) return 'id'
  if (type.kind !== 'object') return fragmentsBelow(model, random, type, subgraph, depth)
  const members = [...type.members.values()].filter(
    (member) =>
      !member.computed &&
      namedType(member.type) !== 'Query' &&
      member.name !== 'stamp' &&
      (member.declared.has(subgraph) || type.entity),
  )
  const parts: string[] = []
  for (const member of random.some(members, 1, 2)) {
    const part = inputSelection(model, random, member, subgraph, depth)
    if (part === null) continue
    if (!member.declared.has(subgraph)) declare(member, subgraph, '@external')
    parts.push(part)
  }
  return parts.length === 0 ? null : parts.join(' ')
}

function fragmentsBelow(
  model: Model,
  random: Random,
  type: ModelType,
  subgraph: SubgraphId,
  depth: number,
): string | null {
  const objects = model.objects().filter(({ name, presence }) => {
    const there = presence.get(subgraph)
    return (
      there?.interfaces.has(type.name) === true || type.presence.get(subgraph)?.members.has(name) === true
    )
  })
  const parts: string[] = []
  for (const object of random.some(objects, 1, 2)) {
    const below = selectionBelow(model, random, object, subgraph, depth)
    if (below !== null) parts.push(`... on ${object.name} { ${below} }`)
  }
  if (parts.length > 0) model.note('fragments in requires')
  return parts.length === 0 ? null : parts.join(' ')
}

const LITERALS: Readonly<Record<string, readonly string[]>> = {
  first: ['1', '2', '7'],
  filter: ['{ text: \\"x\\" }', '{ sort: DOWN, least: 3 }'],
  sort: ['UP', 'DOWN'],
  ids: ['[]', '[1, 2]'],
  unit: ['\\"kg\\"', '\\"m\\"', 'null'],
  json: ['3', '[true]'],
}

function literalArguments(random: Random, args: string): string {
  const names = [...args.matchAll(/(\w+):/g)]
    .map(([, name = '']) => name)
    .filter((name) => LITERALS[name] !== undefined)
  const given = names
    .filter(() => random.chance(60))
    .map((name) => `${name}: ${random.pick(LITERALS[name] ?? [])}`)
  return given.length === 0 ? '' : `(${[...new Set(given)].join(', ')})`
}

/** A reference brings a field along that its subgraph cannot resolve elsewhere. */
export function addProvisions(model: Model, random: Random): void {
  for (const type of model.types.values()) {
    if (type.kind !== 'object') continue
    for (const member of type.members.values()) {
      const target = model.types.get(namedType(member.type))
      if (target === undefined || member.computed || !random.chance(35)) continue
      for (const [subgraph, declaration] of member.declared) {
        if (declaration.external || declaration.directives.some((text) => text.startsWith('@override')))
          continue
        const selection = provisionOf(model, random, target, subgraph)
        if (selection === null) continue
        declaration.directives.push(`@provides(fields: "${selection}")`)
        model.note('provides')
      }
    }
  }
}

/** Lets some of the subgraphs that share a root field provide more below it than others. */
export function addRootProvisions(model: Model, random: Random): void {
  for (const member of model.types.get('Query')?.members.values() ?? []) {
    const target = model.types.get(namedType(member.type))
    if (target === undefined || member.declared.size < 2) continue
    for (const [subgraph, declaration] of member.declared) {
      const selection = random.chance(50) ? provisionOf(model, random, target, subgraph) : null
      if (selection === null) continue
      declaration.directives.push(`@provides(fields: "${selection}")`)
      model.note('competing roots with provides')
    }
  }
}

function provisionOf(model: Model, random: Random, target: ModelType, subgraph: SubgraphId): string | null {
  if (target.kind === 'object') return providedFields(model, random, target, subgraph)
  if (target.presence.get(subgraph)?.interfaceObject === true) return null
  const there = target.presence.get(subgraph)
  const parts = model
    .objects()
    .filter(
      ({ name, presence }) =>
        there?.members.has(name) === true || presence.get(subgraph)?.interfaces.has(target.name) === true,
    )
    .flatMap((object) => {
      const fields = random.chance(70) ? providedFields(model, random, object, subgraph) : null
      return fields === null ? [] : [`... on ${object.name} { ${fields} }`]
    })
  if (parts.length > 0) model.note('provides on an abstract type')
  return parts.length === 0 ? null : parts.join(' ')
}

function providedFields(model: Model, random: Random, type: ModelType, subgraph: SubgraphId): string | null {
  if (!type.entity) return null
  const candidates = [...type.members.values()].filter(
    (member) =>
      !isResolved(member, subgraph) &&
      !member.computed &&
      !member.hidden &&
      member.args === '' &&
      namedType(member.type) !== 'Query' &&
      member.name !== 'stamp' &&
      [...member.declared.values()].some(({ external }) => !external),
  )
  const parts: string[] = []
  for (const member of random.some(candidates, 1, 2)) {
    const below = providedBelow(model, random, member, subgraph)
    if (below === null) continue
    if (!member.declared.has(subgraph)) declare(member, subgraph, '@external')
    parts.push(below)
  }
  return parts.length === 0 ? null : parts.join(' ')
}

function providedBelow(model: Model, random: Random, member: Member, subgraph: SubgraphId): string | null {
  const target = model.types.get(namedType(member.type))
  if (target === undefined) return member.name
  if (target.name.startsWith('Split')) return null
  makePresent(model, random, target.name, subgraph)
  if (target.kind !== 'object' || target.members.size === 0) return null
  const leaves = [...target.members.values()].filter(
    ({ declared, type, args, hidden }) =>
      declared.has(subgraph) && !model.types.has(namedType(type)) && args === '' && !hidden,
  )
  if (leaves.length === 0) return null
  model.note('nested provides')
  return `${member.name} { ${random
    .some(leaves, 1, 2)
    .map(({ name }) => name)
    .join(' ')} }`
}

/** A field moves to another subgraph that has the entity, at once or for a share of the requests. */
export function addMovedFields(model: Model, random: Random): void {
  for (const type of model.objects()) {
    if (!type.entity || type.interfaces.has('Media')) continue
    for (const member of type.members.values()) {
      const owners = [...member.declared].filter(([, { external }]) => !external)
      const [owner] = owners
      if (owner === undefined || owners.length > 1 || member.computed || isKeyField(type, member.name))
        continue
      const target = model.types.get(namedType(member.type))
      if (target !== undefined && isLone(model, target)) continue
      if (!random.chance(15)) continue
      const [source, declaration] = owner
      if (declaration.directives.length > 0 || isFederation1(model, source)) continue
      const targets = resolvableHomes(type).filter(
        (home) => home !== source && !member.declared.has(home) && !isFederation1(model, home),
      )
      const [heir] = random.shuffled(targets)
      if (heir === undefined || random.chance(20)) {
        declaration.directives.push('@override(from: "nobody")')
        model.note('override from an unknown subgraph')
        continue
      }
      const canLabel = Number(model.subgraphs[heir]?.version.slice(2)) >= 7
      const label = canLabel && random.chance(40) ? `, label: "percent(${random.pick([1, 50])})"` : ''
      declare(member, heir, `@override(from: "${model.subgraphs[source]?.name ?? ''}"${label})`)
      makePresent(model, random, namedType(member.type), heir)
      model.note(label === '' ? 'override' : 'progressive override')
    }
  }
}

function isKeyField(type: ModelType, name: string): boolean {
  return [...type.presence.values()].some(({ keys }) =>
    keys.some(({ text }) => topLevel(text).includes(name)),
  )
}
