/**
 * Answers which parts of a schema a used coordinate uses as well. It runs in a thread: a schema may be large.
 * Who asks for a field of an interface asks for it of every type that implements the interface, and a field
 * uses the types that it belongs to and that it returns.
 */
import {
  type DirectiveNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  parse,
  type TypeNode,
} from 'graphql'
import { Artifact } from '@switchyard/contracts'
import { z } from 'zod'

export type CoordinatesTask = {
  readonly sha256: string
  /** The bytes of the artifact; absent if the thread may know them. */
  readonly artifact?: Uint8Array
  readonly question: /** Coordinates whose use is a use of one of these, by coordinate. */
    | { readonly kind: 'users-of'; readonly coordinates: readonly string[] }
    /** Everything that these use, by coordinate. */
    | { readonly kind: 'implied-by'; readonly coordinates: readonly string[] }
    /** Coordinates of the schema that none of these uses. */
    | ({ readonly kind: 'unused'; readonly used: readonly string[] } & Listed)
}

/** The coordinates that are listed: the first ones that have a text. Without it, the first ones of all. */
export type Listed = { readonly search?: string | undefined; readonly limit: number }

export type CoordinatesAnswer =
  | { readonly kind: 'unknown-artifact' }
  /** `unknown`: those that were asked about and are not in the schema. */
  | {
      readonly kind: 'related'
      readonly related: ReadonlyMap<string, readonly string[]>
      readonly unknown: readonly string[]
    }
  | { readonly kind: 'unused'; readonly unused: readonly string[]; readonly total: number }

/** Schemas that the thread remembers. */
const MOST_SCHEMAS = 4
const known = new Map<string, SchemaUses>()

export async function carryOut({ sha256, artifact, question }: CoordinatesTask): Promise<CoordinatesAnswer> {
  const schema = schemaOf(sha256, artifact)
  if (schema === null) return { kind: 'unknown-artifact' }
  const related = (by: ReadonlyMap<string, readonly string[]>): CoordinatesAnswer => ({
    kind: 'related',
    related: by,
    unknown: [...by.keys()].filter((coordinate) => !schema.has(coordinate)),
  })
  switch (question.kind) {
    case 'users-of':
      return related(schema.usersOf(question.coordinates))
    case 'implied-by':
      return related(new Map(question.coordinates.map((one) => [one, [...schema.impliedBy(one)]])))
    case 'unused': {
      const used = new Set(question.used.flatMap((one) => [...schema.impliedBy(one)]))
      const unused = [...schema.coordinates()].filter((one) => !used.has(one)).sort()
      const sought = question.search?.toLowerCase() ?? ''
      const fitting = sought === '' ? unused : unused.filter((one) => one.toLowerCase().includes(sought))
      return { kind: 'unused', unused: fitting.slice(0, question.limit), total: fitting.length }
    }
    default:
      return question satisfies never
  }
}

function schemaOf(sha256: string, artifact: Uint8Array | undefined): SchemaUses | null {
  const schema = known.get(sha256) ?? null
  if (schema !== null || artifact === undefined) return schema
  const { supergraphSdl } = z
    .object({ supergraphSdl: Artifact.shape.supergraphSdl })
    .parse(JSON.parse(Buffer.from(artifact).toString('utf8')))
  const made = new SchemaUses(supergraphSdl)
  for (const oldest of known.keys()) if (known.size >= MOST_SCHEMAS) known.delete(oldest)
  known.set(sha256, made)
  return made
}

type Member = { readonly type: string; readonly arguments: ReadonlyMap<string, string> }
type Type = {
  readonly interfaces: readonly string[]
  readonly members: ReadonlyMap<string, Member>
}

/** The uses of what clients see of a supergraph. */
export class SchemaUses {
  readonly #types = new Map<string, Type>()
  /** Types that implement an interface or belong to a union. */
  readonly #possible = new Map<string, string[]>()
  #users: ReadonlyMap<string, readonly string[]> | null = null

