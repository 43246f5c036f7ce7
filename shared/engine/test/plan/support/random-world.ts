/**
 * A random world: one schema, split at random over subgraphs. Entities with one or several keys, fields shared by some
 * subgraphs, `@requires`, `@provides`, value types known in part, a union, an interface, interface objects.
 *
 * Not every split composes; the caller draws another one then.
 */
import { FED2, type Suite, type Tables } from '../../corpus/harness/suite.ts'

type Field = { readonly name: string; readonly type: string; readonly target: string | null }
type Writable = { readonly __typename: string; [field: string]: unknown }

const SUBGRAPHS = ['a', 'b', 'c', 'd'] as const
const ENTITIES = ['E0', 'E1', 'E2', 'E3'] as const
const VALUES = ['V0', 'V1'] as const
const KEYS = [['id'], ['id'], ['id'], ['code'], ['id', 'code'], ['id code']] as const

export function randomWorld(random: () => number): Suite {
  return new WorldMaker(random).make()
}

class WorldMaker {
  readonly #random: () => number
  readonly #subgraphs: readonly string[]
  readonly #entities: readonly string[]
  readonly #nodes: readonly string[]
  readonly #members: readonly string[]
  readonly #interfaceObjects: readonly string[]
  readonly #fields = new Map<string, readonly Field[]>()
  /** Subgraphs by `Type.field`. */
  readonly #owners = new Map<string, readonly string[]>()
  readonly #presence = new Map<string, readonly string[]>()
  readonly #keys = new Map<string, readonly string[]>()
  /** Field that is required, by `Type.subgraph`. */
  readonly #required = new Map<string, string>()
  /** Field that is provided, by `Type.field` and subgraph. */
  readonly #provided = new Map<string, string>()

