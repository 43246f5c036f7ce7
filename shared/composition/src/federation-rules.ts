/**
 * Rules of the federation specification that the library does not check. Asked when it has found nothing
 * wrong.
 */
import { Kind } from 'graphql'
import type { ASTNode, SelectionSetNode } from 'graphql'
import type { CompositionError, SdlLocation } from './contract/composition-result.ts'
import { argument } from './federation/federation-link.ts'
import { minorVersion } from './federation/federation-versions.ts'
import { fieldSetOf } from './subgraph/field-sets.ts'
import { operationTypes, typeNodes } from './documents/definitions.ts'
import { placesInFieldSet } from './locations/field-set-places.ts'
import { at } from './locations/place.ts'
import { federationDirectives, type ParsedSubgraph, type SubgraphType } from './subgraph/subgraph.ts'
import { baseName } from './subgraph/type-references.ts'

/** All violations of these rules, in the order of the rules and of the subgraphs. */
export function findBrokenRules(subgraphs: readonly ParsedSubgraph[]): readonly CompositionError[] {
  return [
    ...subgraphs.flatMap((subgraph) => [
      ...sharedRoots(subgraph),
      ...abstractKeys(subgraph),
      ...externalOnInterfaces(subgraph),
    ]),
    ...severalOverrides(subgraphs),
    ...unknownImplementations(subgraphs),
  ]
}

/** Each kind of operation has a root type of its own. */
function sharedRoots(subgraph: ParsedSubgraph): readonly CompositionError[] {
  return [...Map.groupBy(operationTypes(subgraph.document), ({ type }) => type.name.value)]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) =>
      failure(
        'INVALID_GRAPHQL',
        `[${subgraph.name}] Type "${name}" is the root type of ${found.map(({ operation }) => operation).join(' and ')}; each kind of operation has a root type of its own.`,
        found.flatMap(({ type }) => at(subgraph, type)),
      ),
    )
}

/**
 * The object behind a key must be the same for everyone who builds the key: unions and interfaces do not
 * promise that.
 */
function abstractKeys(subgraph: ParsedSubgraph): readonly CompositionError[] {
  return [...subgraph.types.values()].flatMap((type) =>
    federationDirectives(subgraph, type, 'key').flatMap((key) => {
      const found = findAbstract(subgraph, type.name, fieldSetOf(key))
      if (found === null) return []
      const [typeName = '', field = ''] = found.split('.')
      const target = { kind: 'field', type: typeName, field } as const
      return [
        failure(
          'KEY_FIELDS_SELECT_INVALID_TYPE',
          `[${subgraph.name}] A @key of "${type.name}" selects "${found}", which is of an interface or union type; keys select objects and leaf values only.`,
          placesInFieldSet(subgraph, key, type.name, target),
        ),
      ]
    }),
  )
}

function findAbstract(
  subgraph: ParsedSubgraph,
  typeName: string,
  set: SelectionSetNode | null,
): string | null {
  for (const node of set?.selections ?? []) {
    if (node.kind !== Kind.FIELD) continue
    const field = subgraph.types.get(typeName)?.fields.get(node.name.value)
    if (field === undefined) continue
    const type = subgraph.types.get(baseName(field.type))
    if (type?.kind === Kind.UNION_TYPE_DEFINITION || type?.kind === Kind.INTERFACE_TYPE_DEFINITION)
      return `${typeName}.${node.name.value}`
    const deeper = findAbstract(subgraph, baseName(field.type), node.selectionSet ?? null)
    if (deeper !== null) return deeper
  }
  return null
}

/** Federation 1 ignores it there. */
function externalOnInterfaces(subgraph: ParsedSubgraph): readonly CompositionError[] {
  if (subgraph.link === null) return []
  return [...subgraph.types.values()]
    .filter((type) => type.kind === Kind.INTERFACE_TYPE_DEFINITION)
    .flatMap((type) =>
      [...type.fields.values()].flatMap((field) =>
        federationDirectives(subgraph, field, 'external').map((node) =>
          failure(
            'EXTERNAL_ON_INTERFACE',
            `[${subgraph.name}] "${type.name}.${field.name.value}" is marked @external, but fields of an interface are resolved by its object types; mark their fields.`,
            at(subgraph, node),
          ),
        ),
      ),
    )
}

