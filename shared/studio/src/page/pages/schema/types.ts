/** The answers that this page shows, and facts about them. */
import type { Read } from '../../api/client.ts'

export type CompositionTypes = Read<'/v1/graphs/{namespace}/{name}/types'>
export type TypeDetail = Read<'/v1/graphs/{namespace}/{name}/types/{type}'>
export type Field = TypeDetail['fields'][number]
export type FieldInSubgraph = Field['subgraphs'][number]
export type Found = Read<'/v1/graphs/{namespace}/{name}/search'>['matches'][number]

/** Kinds of types in the order in which the API numbers them, in words. */
export const KINDS = ['object', 'interface', 'union', 'enum', 'scalar', 'input'] as const
export type Kind = (typeof KINDS)[number]

export function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value)
}

/** A type as the list of all types has it. */
export type ListedType = { readonly name: string; readonly kind: Kind; readonly size: number }

/** Returns the types of a kind whose name has a text: root types first, then those that begin with it. */
export function listedTypes(
  { names, kinds, sizes, roots }: CompositionTypes,
  kind: Kind | undefined,
  text: string,
): readonly ListedType[] {
  const sought = text.toLowerCase()
  const operations = new Set([roots.query, roots.mutation, roots.subscription])
  const ranked: readonly [ListedType[], ListedType[]] = [[], []]
  names.forEach((name, index) => {
    const its = KINDS[kinds[index] ?? 0] ?? 'object'
    if (kind !== undefined && its !== kind) return
    const place = name.toLowerCase().indexOf(sought)
    if (place === -1) return
    const isFirst = sought === '' ? operations.has(name) : place === 0
    ranked[isFirst ? 0 : 1].push({ name, kind: its, size: sizes[index] ?? 0 })
  })
  return ranked.flat()
}

/** Returns the field of a coordinate: `price` of `Product.price`. Null if it is that of a type. */
export function fieldOf(coordinate: string): string | null {
  return /^\w+\.(\w+)/.exec(coordinate)?.[1] ?? null
}

/** Returns a sentence for each thing that a subgraph does about a field. */
export function rolesOf(field: FieldInSubgraph): readonly string[] {
  const roles: string[] = []
  if (field.resolves) roles.push('resolves it')
  else if (field.external) roles.push('only refers to it (external)')
  else if (field.usedOverridden) roles.push('gave it away, and uses it in keys')
  else roles.push('does not answer it')
  if (field.type !== null) roles.push(`as ${field.type}`)
  if (field.requires !== null) roles.push(`requires ${field.requires}`)
  if (field.provides !== null) roles.push(`provides ${field.provides}`)
  if (field.override !== null) {
    const label = field.overrideLabel === null ? '' : ` while ${field.overrideLabel}`
    roles.push(`took it over from ${field.override}${label}`)
  }
  return roles
}
