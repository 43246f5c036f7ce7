/** Reads and writes the cookies of sessions. */
import type { SessionSite } from './session-site.ts'

/**
 * Returns the value of the cookie. Null if it is absent, or occurs twice: a page of another port or host of
 * the domain may have added one, and nothing tells which is which.
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}

export type CookieText = {
  readonly name: string
  readonly value: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly maxAgeMs: number
}

/** Returns the value of a `Set-Cookie` header. */
export function setCookie({ attributes }: SessionSite, cookie: CookieText): string {
  const maxAge = Math.max(0, Math.floor(cookie.maxAgeMs / 1000))
  return `${cookie.name}=${cookie.value}; ${attributes}; SameSite=${cookie.sameSite}; Max-Age=${maxAge}`
}