function severalOverrides(subgraphs: readonly ParsedSubgraph[]): readonly CompositionError[] {
  const overrides = new Map<
    string,
    { subgraph: ParsedSubgraph; type: SubgraphType; node: ASTNode; from: string }[]
  >()
  for (const subgraph of subgraphs) {
    for (const type of subgraph.types.values()) {
      for (const field of type.fields.values()) {
        for (const node of federationDirectives(subgraph, field, 'override')) {
          const from = argument(node, 'from')
          const place = `${type.name}.${field.name.value}`
          if (from?.kind !== Kind.STRING) continue
          // Of a subgraph that lacks the field: without effect.
          const source = subgraphs.find(({ name }) => name === from.value)
          if (source?.types.get(type.name)?.fields.has(field.name.value) !== true) continue
          overrides.set(place, [...(overrides.get(place) ?? []), { subgraph, type, node, from: from.value }])
        }
      }
    }
  }
  return [...overrides].flatMap(([place, found]) => {
    const of = found.flatMap(({ subgraph, node }) => at(subgraph, node))
    const names = found.map(({ subgraph }) => `"${subgraph.name}"`).join(' and ')
    if (found.some(({ from }) => found.some(({ subgraph }) => subgraph.name === from)))
      return [
        failure(
          'OVERRIDE_SOURCE_HAS_OVERRIDE',
          `Field "${place}" is overridden by subgraphs ${names}, one from another; a field has at most one @override. Name the subgraph it comes from at first.`,
          of,
        ),
      ]
    const isShared = found.every(({ subgraph, type }) =>
      [type, type.fields.get(place.slice(place.indexOf('.') + 1))].some(
        (node) => node !== undefined && federationDirectives(subgraph, node, 'shareable').length > 0,
      ),
    )
    return found.length < 2 || isShared
      ? []
      : [
          failure(
            'INVALID_FIELD_SHARING',
            `Non-shareable field "${place}" is resolved from multiple subgraphs: subgraphs ${names} both take it over by @override. Mark it @shareable in them, or keep one.`,
            of,
          ),
        ]
  })
}

/**
 * A subgraph that others ask for the type of an entity of an interface must know all the types it can have.
 */
function unknownImplementations(subgraphs: readonly ParsedSubgraph[]): readonly CompositionError[] {
  const interfaces = new Map<string, Set<string>>()
  for (const { types } of subgraphs)
    for (const type of types.values())
      if (type.kind === Kind.OBJECT_TYPE_DEFINITION)
        for (const name of type.interfaces)
          interfaces.set(name, (interfaces.get(name) ?? new Set()).add(type.name))
  return subgraphs.flatMap((subgraph) =>
    [...subgraph.types.values()].flatMap((type) => {
      if (type.kind !== Kind.INTERFACE_TYPE_DEFINITION || !hasInterfaceEntities(subgraph)) return []
      const keys = federationDirectives(subgraph, type, 'key').filter((key) => isResolvable(key))
      const unknown = [...(interfaces.get(type.name) ?? [])]
        .filter((name) => subgraph.types.get(name)?.interfaces.has(type.name) !== true)
        .sort()
      const [key] = keys
      if (key === undefined || unknown.length === 0) return []
      const missing = unknown.map((name) => `"${name}"`).join(' and ')
      return [
        failure(
          'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
          `[${subgraph.name}] Interface "${type.name}" has a resolvable @key, but the subgraph does not define ${missing}, which implement${unknown.length === 1 ? 's' : ''} it elsewhere. Define ${unknown.length === 1 ? 'it' : 'them'}, or make the key "resolvable: false".`,
          [
            ...at(subgraph, key),
            ...unknown.flatMap((name) => implementationPlaces(subgraphs, type.name, name)),
          ],
        ),
      ]
    }),
  )
}

/** Before 2.3 a @key on an interface meant nothing. */
function hasInterfaceEntities({ link }: ParsedSubgraph): boolean {
  const minor = link === null ? null : minorVersion(link)
  return minor !== null && minor >= 3
}

function isResolvable(key: Parameters<typeof argument>[0]): boolean {
  const resolvable = argument(key, 'resolvable')
  return resolvable?.kind !== Kind.BOOLEAN || resolvable.value
}

/** Returns the places where a type says that it implements the interface. */
function implementationPlaces(
  subgraphs: readonly ParsedSubgraph[],
  implemented: string,
  name: string,
): readonly SdlLocation[] {
  return subgraphs
    .filter(({ types }) => types.get(name)?.interfaces.has(implemented) === true)
    .flatMap((subgraph) => {
      const [node] = typeNodes(subgraph.document, name)
      return at(subgraph, node?.name, `implements "${implemented}" here`)
    })
}

function failure(code: string, message: string, locations: readonly SdlLocation[]): CompositionError {
  return {
    code,
    message,
    subgraphs: [...new Set(locations.map(({ subgraph }) => subgraph))].sort(),
    locations,
  }
}
