/**
 * The value of the first cookie of a name, or null. Quotes around it are taken off and it is percent-decoded
 * once; a value that is not valid percent-encoding stays as it is.
 */
export function cookieValue(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    const value = pair.slice(equals + 1).trim()
    const quoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    return decoded(quoted ? value.slice(1, -1) : value).trim()
  }
  return null
}

function decoded(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