  constructor(random: () => number) {
    this.#random = random
    this.#subgraphs = SUBGRAPHS.slice(0, 2 + this.#below(3))
    this.#entities = ENTITIES.slice(0, 2 + this.#below(3))
    this.#nodes = this.#some(this.#entities, 0.7)
    this.#members = this.#some(this.#entities, 0.6)
    this.#interfaceObjects = this.#chance(0.6) ? ['x', 'y'].slice(0, 1 + this.#below(2)) : []
    for (const type of [...this.#entities, ...VALUES]) this.#fields.set(type, this.#drawFields(type))
    for (const type of this.#entities) this.#assignEntity(type)
    for (const type of VALUES)
      for (const { name } of this.#fieldsOf(type))
        this.#owners.set(`${type}.${name}`, this.#some(this.#subgraphs, 0.8))
    for (const type of this.#entities) this.#drawProvides(type)
  }

  make(): Suite {
    const computed = Object.fromEntries([
      ...[...this.#required].map(([key, input]) => {
        const [type = '', subgraph = ''] = key.split('.')
        return [
          `${type}.c${subgraph}`,
          { compute: (inputs: Readonly<Record<string, unknown>>) => `${String(inputs[input])}+` },
        ]
      }),
      ...this.#interfaceObjects.map((subgraph) => [
        `Node.q${subgraph}`,
        { compute: (inputs: Readonly<Record<string, unknown>>) => `${String(inputs['common'])}*` },
      ]),
    ])
    const seed = this.#below(1_000_000)
    return {
      name: 'random',
      monolith: this.#monolith(),
      tables: () => this.#tables(seed),
      fields: this.#rootFields(),
      computed,
      subgraphs: Object.fromEntries([
        ...this.#subgraphs.map((name) => [name, { sdl: FED2 + this.#subgraph(name) }]),
        ...this.#interfaceObjects.map((name) => [name, { sdl: FED2 + this.#interfaceObject(name) }]),
      ]),
      operations: [],
    }
  }

  #drawFields(type: string): readonly Field[] {
    if (type === 'V1') return [scalar('p'), scalar('q')]
    const targets =
      type === 'V0' ? [...this.#entities, 'V1'] : [...this.#entities, ...VALUES, ...this.#abstract()]
    const composite = Array.from({ length: 1 + this.#below(3) }, (_, index) => {
      const target = this.#pick(targets)
      return { name: `f${index}`, type: this.#chance(0.5) ? target : `[${target}]`, target }
    })
    return [scalar('s0'), scalar('s1'), scalar('s2'), ...composite]
  }

  #abstract(): readonly string[] {
    return [...(this.#nodes.length > 0 ? ['Node'] : []), ...(this.#members.length > 0 ? ['U'] : [])]
  }

  #assignEntity(type: string): void {
    const drawn = this.#some(this.#subgraphs, 0.7)
    // The subgraph that gives the interface its key knows every type that has the interface.
    const present = this.#nodes.includes(type) ? [...new Set(['a', ...drawn])] : drawn
    this.#presence.set(type, present)
    for (const name of present) {
      const keys = this.#pick(KEYS)
      const needsId = name === 'a' && this.#nodes.includes(type) && !keys.some((key) => key === 'id')
      this.#keys.set(`${type}.${name}`, needsId ? ['id', ...keys] : keys)
    }
    for (const field of this.#fieldsOf(type))
      this.#owners.set(`${type}.${field.name}`, [...new Set([this.#pick(present), this.#pick(present)])])
    for (const name of present) {
      const inputs = this.#fieldsOf(type).filter(
        (field) => field.target === null && !this.#owns(name, type, field.name),
      )
      if (inputs.length > 0 && this.#chance(0.4))
        this.#required.set(`${type}.${name}`, this.#pick(inputs).name)
    }
  }

  #drawProvides(type: string): void {
    for (const field of this.#fieldsOf(type))
      for (const name of this.#owners.get(`${type}.${field.name}`) ?? []) {
        if (field.target === null || !this.#entities.includes(field.target) || !this.#chance(0.25)) continue
        const { target } = field
        const candidates = this.#fieldsOf(target).filter(
          (inner) => inner.target === null && !this.#owns(name, target, inner.name),
        )
        if (candidates.length > 0)
          this.#provided.set(`${type}.${field.name}.${name}`, this.#pick(candidates).name)
      }
  }

  #subgraph(name: string): string {
    const keyed = name === 'a' && this.#nodes.length > 0
    const roots = this.#roots().filter((root) => root.subgraphs.includes(name))
    const types = new Map<string, string>()
    const add = (type: string): void => {
      if (types.has(type)) return
      types.set(type, '')
      if (type === 'Node') {
        const key = keyed && this.#interfaceObjects.length > 0 ? ' @key(fields: "id")' : ''
        types.set(type, `interface Node${key} { id: ID!${keyed ? ' common: String' : ''} }`)
        for (const object of this.#nodes) add(object)
      } else if (type === 'U') {
        types.set(type, `union U = ${this.#members.join(' | ')}`)
        for (const member of this.#members) add(member)
      } else {
        for (const field of this.#fieldsOf(type))
          if (field.target !== null && this.#owns(name, type, field.name)) add(field.target)
      }
    }
    if (keyed) add('Node')
    for (const type of this.#entities) if (this.#presence.get(type)?.includes(name) === true) add(type)
    for (const root of roots) add(root.type)
    const texts = [...types].map(([type, text]) =>
      text === '' ? this.#objectText(name, type, types.has('Node')) : text,
    )
    const query = roots.map(
      (root) => `${root.name}: ${root.output}${root.subgraphs.length > 1 ? ' @shareable' : ''}`,
    )
    return [...(query.length > 0 ? [`type Query { ${query.join(' ')} }`] : []), ...texts].join('\n')
  }

  #objectText(name: string, type: string, hasNode: boolean): string {
    const isEntity = this.#entities.includes(type)
    const present = !isEntity || this.#presence.get(type)?.includes(name) === true
    const keys = isEntity ? (this.#keys.get(`${type}.${name}`) ?? ['id']) : []
    const node = hasNode && this.#nodes.includes(type)
    const fields = new Map<string, string>()
    for (const key of keys
      .join(' ')
      .split(' ')
      .filter((part) => part !== ''))
      fields.set(key, `${key}: ID! @shareable`)
    if (node) fields.set('id', 'id: ID! @shareable')
    if (node && name === 'a') fields.set('common', 'common: String')
    if (present) {
      for (const field of this.#fieldsOf(type)) {
        if (!this.#owns(name, type, field.name)) continue
        const provides = this.#provided.get(`${type}.${field.name}.${name}`)
        const text = provides === undefined ? '' : ` @provides(fields: "${provides}")`
        fields.set(field.name, `${field.name}: ${field.type} @shareable${text}`)
      }
      const input = this.#required.get(`${type}.${name}`)
      if (input !== undefined) fields.set(`c${name}`, `c${name}: String @requires(fields: "${input}")`)
      if (input !== undefined) fields.set(input, `${input}: String @external`)
    }
    for (const [place, input] of this.#provided) {
      const [parent = '', field = '', where] = place.split('.')
      const target = this.#fieldsOf(parent).find((candidate) => candidate.name === field)?.target
      if (where === name && target === type) fields.set(input, `${input}: String @external`)
    }
    if (fields.size === 0) fields.set('none', 'none: Int @shareable')
    const directives = keys.map((key) => ` @key(fields: "${key}"${present ? '' : ', resolvable: false'})`)
    return `type ${type}${node ? ' implements Node' : ''}${directives.join('')} { ${[...fields.values()].join(' ')} }`
  }

  #interfaceObject(name: string): string {
    if (this.#nodes.length === 0) return `type Query { none${name}: Int }`
    return `type Query { io${name}: [Node] }
      type Node @interfaceObject @key(fields: "id") {
        id: ID! own${name}: String common: String @external q${name}: String @requires(fields: "common") back${name}: Node
      }`
  }

  #roots(): readonly { name: string; output: string; type: string; subgraphs: readonly string[] }[] {
    const lists = this.#entities.flatMap((type) =>
      (this.#presence.get(type) ?? []).map((name) => ({
        name: `l${type}${name}`,
        output: `[${type}]`,
        type,
        subgraphs: [name],
      })),
    )
    const shared = { name: 'value', output: 'V0', type: 'V0', subgraphs: this.#subgraphs }
    return [...lists.filter((_, index) => index % 2 === 0), shared]
  }

  #rootFields(): NonNullable<Suite['fields']> {
    const nodes = (tables: Tables) => this.#nodes.flatMap((type) => tables[type]?.slice(0, 2) ?? [])
    return Object.fromEntries([
      ...this.#roots().map((root) => [
        `Query.${root.name}`,
        (_row: unknown, _args: unknown, tables: Tables) =>
          root.type === 'V0' ? tables['V0']?.[0] : tables[root.type],
      ]),
      ...this.#interfaceObjects.map((name) => [
        `Query.io${name}`,
        (_row: unknown, _args: unknown, tables: Tables) => nodes(tables),
      ]),
    ])
  }

  #monolith(): string {
    const withNode = this.#nodes.length > 0
    const extra = this.#interfaceObjects
      .map((name) => `own${name}: String q${name}: String back${name}: Node`)
      .join(' ')
    const node = `id: ID! common: String ${extra}`
    const fields = (type: string) =>
      this.#fieldsOf(type)
        .map((field) => `${field.name}: ${field.type}`)
        .join(' ')
    const entities = this.#entities.map((type) => {
      const isNode = this.#nodes.includes(type)
      const computed = [...this.#required.keys()]
        .filter((key) => key.startsWith(`${type}.`))
        .map((key) => `c${key.slice(3)}: String`)
      return `type ${type}${isNode ? ' implements Node' : ''} { ${isNode ? node : 'id: ID!'} code: ID! ${fields(type)} ${computed.join(' ')} }`
    })
    const roots = this.#roots().map((root) => `${root.name}: ${root.output}`)
    const ios = this.#interfaceObjects.map((name) => (withNode ? `io${name}: [Node]` : `none${name}: Int`))
    return [
      `type Query { ${[...roots, ...ios].join(' ')} }`,
      ...entities,
      ...VALUES.map((type) => `type ${type} { ${fields(type)} none: Int }`),
      ...(withNode ? [`interface Node { ${node} }`] : []),
      ...(this.#members.length > 0 ? [`union U = ${this.#members.join(' | ')}`] : []),
    ].join('\n')
  }

