/** The body of a request of OFREP, and what in it can stand in for properties of the request. */
import { isJsonObject } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import type { Claims } from '@switchyard/values'

type Context = Readonly<Record<string, unknown>>

/** The properties that stand in for those of the request. Each is null if the request's own hold. */
export type StandIn = {
  readonly claims: Claims | null
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>> | null
}

const NO_CONTEXT: Context = {}

/** Returns the context of a body, which may be empty. Throws HttpError. */
export function contextOf(text: string): Context {
  const body = text === '' ? {} : parsed(text)
  if (!isJsonObject(body)) throw new HttpError('BAD_REQUEST', 'The request body is not a JSON object.')
  const context: unknown = Object.hasOwn(body, 'context') ? body['context'] : null
  if (context === null) return NO_CONTEXT
  if (!isJsonObject(context)) throw invalid('"context" is neither a JSON object nor null.')
  return context
}

/** Returns the parts of a context that stand in. Throws HttpError if they are not of the right form. */
export function standInOf(context: Context): StandIn {
  const member = (name: string): unknown => (Object.hasOwn(context, name) ? context[name] : null)
  const [claims, headers] = [member('claims'), member('headers')]
  if (claims !== null && !isJsonObject(claims))
    throw invalid('"context.claims" is neither a JSON object nor null.')
  return { claims, headers: headers === null ? null : headersOf(headers) }
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(headers)) throw invalid('"context.headers" is neither a JSON object nor null.')
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw invalid('"context.headers" has a value that is not a text.')
    const key = name.toLowerCase()
    if (values.has(key)) throw invalid('"context.headers" has a name twice.')
    values.set(key, value)
  }
  return Object.fromEntries(values)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError('BAD_REQUEST', 'The request body is not valid JSON.')
  }
}

function invalid(message: string): HttpError {
  return new HttpError('INVALID_CONTEXT', message)
}