  constructor(supergraphSdl: string) {
    for (const definition of parse(supergraphSdl, { noLocation: true }).definitions) this.#add(definition)
    for (const [name, { interfaces }] of this.#types)
      for (const one of interfaces) this.#possible.set(one, [...(this.#possible.get(one) ?? []), name])
  }

  /** Everything in the schema that has a coordinate. */
  *coordinates(): Iterable<string> {
    for (const [name, { members }] of this.#types) {
      yield name
      for (const [member, { arguments: all }] of members) {
        yield `${name}.${member}`
        for (const argument of all.keys()) yield `${name}.${member}(${argument}:)`
      }
    }
  }

  /** Whether clients see something that has this coordinate. */
  has(coordinate: string): boolean {
    const [type = '', member, argument] = coordinate.split(/[.(:]/)
    const found = this.#types.get(type)
    if (found === undefined || member === undefined) return found !== undefined
    const own = found.members.get(member)
    return argument === undefined ? own !== undefined : own?.arguments.has(argument) === true
  }

  /** The coordinate itself and everything that its use uses. */
  impliedBy(coordinate: string): ReadonlySet<string> {
    const [type = '', member = '', argument = ''] = coordinate.split(/[.(:]/)
    const implied = new Set([coordinate])
    for (const owner of [type, ...(this.#possible.get(type) ?? [])]) {
      implied.add(owner)
      const found = this.#types.get(owner)?.members.get(member)
      if (found === undefined) continue
      const own = found.arguments.get(argument)
      if (argument === '') this.#addType(implied, found.type)
      else if (own !== undefined) this.#addType(implied, own)
      if (argument === '' || own !== undefined)
        implied.add(argument === '' ? `${owner}.${member}` : `${owner}.${member}(${argument}:)`)
    }
    return implied
  }

  /** The coordinates whose use is a use of one of these, by coordinate. */
  usersOf(coordinates: readonly string[]): ReadonlyMap<string, readonly string[]> {
    return new Map(coordinates.map((one) => [one, [one, ...this.#othersUsing(one)]]))
  }

  #othersUsing(coordinate: string): readonly string[] {
    const dot = coordinate.indexOf('.')
    if (dot === -1) return this.#usersOfTypes().get(coordinate) ?? []
    const member = coordinate.slice(dot)
    const { interfaces = [] } = this.#types.get(coordinate.slice(0, dot)) ?? {}
    return interfaces.map((one) => `${one}${member}`)
  }

  /** Made when somebody asks about a type for the first time, since it takes a look at everything. */
  #usersOfTypes(): ReadonlyMap<string, readonly string[]> {
    if (this.#users !== null) return this.#users
    const users = new Map<string, string[]>()
    for (const user of this.coordinates()) {
      if (!user.includes('.')) continue
      for (const implied of this.impliedBy(user)) {
        if (implied.includes('.')) continue
        const known = users.get(implied)
        if (known === undefined) users.set(implied, [user])
        else known.push(user)
      }
    }
    this.#users = users
    return users
  }

  #addType(implied: Set<string>, type: string): void {
    implied.add(type)
    for (const possible of this.#possible.get(type) ?? []) implied.add(possible)
  }

  #add(definition: DefinitionNode): void {
    if (!('name' in definition) || definition.name === undefined || isHidden(definition)) return
    const { value: name } = definition.name
    if (/^(?:join|link|core|federation)__/.test(name)) return
    const interfaces = 'interfaces' in definition ? namesOf(definition.interfaces) : []
    const type = { interfaces, members: new Map<string, Member>() }
    switch (definition.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        this.#types.set(name, { ...type, members: membersOf(definition.fields ?? []) })
        return
      case Kind.ENUM_TYPE_DEFINITION: {
        const values = (definition.values ?? []).filter((value) => !isHidden(value))
        const members = values.map(
          ({ name: { value } }) => [value, { type: name, arguments: new Map() }] as const,
        )
        this.#types.set(name, { ...type, members: new Map(members) })
        return
      }
      case Kind.UNION_TYPE_DEFINITION:
        this.#possible.set(name, [...namesOf(definition.types)])
        this.#types.set(name, type)
        return
      case Kind.SCALAR_TYPE_DEFINITION:
        this.#types.set(name, type)
        return
      default:
    }
  }
}

function membersOf(
  fields: readonly (FieldDefinitionNode | InputValueDefinitionNode)[],
): ReadonlyMap<string, Member> {
  return new Map(
    fields
      .filter((field) => !isHidden(field))
      .map((field) => {
        const all = 'arguments' in field ? (field.arguments ?? []) : []
        const seen = all.filter((one) => !isHidden(one))
        const types = seen.map((one) => [one.name.value, nameOf(one.type)] as const)
        return [field.name.value, { type: nameOf(field.type), arguments: new Map(types) }]
      }),
  )
}

function namesOf(types: readonly NamedTypeNode[] | undefined): readonly string[] {
  return (types ?? []).map(({ name }) => name.value)
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type)
}

function isHidden({
  directives = [],
}: {
  readonly directives?: readonly DirectiveNode[] | undefined
}): boolean {
  return directives.some(({ name }) => name.value === 'inaccessible')
}
