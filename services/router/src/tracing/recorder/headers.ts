import type { TraceHeaders } from '@switchyard/request-trace'

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

/** Copies headers, without the pseudo headers of HTTP/2, since method and URL say the same. */
export function headersOf(given: Given): TraceHeaders {
  const headers = newHeaders()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !name.startsWith(':')) headers[name] = value
  return headers
}

/** Makes headers of a list in which names and values take turns. */
export function headersOfList(list: readonly string[]): TraceHeaders {
  const headers = newHeaders()
  for (let index = 0; index < list.length; index += 2) headers[list[index] ?? ''] = list[index + 1] ?? ''
  return headers
}

/** A header may have any name, `__proto__` too. */
function newHeaders(): Record<string, string | readonly string[]> {
  return Object.create(null)
}
