/** A request as it is sent to one URL. What depends on nothing else is made once. */
import type { Dispatcher } from 'undici'
import type { Received } from './answer.ts'
import { type Complaint, judge } from './judge.ts'
import type { LoadOptions, LoadRequest } from './load-options.ts'

export class PreparedRequest {
  readonly name: string
  readonly url: string
  readonly isStream: boolean
  readonly options: Dispatcher.DispatchOptions
  readonly #request: LoadRequest
  /** An answer that was found to be right: one with the same bytes is right as well, and need not be read. */
  #right: Received | null = null

  constructor(request: LoadRequest, url: string, shared: SharedHeaders) {
    this.#request = request
    this.name = request.name
    this.url = url
    this.isStream = request.deferred === true
    const { origin, pathname, search, searchParams } = new URL(url)
    const headers = {
      ...headersOf(request, shared),
      ...lowerCased(shared.headers),
      ...lowerCased(request.headers),
    }
    const parameters = parametersOf(request)
    if (request.method === 'GET') {
      for (const [name, value] of Object.entries(parameters))
        searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      this.options = { origin, path: `${pathname}?${searchParams}`, method: 'GET', headers }
    } else {
      headers['content-type'] ??= 'application/json'
      const body = JSON.stringify(parameters)
      this.options = { origin, path: `${pathname}${search}`, method: 'POST', headers, body }
    }
  }

  judge(received: Received): Complaint | null {
    const right = this.#right
    if (right !== null && received.status === 200 && received.body.equals(right.body)) {
      if (received.headers['content-type'] === right.headers['content-type']) return null
    }
    const complaint = judge(this.#request, received)
    // A function may say something else of the same answer at another time.
    if (complaint === null && this.#request.judge === undefined) this.#right = received
    return complaint
  }
}

export type SharedHeaders = Pick<LoadOptions, 'headers' | 'traceToken' | 'traceVendor'>

function headersOf(
  request: LoadRequest,
  { traceToken, traceVendor = 'VENDOR' }: SharedHeaders,
): Record<string, string> {
  const accept =
    request.deferred === true ? 'multipart/mixed' : 'application/graphql-response+json, application/json'
  if (request.traced !== true || traceToken === undefined) return { accept }
  const vendor = traceVendor.toLowerCase()
  return { accept, [`x-${vendor}-trace`]: 'true', [`x-${vendor}-token`]: traceToken }
}

function parametersOf({ query, variables, operationName }: LoadRequest): Readonly<Record<string, unknown>> {
  return {
    query,
    ...(variables === undefined ? {} : { variables }),
    ...(operationName === undefined ? {} : { operationName }),
  }
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