  #tables(seed: number): Tables {
    const random = linear(seed)
    const tables: Record<string, Writable[]> = {}
    const any = (types: readonly string[]): Writable | null => {
      const rows = tables[types[Math.floor(random() * types.length)] ?? '']
      return rows?.[Math.floor(random() * rows.length)] ?? null
    }
    const value = (type: string): Writable => fill({ __typename: type })
    const one = (target: string): Writable | null => {
      if (random() < 0.15) return null
      if (target === 'Node') return any(this.#nodes)
      if (target === 'U') return any(this.#members)
      return this.#entities.includes(target) ? any([target]) : value(target)
    }
    const fill = (row: Writable): Writable => {
      for (const { name, type, target } of this.#fieldsOf(row.__typename)) {
        if (target === null)
          row[name] = random() < 0.15 ? null : `${row.__typename}${name}${Math.floor(random() * 99)}`
        else if (type.startsWith('['))
          row[name] = Array.from({ length: Math.floor(random() * 4) }, () => one(target))
        else row[name] = one(target)
      }
      return row
    }
    for (const type of this.#entities)
      tables[type] = [0, 1, 2].map((index) => ({
        __typename: type,
        id: `${type}-${index}`,
        code: `${type}:${index}`,
      }))
    for (const row of this.#entities.flatMap((type) => tables[type] ?? [])) {
      fill(row)
      row['common'] = random() < 0.2 ? null : `${String(row['id'])} common`
      for (const name of this.#interfaceObjects) {
        row[`own${name}`] = `${String(row['id'])} ${name}`
        row[`back${name}`] = this.#nodes.length > 0 ? any(this.#nodes) : null
      }
    }
    return { ...tables, V0: [value('V0')] }
  }

  #fieldsOf(type: string): readonly Field[] {
    return this.#fields.get(type) ?? []
  }

  #owns(subgraph: string, type: string, field: string): boolean {
    return this.#owners.get(`${type}.${field}`)?.includes(subgraph) === true
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from.')
    return item
  }

  /** Never none. */
  #some<T>(items: readonly T[], probability: number): readonly T[] {
    const found = items.filter(() => this.#chance(probability))
    return found.length > 0 ? found : [this.#pick(items)]
  }
}

function scalar(name: string): Field {
  return { name, type: 'String', target: null }
}

/** Numbers in [0, 1), the same for the same seed. */
export function linear(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
