/** A request to the router, made of what somebody wrote. */
import { ACCEPT } from '@switchyard/operation-views'
import { isRecord } from '@switchyard/values'

export type Written = {
  readonly query: string
  readonly variables: string
  readonly headers: string
}

export type Question = {
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** The header by which a request names a flag, and by which the answer names the one that answered. */
export const FLAG_HEADER = 'X-Feature-Flag'
/** Routers take requests of 1 MiB unless their settings say otherwise. */
const MAX_BODY = 1_000_000

/** A mistake in what somebody wrote, as whole sentences. */
export class MistakeError extends Error {}

/** The way to ask for a trace. */
export type TraceRequest = { readonly vendor: string; readonly token: string }

/** Makes the request that asks one composition. Throws MistakeError. */
export function questionOf(
  url: string,
  { query, variables, headers }: Written,
  flag: string | null,
  trace: TraceRequest | null,
): Question {
  if (query.trim() === '') throw new MistakeError('There is no operation yet. Write one first.')
  const given = objectIn(variables, 'The variables')
  const body = JSON.stringify({ query, ...(given === null ? {} : { variables: given }) })
  if (body.length > MAX_BODY)
    throw new MistakeError('The operation and its variables are too large: a request has 1 MB at most.')
  const all: (readonly [string, string])[] = [
    ['Content-Type', 'application/json'],
    ['Accept', ACCEPT],
    ...(flag === null ? [] : [[FLAG_HEADER, flag] as const]),
    ...(trace === null ? [] : traceHeaders(trace)),
    ...Object.entries(objectIn(headers, 'The headers') ?? {}).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ]
  for (const [name, value] of all) requireHeader(name, value)
  return { url, headers: all, body }
}

function traceHeaders({ vendor, token }: TraceRequest): readonly (readonly [string, string])[] {
  return [
    [`X-${vendor}-Trace`, 'true'],
    [`X-${vendor}-Token`, token],
  ]
}

function objectIn(text: string, what: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MistakeError(`${what} are no JSON: ${reason}. Expected an object, such as {"id": "1"}.`)
  }
  throw new MistakeError(`${what} are no object. Expected one, such as {"id": "1"}.`)
}

function requireHeader(name: string, value: string): void {
  try {
    new Headers().set(name, value)
  } catch {
    throw new MistakeError(
      `The header ${JSON.stringify(name)} cannot be sent. Expected a name of letters, digits and -, and a value without line breaks and without letters beyond Latin-1.`,
    )
  }
}

/** Returns the words of a command that asks the same. */
export function curlWords({ url, headers, body }: Question): readonly string[] {
  return ['curl', '-sN', url, ...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]), '-d', body]
}
