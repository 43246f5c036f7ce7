/** Compiles the types of the client's schema that are not what they were before a change. */
import { Kind, type TypeDefinitionNode } from 'graphql'
import { API_POSITIONS, ApiTypes, type Definitions, definitionsByName } from '../api-types.ts'
import { checkApiType, kindsIn } from '../check-api.ts'
import { compileApiType, withoutStaleDefaults } from '../compile-api.ts'
import type { ApiInput, ApiType, CompiledApi } from '../compiled/compiled-api.ts'
import type { FeatureDefinitions } from '../header/features.ts'
import { namedTypeIn } from '../header/type-text.ts'
import { SPECIFIED_SCALARS } from '../specified-scalars.ts'
import {
  type Definition,
  isEmptyType,
  type TypeNames,
  visibleDefinition,
  withKnown,
} from '../visible-definitions.ts'
import type { Changes } from './changed-types.ts'
import type { DefinitionTexts } from './definition-texts.ts'

/** The schema, and those of its types that were compiled. */
export type PatchedApi = { readonly api: CompiledApi; readonly compiled: readonly ApiType[] }

/**
 * Compiles the changed types, and those whose defaults may be wrong or right now. Null if clients see other
 * types than before without their definitions saying so, or if more than `most` types are to be compiled.
 * Throws a SupergraphError as the whole text would.
 */
export function patchApi(
  before: CompiledApi,
  { changed, removed }: Changes,
  texts: DefinitionTexts,
  features: FeatureDefinitions,
  most: number,
): PatchedApi | null {
  const found = visibleOf(before, changed, features)
  if (found === null) return null
  const gone = new Set(removed.map(({ name }) => name))
  const names = API_POSITIONS.of(before.types)
  const others = new Set([...found.added, ...SPECIFIED_SCALARS])
  const visible = { has: (name: string) => others.has(name) || (names.has(name) && !gone.has(name)) }
  const shown = typesOf(found.definitions, visible)
  if (shown === null) return null
  const known = definitionsByName(before.types)
  // Their defaults are checked below.
  const unchecked = new Map(shown.map((type) => [type.name, type]))
  const values = changedValues(known, unchecked, texts)
  if (values === null) return null
  for (const node of dependingOn(values, known, unchecked, texts)) {
    if (unchecked.size === most) return null
    const [definition] = visibleDefinition(node, features)
    const [type] = definition === undefined ? [] : (typesOf([definition], visible) ?? [])
    if (type !== undefined) unchecked.set(type.name, type)
  }
  if (!areDefaultsCheap([...unchecked.values()], known)) return null
  const made = new ApiTypes({ get: (name) => unchecked.get(name) ?? known.get(name) })
  const fresh = withoutStaleDefaults([...unchecked.values()], made)
  const compiled = new Map(fresh.map((type) => [type.name, type]))
  const kinds = kindsIn({
    get: (name) => (gone.has(name) ? undefined : (unchecked.get(name) ?? known.get(name))),
  })
  for (const type of compiled.values()) checkApiType(type, kinds)
  const types = inOrder(known, compiled, texts)
  if (hasSameNames(before.types, types)) API_POSITIONS.share(before.types, types)
  return { api: { ...before, types }, compiled: fresh }
}

/** Whether the lists have the same names in the same places. */
export function hasSameNames(one: readonly ApiType[], other: readonly ApiType[]): boolean {
  return one.length === other.length && one.every(({ name }, at) => name === other[at]?.name)
}

type Found = { readonly definitions: readonly Definition[]; readonly added: readonly string[] }

/** The visible parts of changed definitions, and the names of types that came in and are visible. */
function visibleOf(
  { types }: CompiledApi,
  changed: Changes['changed'],
  features: FeatureDefinitions,
): Found | null {
  const names = API_POSITIONS.of(types)
  const definitions: Definition[] = []
  const added: string[] = []
  for (const { name, before, now } of changed) {
    const [definition] = visibleDefinition(now, features)
    // A type of which nothing was visible may come to be seen together with others.
    if (before !== null && (definition !== undefined) !== (names.has(name) || SPECIFIED_SCALARS.has(name)))
      return null
    if (definition === undefined) continue
    definitions.push(definition)
    if (before === null) added.push(name)
  }
  return { definitions, added }
}

