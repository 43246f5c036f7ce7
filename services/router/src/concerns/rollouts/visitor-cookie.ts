/**
 * The cookie that the router assigns to visitors, so that rollouts can keep them on one side.
 *
 * It holds 128 random bits and a signature, which all routers with the same key accept. Nobody can make one
 * up, so that a visitor cannot choose a side but by asking for cookies again and again. It says nothing else
 * about the visitor, and reaches neither subgraphs nor the log.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { cookieValue } from '../../flags/cookie.ts'
import type { Visitor } from '../../request/decision.ts'

/** Browsers keep a cookie of this name only with `Secure` and for the host itself. */
const NAME = '__Host-switchyard_visitor'
/** The name on loopback, where browsers may refuse `Secure` without TLS. */
const LOCAL_NAME = 'switchyard_visitor'
const ID_BYTES = 16
const SIGNATURE_BYTES = 16
const MAX_AGE = 180 * 24 * 60 * 60
const VALUE = /^[\w-]{22}\.[\w-]{22}$/
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[\w-]+\.localhost)(?::\d+)?$/i
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto'] as const

/** A request that may carry the cookie. */
export type VisitedRequest = {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The address, or network of IPv6, of the client. */
  readonly client: string
}

/** The options of cookies for visitors. */
export type VisitorCookiesOptions = {
  /** The key of all routers. */
  readonly key: KeyObject
  /** Whether clients speak TLS with this router. */
  readonly isSecure: boolean
  /** Whether a browser keeps cookies of the answer, as far as the headers of its request tell. */
  readonly areKept: (headers: IncomingHttpHeaders) => boolean
}

/** Reads and makes cookies of visitors. */
export class VisitorCookies {
  readonly #options: VisitorCookiesOptions

  constructor(options: VisitorCookiesOptions) {
    this.#options = options
  }

  /**
   * Returns the visitor, and a new one for a request without a valid cookie, if it is a POST request whose
   * answer may set one. Null if there is no visitor.
   */
  visitorOf(request: VisitedRequest): Visitor | null {
    const { method, headers } = request
    const isLocal = this.#isLocal(request)
    const id = this.#idIn(cookieValue(headers.cookie, isLocal ? LOCAL_NAME : NAME))
    if (id !== null) return { id, newCookie: null }
    if (method !== 'POST' || !this.#options.areKept(headers)) return null
    return this.#newVisitor(isLocal)
  }

  #newVisitor(isLocal: boolean): Visitor {
    const id = randomBytes(ID_BYTES).toString('base64url')
    const [name, secure] = isLocal ? [LOCAL_NAME, ''] : [NAME, '; Secure']
    const value = `${id}.${this.#signatureOf(id).toString('base64url')}`
    const newCookie = `${name}=${value}; Max-Age=${MAX_AGE}; Path=/; HttpOnly${secure}; SameSite=Lax`
    return { id, newCookie }
  }

  /** Returns the id in the value of a cookie. Null if the signature is wrong. */
  #idIn(value: string | null): string | null {
    if (value === null || !VALUE.test(value)) return null
    const [id = '', signature = ''] = value.split('.')
    return timingSafeEqual(this.#signatureOf(id), Buffer.from(signature, 'base64url')) ? id : null
  }

  #signatureOf(id: string): Buffer {
    const whole = createHmac('sha256', this.#options.key).update(`switchyard visitor ${id}`).digest()
    return whole.subarray(0, SIGNATURE_BYTES)
  }

  /** Whether the client is on this machine and speaks to this router itself, without TLS. */
  #isLocal({ headers, client }: VisitedRequest): boolean {
    // As an address of IPv6, loopback counts as its network.
    const isNear = client.startsWith('127.') || client === '0:0:0:0'
    if (this.#options.isSecure || !isNear || OF_PROXIES.some((name) => headers[name] !== undefined))
      return false
    return LOCAL_HOST.test(headers.host ?? '')
  }
}

/** Takes the cookies of visitors out of a `Cookie` header. Null if nothing is left. */
export function withoutVisitor(cookie: string): string | null {
  if (!cookie.includes(LOCAL_NAME)) return cookie
  const pairs = cookie.split(';').filter((pair) => {
    const name = pair.split('=', 1)[0]?.trim()
    return pair.trim() !== '' && name !== NAME && name !== LOCAL_NAME
  })
  return pairs.length === 0 ? null : pairs.join(';').trim()
}
