/** Clients of the router. */
import { meros } from 'meros/browser'
import type { StreamPart } from '@switchyard/testkit'

export type Request = {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly flag?: string
}

export type Answer = {
  readonly status: number
  readonly type: string
  readonly body: {
    readonly data?: unknown
    readonly errors?: readonly {
      readonly message: string
      readonly path?: readonly (string | number)[]
      readonly extensions?: Readonly<Record<string, unknown>>
    }[]
  }
}

export async function ask(url: string, request: Request): Promise<Answer> {
  return await read(await post(url, request, 'application/json'))
}

export async function read(response: Response): Promise<Answer> {
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: (await response.json()) as Answer['body'],
  }
}

/** The parts of an answer that comes in parts, as they come. */
export async function* askInParts(url: string, request: Request): AsyncGenerator<StreamPart> {
  const response = await post(url, request, 'multipart/mixed, application/json')
  const parts = await meros<StreamPart>(response)
  if (parts instanceof Response) throw new Error(`The answer is in one part: ${await parts.text()}`)
  for await (const part of parts) {
    if (!part.json) throw new Error(`A part is not JSON: ${part.body}`)
    yield part.body
  }
}

export function post(url: string, { query, variables, flag }: Request, accept: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept,
      ...(flag === undefined ? {} : { 'x-feature-flag': flag }),
    },
    body: JSON.stringify({ query, variables }),
  })
}
