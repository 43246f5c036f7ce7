/**
 * Finds the definitions that a message of the library is about.
 *
 * The library's errors carry a code, a text, and seldom a node. The text is made of a template with
 * coordinates and names in it; a rule is one such template, read backwards.
 */
import { Kind, print } from 'graphql'
import type { ConstDirectiveNode } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { isExternal, type ParsedSubgraph } from '../subgraph/subgraph.ts'
import {
  type Coordinate,
  directivesAt,
  findNodes,
  isTypeNode,
  type FoundNode,
  parseCoordinate,
  typeReferenceOf,
} from '../documents/definitions.ts'
import { at, type Located } from './place.ts'

/** A message of the library, read backwards, and where the mistake is that it tells of. */
export type Rule = {
  readonly code: string
  readonly pattern: RegExp
  /**
   * Returns the places of an error. `scope` holds the subgraphs that the message can be about, and `found`
   * what the groups of the pattern matched.
   */
  readonly places: (scope: Scope, ...found: string[]) => readonly SdlLocation[]
  /** Returns a message that replaces the library's one, where that does not say what is wrong. */
  readonly message?: (scope: Scope, ...found: string[]) => string
}

/** A part of patterns that matches a coordinate or a name as the library quotes it. */
export const C = '"([^"]+)"'

/** The subgraphs that a message can be about. */
export type Scope = readonly Located[]

/** Returns the subgraph of the scope that has this name; none if no subgraph has it. */
export function named(scope: Scope, name: string | undefined): Scope {
  return scope.filter((one) => one.name === name)
}

/** Returns the subgraphs that a list such as `"a" and "b"` or `"a", "b" and "c"` names. */
export function listed(scope: Scope, list: string): Scope {
  const names = new Set([...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name))
  return scope.filter(({ name }) => names.has(name))
}

/** All definitions and extensions in a subgraph that a coordinate names. */
export function nodesAt(one: Located, text: string): readonly FoundNode[] {
  const coordinate = coordinateIn(one, text)
  return coordinate === null ? [] : findNodes(one.subgraph.document, coordinate)
}

/**
 * Returns the coordinate in a text, or null if the subgraph does not have its type. Most subgraphs do not
 * have the searched type, and then their documents are not searched.
 */
function coordinateIn({ subgraph }: Located, text: string): Coordinate | null {
  const coordinate = parseCoordinate(text)
  if (coordinate === null || coordinate.type.startsWith('@')) return coordinate
  return subgraph.types.has(coordinate.type) ? coordinate : null
}

/**
 * Returns the places of the names that the coordinate stands for, in every subgraph of the scope that has it.
 */
export function names(
  scope: Scope,
  text: string,
  label?: (found: FoundNode) => string,
): readonly SdlLocation[] {
  return scope.flatMap((one) => nodesAt(one, text).flatMap((found) => at(one, found.name, label?.(found))))
}

/** Returns the place of the first name only: an extension says no more about what is missing. */
export function firstName(scope: Scope, text: string, label?: string): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    nodesAt(one, text)
      .slice(0, 1)
      .flatMap((found) => at(one, found.name, label)),
  )
}

/** Ends the label of a type that an external field has. */
export const EXTERNAL_LABEL = ', @external'

/** Types as they are written: `Int here`. */
export function typeReferences(scope: Scope, text: string): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    nodesAt(one, text).flatMap((found) => {
      const type = typeReferenceOf(found.node)
      if (type === undefined) return []
      const external = isExternalAt(one, text) ? EXTERNAL_LABEL : ''
      return at(one, type, 'type' in found.node ? `${print(found.node.type)} here${external}` : undefined)
    }),
  )
}

/**
 * Returns the places where a directive is applied at the coordinate, or those of the coordinate's names if it
 * is not applied there itself.
 */
export function directives(scope: Scope, text: string, directive: string): readonly SdlLocation[] {
  return scope.flatMap((one) => {
    const coordinate = coordinateIn(one, text)
    if (coordinate === null) return []
    const found = directivesAt(one.subgraph.document, coordinate, directive)
    return found.length > 0 ? found.flatMap((node) => at(one, node)) : names([one], text)
  })
}

/** The subgraphs of the scope that apply a directive to what a coordinate names. */
export function marked(scope: Scope, text: string, directive: string): Scope {
  return scope.filter((one) => {
    const coordinate = coordinateIn(one, text)
    return coordinate !== null && directivesAt(one.subgraph.document, coordinate, directive).length > 0
  })
}

/** The subgraphs of the scope that know what a coordinate names. */
export function having(scope: Scope, text: string): Scope {
  return scope.filter((one) => nodesAt(one, text).length > 0)
}

/** The subgraphs of the scope that have nothing at a coordinate. */
export function lacking(scope: Scope, text: string): Scope {
  return scope.filter((one) => nodesAt(one, text).length === 0)
}

/** True if the subgraph marks the field at a coordinate with `@external`. */
export function isExternalAt({ subgraph }: Located, text: string): boolean {
  const { type: typeName = '', member }: Partial<Coordinate> = parseCoordinate(text) ?? {}
  const type = subgraph.types.get(typeName)
  const field = member === undefined ? undefined : type?.fields.get(member)
  return type !== undefined && field !== undefined && isExternal(subgraph, type, field)
}

/** Everywhere in a document. */
export function applications(
  { document }: Pick<ParsedSubgraph, 'document'>,
  directive: string,
): readonly ConstDirectiveNode[] {
  const found: ConstDirectiveNode[] = []
  const gather = (node: { readonly directives?: readonly ConstDirectiveNode[] | undefined }) => {
    found.push(...(node.directives ?? []).filter(({ name }) => name.value === directive))
  }
  for (const definition of document.definitions) {
    if (isTypeNode(definition)) gather(definition)
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      gather(definition)
    const members =
      'fields' in definition
        ? (definition.fields ?? [])
        : 'values' in definition
          ? (definition.values ?? [])
          : []
    for (const member of members) {
      gather(member)
      if (member.kind === Kind.FIELD_DEFINITION) for (const one of member.arguments ?? []) gather(one)
    }
  }
  return found
}