/** The types of visible definitions. Null if one is left without a member: others may go with it. */
function typesOf(definitions: readonly Definition[], names: TypeNames): readonly ApiType[] | null {
  const types: ApiType[] = []
  for (const definition of definitions) {
    const known = withKnown(definition, names)
    if (isEmptyType(known)) return null
    const type = compileApiType(known)
    if (type !== null) types.push(type)
  }
  return types
}

/** All types in the order of the text, with newer ones in the place of those that have their names. */
function inOrder(
  known: Definitions,
  newer: ReadonlyMap<string, ApiType>,
  texts: DefinitionTexts,
): readonly ApiType[] {
  const types: ApiType[] = []
  for (const name of texts.byName.keys()) {
    const type = newer.get(name) ?? known.get(name)
    if (type !== undefined) types.push(type)
  }
  return types
}

/** Input types within each other that are looked through for changed values. */
const MOST_PASSES = 10

/** Changed types of which defaults are values, and input types that contain such; null if too deep. */
function changedValues(
  known: Definitions,
  unchecked: ReadonlyMap<string, ApiType>,
  texts: DefinitionTexts,
): ReadonlySet<string> | null {
  const values = new Set<string>()
  for (const type of unchecked.values()) {
    const old = known.get(type.name)
    if (isValue(type) && old !== undefined && JSON.stringify(type) !== JSON.stringify(old))
      values.add(type.name)
  }
  if (values.size === 0) return values
  const inputs = inOrder(known, unchecked, texts).filter((type) => type.kind === 'input')
  for (let size = 0, pass = 0; size < values.size; pass++) {
    if (pass === MOST_PASSES) return null
    size = values.size
    for (const type of inputs) if (takesOneOf(type.fields, values)) values.add(type.name)
  }
  return values
}

/** Comparisons with values of enums that checking defaults may take. */
const MOST_COMPARED = 10_000

/**
 * Whether the defaults of these types are checked soon. What a wrong value may have meant is looked for among
 * all values of its enum. Whether an object fits depends on defaults that may have been left out before.
 */
function areDefaultsCheap(types: readonly ApiType[], known: Definitions): boolean {
  let compared = 0
  for (const { type, default: literal } of types.flatMap(inputsOf)) {
    if (literal === undefined) continue
    const named = known.get(namedTypeIn(type))
    if (named?.kind === 'input' || (literal.kind === Kind.LIST && literal.values.length > 0)) return false
    compared += named?.kind === 'enum' ? named.values.length : 1
  }
  return compared <= MOST_COMPARED
}

function inputsOf(type: ApiType): readonly ApiInput[] {
  if (!('fields' in type)) return []
  return type.kind === 'input' ? type.fields : type.fields.flatMap(({ args }) => args)
}

/** Defaults are values of these types. */
function isValue({ kind }: ApiType): boolean {
  return kind === 'enum' || kind === 'input' || kind === 'scalar'
}

function takesOneOf(inputs: readonly ApiInput[], names: ReadonlySet<string>): boolean {
  return inputs.some(({ type }) => names.has(namedTypeIn(type)))
}

/** Definitions of other types that take one of these values, and that may write one as a default. */
function* dependingOn(
  values: ReadonlySet<string>,
  known: Definitions,
  unchecked: ReadonlyMap<string, ApiType>,
  texts: DefinitionTexts,
): Iterable<TypeDefinitionNode> {
  if (values.size === 0) return
  for (const type of inOrder(known, unchecked, texts)) {
    if (unchecked.has(type.name) || !('fields' in type)) continue
    if (!takesOneOf(inputsOf(type), values) || texts.byName.get(type.name)?.includes('=') !== true) continue
    const node = texts.get(type.name)
    if (node !== undefined) yield node
  }
}
