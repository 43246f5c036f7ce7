/**
 * A pattern of header names: characters, and `*` for any number of them, in any case.
 *
 * Regular expressions would allow more, and let a client make the router slow: it chooses the names that are
 * compared, and some expressions take time that is exponential in the length of a text. This takes time that
 * is proportional to the length.
 */
export type NamePattern = {
  /** The pattern as it was written. */
  readonly text: string
  /** Returns whether the pattern matches `name`, which is in lower case. */
  readonly matches: (name: string) => boolean
}

/** Compiles a pattern. `text` has at least one `*`. */
export function namePattern(text: string): NamePattern {
  const [first = '', ...rest] = text.toLowerCase().split('*')
  const last = rest.pop() ?? ''
  const matches = (name: string): boolean => {
    if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
      return false
    const end = name.length - last.length
    let from = first.length
    for (const part of rest) {
      const found = name.indexOf(part, from)
      if (found < 0 || found + part.length > end) return false
      from = found + part.length
    }
    return true
  }
  return { text, matches }
}
