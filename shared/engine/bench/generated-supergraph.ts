/**
 * A supergraph as large companies have them, made up: subgraphs grow in domains of ten; most types are
 * entities that their owner defines and others extend; a few of them (users, products) are known nearly
 * everywhere; values are shared.
 */
import { Random } from './random.ts'
import { joinField, type Key, type MadeType, madeType, printSupergraph } from './supergraph-writer.ts'

export type SupergraphSize = { readonly subgraphs: number; readonly types: number; readonly seed: number }

const SCALARS = ['String', 'Int', 'Float', 'Boolean', 'ID']
const DOMAIN = 10
/** Entities that nearly everyone refers to. */
const HUBS = 12

export function generateSupergraph({ subgraphs, types, seed }: SupergraphSize): string {
  return new Generator(new Random(seed), subgraphs, types).text()
}

class Generator {
  readonly #random: Random
  readonly #subgraphs: number
  readonly #query = madeType('Query')
  readonly #entities: MadeType[] = []
  readonly #owners = new Map<MadeType, number>()
  readonly #values: MadeType[] = []
  readonly #interfaces: MadeType[] = []
  readonly #unions: MadeType[] = []
  readonly #enums: string[] = []

  constructor(random: Random, subgraphs: number, types: number) {
    this.#random = random
    this.#subgraphs = subgraphs
    const share = (fraction: number) => Math.max(2, Math.round(types * fraction))
    for (let sub = 0; sub < subgraphs; sub++) this.#query.presence.set(sub, [])
    for (let index = 0; index < share(0.05); index++) this.#enums.push(this.#enum(index))
    for (let index = 0; index < share(0.22); index++) this.#values.push(this.#ownValue(index))
    for (let index = 0; index < share(0.05); index++) this.#values.push(this.#sharedValue(index))
    for (let index = 0; index < share(0.59); index++) this.#entities.push(this.#entity(index))
    for (const [index, entity] of this.#entities.entries()) this.#extend(entity, index)
    for (const entity of this.#entities) this.#relate(entity)
    for (const entity of this.#entities) this.#require(entity)
    for (let index = 0; index < share(0.06); index++) this.#interfaces.push(this.#interface(index))
    for (let index = 0; index < share(0.03); index++) this.#unions.push(this.#union(index))
  }

  text(): string {
    const types = [this.#query, ...this.#interfaces, ...this.#unions, ...this.#entities, ...this.#values]
    return printSupergraph(this.#subgraphs, types, this.#enums)
  }

  #enum(index: number): string {
    const subs = this.#random.sample([...this.#query.presence.keys()], this.#random.between(1, 6))
    const joins = subs.map((sub) => `@join__type(graph: S${String(sub).padStart(3, '0')})`)
    return `enum Kind${index} ${joins.join(' ')} { A B C }`
  }

  #ownValue(index: number): MadeType {
    const value = madeType(`Value${index}`)
    const sub = index % this.#subgraphs
    value.presence.set(sub, [])
    this.#scalars(value, [sub], this.#random.between(2, 8))
    return value
  }

  /** All of it in all subgraphs that have it: money, addresses, page infos. */
  #sharedValue(index: number): MadeType {
    const value = madeType(`Shared${index}`)
    const all = [...this.#query.presence.keys()]
    const subs = this.#random.sample(all, this.#random.between(3, Math.max(4, this.#subgraphs / 5)))
    for (const sub of subs) value.presence.set(sub, [])
    this.#scalars(value, subs, this.#random.between(2, 5))
    return value
  }

  #entity(index: number): MadeType {
    const entity = madeType(`Entity${index}`)
    const owner = index % this.#subgraphs
    this.#owners.set(entity, owner)
    const keys: Key[] = [{ text: 'id', resolvable: true }]
    joinField(entity, 'id', 'ID!', { sub: owner })
    joinField(entity, 'name', 'String', { sub: owner })
    if (this.#random.chance(0.2)) {
      keys.push({ text: 'sku', resolvable: true })
      joinField(entity, 'sku', 'ID!', { sub: owner })
    }
    entity.presence.set(owner, keys)
    this.#scalars(entity, [owner], this.#random.between(4, 14))
    this.#addValues(entity, owner, 2)
    joinField(this.#query, `one${index}`, entity.name, { sub: owner })
    joinField(this.#query, `all${index}`, `[${entity.name}!]!`, { sub: owner })
    return entity
  }

  #extend(entity: MadeType, index: number): void {
    const owner = this.#ownerOf(entity)
    const count =
      index < HUBS
        ? this.#random.between(this.#subgraphs / 5, this.#subgraphs / 3)
        : index % 9 === 0
          ? this.#random.between(4, 12)
          : this.#random.between(0, 3)
    const near = [...this.#query.presence.keys()].filter((sub) => domain(sub) === domain(owner))
    const far = this.#random.sample([...this.#query.presence.keys()], count)
    for (const sub of new Set([...this.#random.sample(near, Math.ceil(count / 2)), ...far].slice(0, count))) {
      if (sub === owner) continue
      const bySku = entity.fields.has('sku') && this.#random.chance(0.3)
      const key = bySku ? 'sku' : 'id'
      entity.presence.set(sub, [{ text: key, resolvable: true }])
      joinField(entity, key, 'ID!', { sub })
      for (let field = this.#random.between(1, 4); field > 0; field--)
        joinField(entity, `x${sub}n${field}`, SCALARS[field % SCALARS.length] ?? 'String', { sub })
      this.#addValues(entity, sub, 1)
      if (this.#random.chance(0.2)) joinField(entity, 'name', 'String', { sub })
    }
  }

  /** Fields from entity to entity, in every subgraph that has something to say about the entity. */
  #relate(entity: MadeType): void {
    for (const [sub, keys] of entity.presence) {
      // Who only refers to it adds nothing to it.
      if (!keys.some(({ resolvable }) => resolvable)) continue
      for (let count = this.#random.between(0, 3); count > 0; count--) {
        const target = this.#random.chance(0.3)
          ? this.#random.pick(this.#entities.slice(0, HUBS))
          : this.#random.chance(0.8)
            ? this.#random.pick(
                this.#entities.filter((other) => domain(this.#ownerOf(other)) === domain(sub)),
              )
            : this.#random.pick(this.#entities)
        const isList = this.#random.chance(0.4)
        const number = target.name.slice('Entity'.length)
        const name = `${isList ? 'many' : 'to'}${number}s${sub}`
        this.#refer(target, sub)
        const provided = this.#random.chance(0.1) ? this.#providable(target, sub) : null
        const provides = provided === null ? {} : { provides: provided }
        joinField(entity, name, isList ? `[${target.name}!]` : target.name, { sub, ...provides })
      }
    }
  }

  /** The subgraph knows the entity well enough to name it. */
  #refer(entity: MadeType, sub: number): void {
    if (entity.presence.has(sub)) return
    entity.presence.set(sub, [{ text: 'id', resolvable: this.#random.chance(0.3) }])
    joinField(entity, 'id', 'ID!', { sub })
  }

  #providable(entity: MadeType, sub: number): string | null {
    const names = this.#ownScalars(entity).filter((name) => !entity.fields.get(name)?.joins.has(sub))
    if (names.length === 0) return null
    const name = this.#random.pick(names)
    joinField(entity, name, entity.fields.get(name)?.type ?? 'String', { sub, external: true })
    return name
  }

  /**
   * Computed fields: from plain fields of the owner, sometimes from what others computed, sometimes from a
   * related entity.
   */
  #require(entity: MadeType): void {
    const owner = this.#ownerOf(entity)
    let previous: string | null = null
    for (const [sub, keys] of entity.presence) {
      if (sub === owner || !keys.some(({ resolvable }) => resolvable) || !this.#random.chance(0.25)) continue
      const wanted = [...this.#random.sample(this.#ownScalars(entity), this.#random.between(1, 3))]
      if (previous !== null && this.#random.chance(0.3)) wanted.push(previous)
      const free = wanted.filter((name) => {
        const known = entity.fields.get(name)?.joins.get(sub)
        return known === undefined || known.external === true
      })
      if (free.length === 0) continue
      for (const name of free)
        joinField(entity, name, entity.fields.get(name)?.type ?? 'String', { sub, external: true })
      previous = `r${sub}`
      joinField(entity, previous, 'Float', { sub, requires: free.join(' ') })
    }
  }

  #interface(index: number): MadeType {
    const made = madeType(`Face${index}`, 'interface')
    const home = index % this.#subgraphs
    const all = [...this.#query.presence.keys()]
    const isEntity = index % 12 === 0
    for (const sub of new Set([home, ...this.#random.sample(all, this.#random.between(0, 2))])) {
      const near = this.#entities.filter(
        (entity) => entity.presence.has(sub) && entity.fields.get('id')?.joins.has(sub),
      )
      const chosen = this.#random.sample(near, this.#random.between(3, 15))
      if (chosen.length === 0) continue
      made.presence.set(sub, isEntity && sub === home ? [{ text: 'id', resolvable: true }] : [])
      joinField(made, 'id', 'ID!', { sub })
      joinField(made, 'name', 'String', { sub })
      for (const entity of chosen) {
        joinField(entity, 'name', 'String', { sub })
        const subs = entity.implemented.get(made.name) ?? new Set()
        entity.implemented.set(made.name, subs.add(sub))
      }
      joinField(this.#query, `faces${index}s${sub}`, `[${made.name}!]`, { sub })
    }
    if (isEntity) this.#addInterfaceObject(made, home)
    return made
  }

  #addInterfaceObject(made: MadeType, home: number): void {
    const sub = (home + 1) % this.#subgraphs
    if (made.presence.has(sub)) return
    const implementers = this.#entities.filter((entity) => entity.implemented.has(made.name))
    if (implementers.some((entity) => entity.presence.has(sub))) return
    made.presence.set(sub, [{ text: 'id', resolvable: true }])
    made.interfaceObjectIn.add(sub)
    joinField(made, 'id', 'ID!', { sub })
    joinField(made, `extra${sub}`, 'Int', { sub })
    for (const entity of implementers) entity.fields.set(`extra${sub}`, { type: 'Int', joins: new Map() })
  }

  #union(index: number): MadeType {
    const made = madeType(`Union${index}`, 'union')
    const home = index % this.#subgraphs
    const known = this.#entities.filter((entity) => entity.presence.has(home))
    made.presence.set(home, [])
    for (const entity of this.#random.sample(known, this.#random.between(2, 8)))
      made.members.set(entity.name, new Set([home]))
    joinField(this.#query, `union${index}`, `[${made.name}!]`, { sub: home })
    return made
  }

  #scalars(type: MadeType, subs: readonly number[], count: number): void {
    for (let index = 0; index < count; index++) {
      const fieldType = SCALARS[index % SCALARS.length] ?? 'String'
      for (const sub of subs) joinField(type, `f${index}`, fieldType, { sub })
    }
  }

  #addValues(entity: MadeType, sub: number, most: number): void {
    const here = this.#values.filter((value) => value.presence.has(sub))
    for (const value of this.#random.sample(here, this.#random.between(0, most)))
      joinField(entity, `has${value.name}`, value.name, { sub })
  }

  #ownScalars(entity: MadeType): readonly string[] {
    const owner = this.#ownerOf(entity)
    return [...entity.fields.keys()].filter(
      (name) => /^f\d+$/.test(name) && entity.fields.get(name)?.joins.has(owner) === true,
    )
  }

  #ownerOf(entity: MadeType): number {
    return this.#owners.get(entity) ?? 0
  }
}

function domain(sub: number): number {
  return Math.floor(sub / DOMAIN)
}
