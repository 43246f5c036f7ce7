import type { TraceHeaders } from '@switchyard/request-trace'

type Given = Readonly<Record<string, string | readonly string[] | undefined>>

/** Without the pseudo headers of HTTP/2, which say what method and URL say. */
export function headersOf(given: Given): TraceHeaders {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, value] as const],
    ),
  )
}

/** Of names and values that take turns. */
export function headersOfList(list: readonly string[]): TraceHeaders {
  return Object.fromEntries(
    list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : [])),
  )
}
