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
