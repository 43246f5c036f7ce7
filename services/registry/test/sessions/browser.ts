/**
 * A browser with one cookie jar, as far as sessions see it. Every request comes from a page of the registry,
 * unless a test says otherwise.
 */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { CSRF_HEADER, type Problem, SessionView } from '@switchyard/contracts'
import type { Registry } from '../../src/registry.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: unknown
}
export type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string | null>> }

export class Browser {
  readonly jar = new Map<string, string>()
  readonly #port: number
  readonly #host: string
  csrf = ''

  /** `host` is the address that the browser shows. */
  constructor({ port }: Pick<Registry, 'port'>, host = `localhost:${port}`) {
    this.#port = port
    this.#host = host
  }

  /** Headers that are null are left out. */
  async send(method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Answer> {
    const all: Record<string, string | null> = {
      host: this.#host,
      'sec-fetch-site': 'same-origin',
      cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ') || null,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json', [CSRF_HEADER]: this.csrf }),
      ...headers,
    }
    const answer = await ask(this.#port, method, path, all, body)
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.jar.delete(name)
      else this.jar.set(name, value)
    }
    return answer
  }

  get(path: string, headers?: Sent['headers']): Promise<Answer> {
    return this.send('GET', path, headers === undefined ? {} : { headers })
  }

  /** Begins a session, and remembers what its writes have to say. */
  async signIn(body: object, headers?: Sent['headers']): Promise<Answer> {
    const answer = await this.send(
      'POST',
      '/v1/session',
      headers === undefined ? { body } : { body, headers },
    )
    if (answer.status === 201) this.csrf = SessionView.parse(answer.body).csrf
    return answer
  }
}

export function codeOf({ status, body }: Answer): [number, Problem['code'] | undefined] {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  return [status, code as Problem['code'] | undefined]
}

/** `node:http` sends every header that it is told, also those that `fetch` reserves. */
function ask(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | null>>,
  body: unknown,
): Promise<Answer> {
  const sent = Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => void (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const isJson = /[/+]json/.test(response.headers['content-type'] ?? '')
        const parsed: unknown = isJson ? JSON.parse(text) : null
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed })
      })
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
