/** The body of a request of OFREP, and what in it can stand in for properties of the request. */
import { isJsonObject } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import { type StandIn, standInOf } from '../../request/stand-in.ts'

type Context = Readonly<Record<string, unknown>>

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

/** Returns the members of a context that stand in. Throws HttpError if they are not of the right form. */
export function standInOfContext(context: Context): StandIn {
  return standInOf(context, { prefix: 'context.', refusal: invalid })
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
