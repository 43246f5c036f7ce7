/**
 * A `@provides` that names fields of its own subgraph: below a reference that is external there, fields that
 * the subgraph resolves itself, from inputs or not, and fields that another subgraph has taken over.
 */
import { isFederation1, isResolved, makePresent, wrapType } from './generate-types.ts'
import {
  addMember,
  declare,
  type Declaration,
  type Member,
  type Model,
  type ModelType,
  namedType,
  type SubgraphId,
} from './model.ts'
import type { Random } from '@switchyard/samples'

const CHANCE_OF_COMPUTED = 60
const CHANCE_OF_TAKEN_OVER = 60
const CHANCE_OF_PLAIN = 5

/** Adds them for fields of entities: often for those with inputs and those that were taken over. */
export function addOwnProvisions(model: Model, random: Random): void {
  for (const type of model.objects().filter(({ entity, hidden }) => entity && !hidden))
    for (const member of type.members.values())
      for (const subgraph of member.declared.keys()) {
        if (member.hidden || hasArguments(member) || !isResolved(member, subgraph)) continue
        const isTaken = isTakenOver(model, member, subgraph)
        const chance = isTaken ? CHANCE_OF_TAKEN_OVER : member.computed ? CHANCE_OF_COMPUTED : CHANCE_OF_PLAIN
        if (!random.chance(chance)) continue
        const text = fieldText(model, member, subgraph)
        if (text === null || !provideBelowReference(model, random, type, text, subgraph)) continue
        if (isTaken) model.note('provides of a field that was taken over')
        else model.note(`provides of an own field${member.computed ? ' with requires' : ''}`)
      }
}

function hasArguments({ args, declared }: Member): boolean {
  return args !== '' || [...declared.values()].some(({ extraArguments }) => extraArguments !== undefined)
}

function isTakenOver(model: Model, member: Member, subgraph: SubgraphId): boolean {
  const from = `@override(from: "${model.subgraphs[subgraph]?.name ?? ''}"`
  return [...member.declared.values()].some(({ directives }) =>
    directives.some((text) => text.startsWith(from)),
  )
}

/** The field, with all leaves below it that are of the subgraph; null if it has none. */
function fieldText(model: Model, member: Member, subgraph: SubgraphId): string | null {
  const target = model.types.get(namedType(member.type))
  if (target === undefined) return member.name
  if (target.kind !== 'object' || target.name === 'Query') return null
  const leaves = [...target.members.values()].filter(
    (leaf) =>
      leaf.declared.has(subgraph) &&
      !model.types.has(namedType(leaf.type)) &&
      !hasArguments(leaf) &&
      !leaf.hidden,
  )
  return leaves.length === 0 ? null : `${member.name} { ${leaves.map(({ name }) => name).join(' ')} }`
}

/**
 * Provides the text below a reference to the type, which is made if there is none. False if that cannot be.
 */
function provideBelowReference(
  model: Model,
  random: Random,
  type: ModelType,
  text: string,
  subgraph: SubgraphId,
): boolean {
  for (const { declaration, parent } of random.shuffled(providers(model, subgraph))) {
    const reference = externalReference(model, random, parent, type, subgraph)
    if (reference === null) continue
    declaration.directives.push(`@provides(fields: "${reference} { ${text} }")`)
    return true
  }
  return false
}

type Provider = { readonly declaration: Declaration; readonly parent: ModelType }

/** Fields that the subgraph resolves, and that lead to entities: each may provide what is external there. */
function providers(model: Model, subgraph: SubgraphId): readonly Provider[] {
  return [...model.types.values()].flatMap((owner) =>
    owner.kind !== 'object' || owner.name === 'Mutation'
      ? []
      : [...owner.members.values()].flatMap((member) => {
          const parent = model.types.get(namedType(member.type))
          const declaration = member.declared.get(subgraph)
          const isFree =
            declaration?.external === false &&
            !declaration.directives.some((text) => /^@(provides|override)/.test(text))
          return isFree && parent?.kind === 'object' && parent.entity && !member.computed
            ? [{ declaration, parent }]
            : []
        }),
  )
}

/** A field of the parent that leads to the type, and that others resolve. Null if nobody could. */
function externalReference(
  model: Model,
  random: Random,
  parent: ModelType,
  type: ModelType,
  subgraph: SubgraphId,
): string | null {
  const known = [...parent.members.values()].find(
    (member) =>
      namedType(member.type) === type.name &&
      !isResolved(member, subgraph) &&
      !(member.hidden || member.computed) &&
      !hasArguments(member) &&
      [...member.declared.values()].some(({ external }) => !external),
  )
  const member = known ?? newReference(model, random, parent, type, subgraph)
  if (member === null) return null
  if (!member.declared.has(subgraph)) declare(member, subgraph, '@external')
  return member.name
}

function newReference(
  model: Model,
  random: Random,
  parent: ModelType,
  type: ModelType,
  subgraph: SubgraphId,
): Member | null {
  const homes = [...parent.presence].filter(
    ([home, { keys }]) =>
      home !== subgraph && !isFederation1(model, home) && keys.some(({ resolvable }) => resolvable),
  )
  const [home] = random.shuffled(homes)
  if (home === undefined) return null
  const member = addMember(parent, `lent${parent.members.size}`, wrapType(random, type.name))
  declare(member, home[0])
  makePresent(model, random, type.name, home[0])
  return member
}
