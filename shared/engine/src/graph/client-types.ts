/** All types of the schema that clients see, each made when it is first asked for. */
import {
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  assertInterfaceType,
} from 'graphql'
import type { ApiTypes } from './api-types.ts'
import type { ApiType } from './compiled/compiled-api.ts'
import { SPECIFIED_SCALARS } from './specified-scalars.ts'

/** The types that implement an interface, as graphql-js wants them. */
export type Implementations = {
  readonly objects: readonly GraphQLObjectType[]
  readonly interfaces: readonly GraphQLInterfaceType[]
}

type ImplementationNames = { readonly objects: string[]; readonly interfaces: string[] }

const NONE: Implementations = { objects: [], interfaces: [] }

/** Types by name, in the order of introspection, and which of them implement an interface. */
export class ClientTypes {
  /** As graphql-js asks for all types. Reading one makes that one. */
  readonly byName: Readonly<Record<string, GraphQLNamedType>> = recordOf(this)
  readonly #definitions: readonly ApiType[]
  readonly #made: ApiTypes
  /** The types of arguments of directives, and those of introspection. */
  readonly #others: ReadonlyMap<string, GraphQLNamedType>
  #names: ReadonlySet<string> | undefined
  #implementationNames: ReadonlyMap<string, ImplementationNames> | undefined
  readonly #implementations = new Map<string, Implementations>()

  constructor(definitions: readonly ApiType[], made: ApiTypes, others: readonly GraphQLNamedType[]) {
    this.#definitions = definitions
    this.#made = made
    this.#others = new Map(others.map((type) => [type.name, type]))
  }

  /** The names of all types. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= this.#allNames())
  }

  /** The type; undefined if the schema has none of this name. */
  get(name: string): GraphQLNamedType | undefined {
    if (this.#made.has(name)) return this.#made.named(name)
    return (
      this.#others.get(name) ??
      (SPECIFIED_SCALARS.has(name) && this.names.has(name) ? this.#made.named(name) : undefined)
    )
  }

  implementationsOf(name: string): Implementations {
    let found = this.#implementations.get(name)
    if (found === undefined) {
      this.#implementationNames ??= this.#readImplementations()
      const names = this.#implementationNames.get(name)
      found =
        names === undefined
          ? NONE
          : {
              objects: names.objects.map((object) => this.#made.object(object)),
              interfaces: names.interfaces.map((one) => assertInterfaceType(this.#made.named(one))),
            }
      this.#implementations.set(name, found)
    }
    return found
  }

  #allNames(): ReadonlySet<string> {
    const names = new Set<string>()
    for (const definition of this.#definitions) {
      names.add(definition.name)
      if ('scalars' in definition) for (const scalar of definition.scalars) names.add(scalar)
    }
    for (const name of this.#others.keys()) names.add(name)
    return names
  }

  #readImplementations(): ReadonlyMap<string, ImplementationNames> {
    const found = new Map<string, ImplementationNames>()
    for (const definition of this.#definitions) {
      if (definition.kind !== 'object' && definition.kind !== 'interface') continue
      for (const name of definition.interfaces) {
        const known = found.get(name) ?? { objects: [], interfaces: [] }
        found.set(name, known)
        if (definition.kind === 'object') known.objects.push(definition.name)
        else known.interfaces.push(definition.name)
      }
    }
    return found
  }
}

function recordOf(types: ClientTypes): Readonly<Record<string, GraphQLNamedType>> {
  const read = (name: string | symbol) => (typeof name === 'string' ? types.get(name) : undefined)
  // Without a prototype: a type may be called `__proto__`.
  const empty: Record<string, GraphQLNamedType> = Object.create(null)
  return new Proxy(empty, {
    get: (_target, name) => read(name),
    has: (_target, name) => typeof name === 'string' && types.names.has(name),
    ownKeys: () => [...types.names],
    getOwnPropertyDescriptor: (_target, name) => {
      const value = read(name)
      return value === undefined ? undefined : { value, enumerable: true, configurable: true }
    },
  })
}
