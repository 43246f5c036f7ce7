/**
 * The addresses at which browsers may use sessions, by the `Host` of a request: the public URL of Studio, and
 * loopback names with any port. A page of a stranger whose name was made to resolve to this registry (DNS
 * rebinding) has another `Host`.
 */
import { z } from 'zod'

/** The name of the cookie, which has a prefix or the port beside it. */
export const COOKIE = 'switchyard_session'
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/

export type SessionSite = {
  readonly origin: string
  /** The name of the cookie that holds the session. */
  readonly cookie: string
  /** The attributes of cookies of this site, apart from `SameSite` and `Max-Age`. */
  readonly attributes: string
}

/** Null if sessions are not accepted at this host. `studioUrl` is an origin. */
export function siteOf(host: string | undefined, studioUrl: string | null): SessionSite | null {
  const name = host?.toLowerCase() ?? ''
  if (studioUrl !== null) {
    const { origin, protocol, host: listed, port } = new URL(studioUrl)
    const usual = protocol === 'https:' ? '443' : '80'
    const isListed = name === listed || (port === '' && name === `${listed}:${usual}`)
    if (isListed && protocol === 'https:') return secureSite(origin)
  }
  const loopback = LOOPBACK.exec(name)
  if (loopback === null) return null
  // Cookies are shared by all ports of a host, so the name says whose it is.
  const { 1: port = '80' } = loopback
  return { origin: `http://${name}`, cookie: `${COOKIE}_${port}`, attributes: 'Path=/v1; HttpOnly' }
}

/** The prefix makes browsers refuse the cookie from other hosts of the domain, and without encryption. */
function secureSite(origin: string): SessionSite {
  return { origin, cookie: `__Host-${COOKIE}`, attributes: 'Path=/; HttpOnly; Secure' }
}

/** `SWITCHYARD_STUDIO_URL`: an origin with https, or of this machine. */
export const StudioUrlVariable = z
  .string()
  .refine(isStudioUrl, {
    error:
      'expected the address at which browsers reach the registry, without a path: https://studio.example.com',
  })
  .transform((text) => new URL(text).origin)
  .optional()

function isStudioUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password, host } = new URL(text)
  const isBare = pathname === '/' && `${search}${hash}${username}${password}` === ''
  return isBare && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(host)))
}
