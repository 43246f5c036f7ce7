/** Reads what a router sends to one subscription over HTTP. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { until } from '../../support/router.ts'

/** A subscription of a test over HTTP. */
export class Reading {
  status = 0
  headers: IncomingHttpHeaders = {}
  text = ''
  /** How the answer ended; null while it goes on. */
  end: 'whole' | 'cut' | null = null
  readonly #response: Promise<IncomingMessage>
  readonly leave: () => void

  constructor(
    url: string,
    options: { readonly method: string; readonly headers: Record<string, string> },
    body?: string,
  ) {
    const request = httpRequest(url, options)
    this.leave = () => request.destroy()
    this.#response = new Promise((resolve, reject) => {
      request.on('response', resolve).on('error', reject)
    })
    this.#response.then(
      (response) => {
        this.status = response.statusCode ?? 0
        this.headers = response.headers
        response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk))
        response.on('close', () => (this.end = response.complete ? 'whole' : 'cut'))
        response.on('error', () => {})
      },
      () => (this.end = 'cut'),
    )
    request.end(body)
  }

  /** Stops reading, so that what the router sends is kept on the way. */
  async pause(): Promise<void> {
    ;(await this.#response).pause()
  }

  async resume(): Promise<void> {
    ;(await this.#response).resume()
  }

  /** The events of an event stream so far: their names and data. */
  get events(): readonly (readonly [name: string, data: unknown])[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .filter((event) => !event.startsWith(':'))
      .map((event) => {
        const { groups } = /^event: (?<name>\w+)\ndata: (?<data>[^\n]*)$/.exec(event) ?? {}
        if (groups === undefined) throw new Error(`This is no event: ${event}`)
        const { name = '', data = '' } = groups
        return [name, data === '' ? null : JSON.parse(data)] as const
      })
  }

  /** The parts of a multipart answer so far. */
  get parts(): readonly unknown[] {
    return this.text
      .split('\r\n--graphql')
      .slice(0, -1)
      .flatMap((part) => {
        const [, json] = part.split('\r\n\r\n')
        return json === undefined || json === '{}' ? [] : [JSON.parse(json) as unknown]
      })
  }

  async until(condition: (reading: this) => boolean, what: string): Promise<void> {
    await until(() => condition(this), `${what}; so far: ${this.status} ${this.text}`)
  }
}

/** Subscribes by POST. */
export function subscribe(
  { graphqlUrl }: { readonly graphqlUrl: string },
  body: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Reading {
  return new Reading(
    graphqlUrl,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    },
    JSON.stringify(body),
  )
}
