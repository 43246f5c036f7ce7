/** Compiles the types of the client's schema that are not what they were before a change. */
import { specifiedScalarTypes, type TypeDefinitionNode } from 'graphql'
import { ApiTypes } from '../api-types.ts'
import { checkApiType, kindsOf } from '../check-api.ts'
import { compileApiType, withoutStaleDefaults } from '../compile-api.ts'
import type { ApiType, CompiledApi } from '../compiled/compiled-api.ts'
import type { FeatureDefinitions } from '../header/features.ts'
import { isEmptyType, visibleDefinition, withKnown } from '../visible-definitions.ts'

/** The schema, and those of its types that were compiled. */
export type PatchedApi = { readonly api: CompiledApi; readonly compiled: readonly ApiType[] }

/**
 * Compiles the changed definitions. Null if clients see other types than before, or if a default elsewhere
 * may have become wrong or right. Throws a SupergraphError as the whole text would.
 */
export function patchApi(
  before: CompiledApi,
  changed: readonly TypeDefinitionNode[],
  features: FeatureDefinitions,
): PatchedApi | null {
  const visible = new Set([...before.types, ...specifiedScalarTypes].map(({ name }) => name))
  const shown: ApiType[] = []
  for (const node of changed) {
    const [definition] = visibleDefinition(node, features)
    // A type of which nothing was visible may come to be seen together with others.
    if ((definition !== undefined) !== visible.has(node.name.value)) return null
    if (definition === undefined) continue
    const known = withKnown(definition, visible)
    if (isEmptyType(known)) return null
    const type = compileApiType(known)
    if (type !== null) shown.push(type)
  }
  const names = new Map(shown.map((type) => [type.name, type]))
  const compiled = withoutStaleDefaults(shown, new ApiTypes(withTypes(before.types, names)))
  const old = new Map(before.types.filter(({ name }) => names.has(name)).map((type) => [type.name, type]))
  if (compiled.some((type) => isValue(type) && JSON.stringify(type) !== JSON.stringify(old.get(type.name))))
    return null
  const kinds = kindsOf(before.types)
  for (const type of compiled) checkApiType(type, kinds)
  return { api: withApiTypes(before, compiled), compiled }
}

/** The schema with other types in the place of those that have their names. */
export function withApiTypes(api: CompiledApi, types: readonly ApiType[]): CompiledApi {
  return { ...api, types: withTypes(api.types, new Map(types.map((type) => [type.name, type]))) }
}

function withTypes(types: readonly ApiType[], others: ReadonlyMap<string, ApiType>): readonly ApiType[] {
  return types.map((type) => others.get(type.name) ?? type)
}

/** Defaults are values of these types. */
function isValue({ kind }: ApiType): boolean {
  return kind === 'enum' || kind === 'input' || kind === 'scalar'
}
