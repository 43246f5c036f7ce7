/**
 * Facts about a field in the subgraphs of a split: which of them resolve it, which object types and enum
 * values they know there, and what each promises about null. A value that must be the same from all of them
 * keeps to the values that every one of them can return.
 */
import { type ConstDirectiveNode, Kind, type NamedTypeNode, parse, type TypeNode } from 'graphql'

export type FieldSource = { readonly subgraph: string; readonly type: TypeNode }

export type SubgraphTypes = {
  readonly name: string
  /**
   * Returns the object types that an object of this type may have here. Null for an interface object, which
   * does not tell.
   */
  runtime(type: string): readonly string[] | null
  readonly enums: ReadonlyMap<string, readonly string[]>
  /** Types of fields by their coordinates, only of fields that some position can select. */
  readonly fields: ReadonlyMap<string, TypeNode>
}

export function readSubgraphTypes(name: string, sdl: string): SubgraphTypes {
  const objects = new Map<string, Set<string>>()
  const unions = new Map<string, string[]>()
  const interfaceObjects = new Set<string>()
  const enums = new Map<string, string[]>()
  const fields = new Map<string, TypeNode>()
  const provided = new Set(
    [...sdl.matchAll(/@provides\(fields: "([^"]*)"\)/g)].flatMap(([, text = '']) => words(text)),
  )
  for (const definition of parse(sdl, { noLocation: true }).definitions) {
    switch (definition.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION: {
        const type = definition.name.value
        const known = objects.get(type) ?? new Set()
        for (const { name } of definition.interfaces ?? []) known.add(name.value)
        objects.set(type, known)
        if (has(definition.directives, 'interfaceObject')) interfaceObjects.add(type)
        for (const field of definition.fields ?? []) {
          if (has(field.directives, 'external') && !provided.has(field.name.value)) continue
          fields.set(`${type}.${field.name.value}`, field.type)
        }
        break
      }
      case Kind.UNION_TYPE_DEFINITION:
      case Kind.UNION_TYPE_EXTENSION:
        unions.set(definition.name.value, names(definition.types))
        break
      case Kind.ENUM_TYPE_DEFINITION:
        enums.set(
          definition.name.value,
          (definition.values ?? []).map(({ name }) => name.value),
        )
        break
      default:
    }
  }
  return {
    name,
    enums,
    fields,
    runtime(type) {
      if (interfaceObjects.has(type)) return null
      if (objects.has(type)) return [type]
      const members = unions.get(type)
      if (members !== undefined) return members
      return [...objects].filter(([, interfaces]) => interfaces.has(type)).map(([object]) => object)
    },
  }
}

function names(types: readonly NamedTypeNode[] | undefined): string[] {
  return (types ?? []).map(({ name }) => name.value)
}

function words(selection: string): readonly string[] {
  return selection.match(/\w+/g) ?? []
}

function has(directives: readonly ConstDirectiveNode[] | undefined, name: string): boolean {
  return directives?.some((directive) => directive.name.value.endsWith(name)) === true
}
