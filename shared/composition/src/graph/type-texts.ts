/** How types, written as texts such as `[Product!]!`, relate across all subgraphs. */
/** Looks up members of unions and implementations of interfaces in any subgraph, by the abstract type. */
export type Subtypes = { readonly get: (abstract: string) => ReadonlySet<string> | undefined }

/** Equal counts as narrower, as in "Is type covariant" of the GraphQL specification. */
export function isNarrower(type: string, than: string, subtypes: Subtypes): boolean {
  if (type === than) return true
  if (than.endsWith('!')) return type.endsWith('!') && isNarrower(inner(type), inner(than), subtypes)
  if (type.endsWith('!')) return isNarrower(inner(type), than, subtypes)
  if (than.startsWith('[')) return type.startsWith('[') && isNarrower(item(type), item(than), subtypes)
  return !type.startsWith('[') && subtypes.get(than)?.has(type) === true
}

function inner(type: string): string {
  return type.slice(0, -1)
}

function item(list: string): string {
  return list.slice(1, -1)
}

/** The one of the types that all others are narrower than; null if there is none. */
export function widest(types: readonly string[], subtypes: Subtypes): string | null {
  const different = [...new Set(types)]
  return different.find((than) => different.every((type) => isNarrower(type, than, subtypes))) ?? null
}

/** The one of the types that is narrower than all others; null if there is none. */
export function narrowest(types: readonly string[], subtypes: Subtypes): string | null {
  const different = [...new Set(types)]
  return different.find((type) => different.every((than) => isNarrower(type, than, subtypes))) ?? null
}
