/** Names of headers and the like, which are compared without regard to upper case. */
export function lowerCased(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}
