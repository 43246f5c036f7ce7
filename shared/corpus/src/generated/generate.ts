/**
 * A random graph and a random legal split of it. Each step adds one kind of thing to the notes (see model.ts)
 * and keeps what the steps before it made legal; what still does not compose is thrown away by the caller.
 */
import { addAbstractTypes } from './generate-abstract.ts'
import { addMovedFields, addProvisions, addRequirements, addRootProvisions } from './generate-directives.ts'
import { addOwnProvisions } from './generate-own-provisions.ts'
import {
  addEntities,
  addFederation1Keys,
  completeInterfaces,
  addFields,
  addRoots,
  addSimpleTypes,
} from './generate-types.ts'
import { Model, printSubgraph, printWhole } from './model.ts'
import { Random } from '@switchyard/samples'
import {
  addHidden,
  addExternalKeys,
  addInterfaceEntity,
  addLoneInterfaceObjects,
  addSplitValues,
  addOwnArguments,
  addTags,
  narrowNullability,
} from './generate-special.ts'
import type { World } from './world.ts'

export type GeneratedWorld = World & {
  /** The features of the world, and how often each occurs. */
  readonly features: ReadonlyMap<string, number>
}

export function generateWorld(seed: number): GeneratedWorld {
  const random = new Random(seed)
  const model = new Model()
  const count = 2 + random.below(random.chance(80) ? 3 : 5)
  const federation1 = random.chance(25) ? random.below(count) : -1
  for (let index = 0; index < count; index++) {
    model.subgraphs.push({
      name: NAMES[index] ?? `g${index}`,
      federation1: index === federation1,
      version: random.pick(['2.3', '2.5', '2.7', '2.9']),
    })
  }
  addSimpleTypes(model, random)
  addEntities(model, random)
  addFields(model, random)
  if (random.chance(45)) addInterfaceEntity(model, random)
  if (random.chance(25)) addLoneInterfaceObjects(model, random)
  addAbstractTypes(model, random)
  if (random.chance(40)) addSplitValues(model, random)
  if (random.chance(20)) addExternalKeys(model, random)
  addRequirements(model, random)
  addMovedFields(model, random)
  addProvisions(model, random)
  if (random.chance(40)) addHidden(model, random)
  addRoots(model, random)
  if (random.chance(50)) addRootProvisions(model, random)
  completeInterfaces(model)
  const failing = random.pick([0, 0, 10, 40])
  if (random.chance(35)) narrowNullability(model, random)
  if (random.chance(35)) addOwnArguments(model, random)
  if (random.chance(60)) addOwnProvisions(model, random)
  if (random.chance(30)) addTags(model, random)
  addFederation1Keys(model, random)
  if (failing > 0) model.note('failing fields')
  if (federation1 >= 0) model.note('federation 1')
  return {
    whole: printWhole(model),
    subgraphs: Object.fromEntries(
      model.subgraphs.map(({ name }, index) => [name, printSubgraph(model, index)]),
    ),
    salt: seed,
    failing,
    features: model.features,
  }
}

const NAMES = ['accounts', 'billing', 'catalog', 'delivery', 'events', 'forum']
