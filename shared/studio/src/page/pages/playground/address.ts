/** The operation in the address of the page, so that a link to it can be sent to others. */

export type Shared = {
  readonly query: string
  readonly variables: string
  /** Flags that are chosen; null for base. */
  readonly flag: string | null
  /** The second composition; undefined if there is only one. */
  readonly compare: string | null | undefined
}

/** Characters of a fragment. Longer ones are not written, and not read. */
export const MAX_FRAGMENT = 4_000
const BASE = 'base'

/** Returns the fragment without `#`, which has no headers; null if the operation is too long for one. */
export function fragmentOf({ query, variables, flag, compare }: Shared): string | null {
  const members = new URLSearchParams({ query })
  if (variables.trim() !== '') members.set('variables', variables)
  if (flag !== null) members.set('flag', flag)
  if (compare !== undefined) members.set('compare', compare === null ? BASE : `flag:${compare}`)
  const text = members.toString()
  return text.length > MAX_FRAGMENT ? null : text
}

/** Returns what a fragment says; null if it says nothing of an operation. */
export function readFragment(fragment: string): Shared | null {
  const text = fragment.replace(/^#/, '')
  if (text.length > MAX_FRAGMENT) return null
  const members = new URLSearchParams(text)
  const query = members.get('query')
  if (query === null) return null
  const compare = members.get('compare')
  return {
    query,
    variables: members.get('variables') ?? '',
    flag: nameOf(members.get('flag')),
    compare: compare === null ? undefined : nameOf(compare === BASE ? null : compare.replace(/^flag:/, '')),
  }
}

/** Names of flags are at most this long; what is longer names none. */
const MAX_NAME = 100

function nameOf(text: string | null): string | null {
  return text === null || text === '' || text.length > MAX_NAME ? null : text
}
