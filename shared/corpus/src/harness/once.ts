/** Makes a value when it is asked for first, and gives the same one from then on. */
export function once<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => (made ??= { value: create() }).value
}
