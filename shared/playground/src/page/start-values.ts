/**
 * The values that an address can bring along, so that people can send each other an operation: `query`,
 * `variables` and `flag`. Never headers: a link must not decide what a person's browser sends along.
 */
export type StartValues = {
  readonly query: string | undefined
  readonly variables: string | undefined
  readonly flag: string | null
}

/** `search` is the query string of the address. */
export function startValues(search: string): StartValues {
  const values = new URLSearchParams(search)
  const text = (name: string) => values.get(name) || undefined
  return { query: text('query'), variables: text('variables'), flag: values.get('flag') || null }
}
