/** Asks the router directly, and says what it means when a browser gets no answer. */
import type { Question } from './question.ts'

export type RouterAnswer =
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unreached'; readonly reason: Unreached }

/** Why a browser got no answer. */
export type Unreached = 'insecure' | 'old-page' | 'not-allowed' | 'no-answer'

/** Sends the request. Cookies and the session of this page do not go along. */
export async function askRouter(
  { url, headers, body }: Question,
  signal: AbortSignal,
): Promise<RouterAnswer> {
  if (location.protocol === 'https:' && isInsecure(url)) return { kind: 'unreached', reason: 'insecure' }
  using policy = new PolicyWatch(url)
  const sent: RequestInit = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal }
  try {
    const asked = new Headers(headers.map(([name, value]): [string, string] => [name, value]))
    return {
      kind: 'answered',
      response: await fetch(url, { ...sent, method: 'POST', mode: 'cors', headers: asked, body }),
    }
  } catch {
    if (signal.aborted) return { kind: 'stopped' }
    if (await policy.isViolated()) return { kind: 'unreached', reason: 'old-page' }
    return { kind: 'unreached', reason: (await isThere(url, signal)) ? 'not-allowed' : 'no-answer' }
  }
}

/**
 * Whether anything answers at the address. Pages learn nothing else by such a request, not even its status,
 * but it tells a server that is not there from one whose answer the browser keeps back.
 */
async function isThere(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal })
    return true
  } catch {
    return false
  }
}

/** Browsers let no page that came by HTTPS ask without it, but on their own machine. */
function isInsecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname)
}

/** Notices that the policy of this page, which is as old as the page, does not know the router. */
class PolicyWatch implements Disposable {
  readonly #origin: string
  #isViolated = false
  readonly #note = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src' && blockedURI.startsWith(this.#origin)) this.#isViolated = true
  }

  constructor(url: string) {
    this.#origin = new URL(url).origin
    document.addEventListener('securitypolicyviolation', this.#note)
  }

  /** The event comes as a task of its own, after the request has failed. */
  async isViolated(): Promise<boolean> {
    await new Promise((resolve) => {
      setTimeout(resolve, 0)
    })
    return this.#isViolated
  }

  [Symbol.dispose](): void {
    document.removeEventListener('securitypolicyviolation', this.#note)
  }
}
