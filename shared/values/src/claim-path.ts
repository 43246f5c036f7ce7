/** Paths to values in the claims of a token. */

/**
 * A path as settings write it: the name of a claim, with dots into objects (`realm_access.roles`), or a list
 * of names, which may have dots themselves (`['https://shop.example/roles']`).
 */
export type ClaimPath = string | readonly string[]

export type Claims = Readonly<Record<string, unknown>>

/**
 * Makes a function that reads the value at a path, or undefined if there is none. Inherited properties are
 * not read.
 */
export function claimReader(path: ClaimPath): (claims: Claims) => unknown {
  const names = typeof path === 'string' ? path.split('.') : path
  return (claims) => {
    let value: unknown = claims
    for (const name of names) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = Reflect.get(value, name)
    }
    return value
  }
}

/** Returns a claim that is a text, a number or a boolean as text, and null for any other. */
export function claimText(claim: unknown): string | null {
  const isPlain = typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean'
  return isPlain ? String(claim) : null
}

/**
 * Returns the values of a claim. A list has the texts in it; a claim that is neither text, number nor boolean
 * has no value, and yet is there. Null if it is missing.
 */
export function claimTexts(claim: unknown): string | readonly string[] | null {
  if (claim === undefined || claim === null) return null
  const items: readonly unknown[] | null = Array.isArray(claim) ? claim : null
  return items === null ? (claimText(claim) ?? []) : items.flatMap((item) => claimText(item) ?? [])
}
