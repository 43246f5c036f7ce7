/**
 * The end of an exhaustive switch: a value that the types rule out got past the boundary where it should have
 * been parsed.
 */
export function unreachable(value: never): never {
  throw new Error(`A value of a kind that no schema knows got past its check: ${JSON.stringify(value)}`)
}
