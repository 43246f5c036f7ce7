/** The headers that a client sends in the payload of `connection_init`, since pages cannot add any. */
import { FLAG_HEADER } from '../../flags/requested-flag.ts'
import { isHeaderValue } from '../../headers/header-values.ts'

const FLAG = FLAG_HEADER.toLowerCase()

/** The headers of a payload, or the reason why it is refused. */
export type InitHeaders =
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'invalid'; readonly reason: string }

/**
 * Reads the members of a payload, and of its member `headers`, whose names are in `allowed` (in lower case).
 * The header of feature flags is always allowed in `headers`. Other members are ignored, since clients tell
 * their servers more than headers. A name with two values is refused.
 */
export function initHeaders(
  payload: Readonly<Record<string, unknown>> | null,
  allowed: ReadonlySet<string>,
): InitHeaders {
  const headers: Record<string, string> = {}
  const within: unknown = payload?.['headers']
  const inner = typeof within === 'object' && within !== null ? Object.entries(within) : []
  const outer = payload === null ? [] : Object.entries(payload)
  const given = [
    ...outer.filter(([name]) => allowed.has(name.toLowerCase())),
    ...inner.filter(([name]) => allowed.has(name.toLowerCase()) || name.toLowerCase() === FLAG),
  ]
  for (const [written, value] of given) {
    const name = written.toLowerCase()
    if (value === null) continue
    if (typeof value !== 'string' || !isHeaderValue(value) || (headers[name] ?? value) !== value)
      return { kind: 'invalid', reason: `Invalid connection_init: ${name} is no value of a header` }
    headers[name] = value
  }
  return { kind: 'headers', headers }
}
