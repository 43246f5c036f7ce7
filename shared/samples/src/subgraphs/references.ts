/** Finds the entity that a representation stands for. */
import { type CompiledType, isJsonObject, type FieldSet } from '@switchyard/engine'
import { type Instance, isInstance, type World } from './world.ts'

export type Representation = Readonly<Record<string, unknown>>

export class References {
  readonly #world: World
  /** Entities by the text of their key, for each type of a subgraph and each of its keys. */
  readonly #indices = new Map<string, ReadonlyMap<string, Instance>>()

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Finds the entity of a representation. Null if no entity has its key. Throws if the representation holds
   * no complete key that the subgraph resolves.
   */
  find(type: CompiledType, sub: number, representation: Representation): Instance | null {
    const presence = type.presence.find((some) => some.sub === sub)
    const keys = presence?.keys.filter(({ resolvable }) => resolvable) ?? []
    const key = keys.find(({ fieldSet: sel }) => holds(representation, sel))
    if (key === undefined)
      throw new Error(
        `A representation of ${type.name} holds no whole key: ${JSON.stringify(representation)}`,
      )
    const candidates = this.#candidates(type, key.fieldSet, key.text)
    return candidates.get(keyText(representation, key.fieldSet)) ?? null
  }

  #candidates(type: CompiledType, sel: FieldSet, text: string): ReadonlyMap<string, Instance> {
    const id = `${type.name} ${text}`
    let index = this.#indices.get(id)
    if (index === undefined) {
      const { facts } = this.#world
      const entities = type.possible.flatMap((possible) => this.#world.entities(facts.type(possible)))
      // The first of several with one key, as a look-up by key would have it.
      index = new Map(
        entities.toReversed().map((entity) => [keyText(this.#world.select(entity, sel), sel), entity]),
      )
      this.#indices.set(id, index)
    }
    return index
  }
}

/** How a computed field finds the inputs that it requires in the representation. */
export function inputsAgree(
  world: World,
  owner: Instance,
  sel: FieldSet,
  given: Representation,
  path: string,
): boolean {
  const expected = world.select(owner, sel)
  return agrees(expected, given, sel, path)
}

function agrees(expected: unknown, given: unknown, sel: FieldSet, path: string): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(given) &&
      expected.length === given.length &&
      expected.every((item, index) => agrees(item, given[index], sel, path))
    )
  }
  if (!isRepresentation(expected) || !isRepresentation(given)) return expected === null && given === null
  return Object.entries(expected).every(([name, value]) => {
    if (!Object.hasOwn(given, name)) throw new Error(`The required input ${path}.${name} was not sent`)
    const below = belowOf(sel, name)
    if (below !== null) return agrees(value, given[name], below, `${path}.${name}`)
    return JSON.stringify(value) === JSON.stringify(given[name])
  })
}

function belowOf(sel: FieldSet, name: string): FieldSet | null {
  const found = sel.flatMap((item) => {
    if (item.kind === 'on') return belowOf(item.below, name) ?? []
    return item.name === name ? (item.below ?? []) : []
  })
  return found.length > 0 ? found : null
}

function holds(value: unknown, sel: FieldSet): boolean {
  if (Array.isArray(value)) return value.every((item) => holds(item, sel))
  if (!isRepresentation(value)) return false
  return sel.every((item) => {
    if (item.kind === 'on') return true
    const child = value[item.name]
    if (child === undefined || child === null) return false
    return item.below === null || holds(child, item.below)
  })
}

/** Only what the key names, in its order. */
function keyText(value: unknown, sel: FieldSet): string {
  return JSON.stringify(restricted(value, sel))
}

function restricted(value: unknown, sel: FieldSet): unknown {
  if (Array.isArray(value)) return value.map((item) => restricted(item, sel))
  if (!isRepresentation(value)) return value
  return flattened(sel).flatMap((item) =>
    value[item.name] === undefined
      ? []
      : [[item.name, item.below === null ? value[item.name] : restricted(value[item.name], item.below)]],
  )
}

function flattened(sel: FieldSet): readonly Extract<FieldSet[number], { kind: 'field' }>[] {
  return sel.flatMap((item) => (item.kind === 'field' ? [item] : flattened(item.below)))
}

function isRepresentation(value: unknown): value is Representation {
  return isJsonObject(value) && !isInstance(value)
}
