/**
 * Somebody who stands in for the sender of a request where a composition is chosen, and nowhere else. Only
 * requests that may be traced have one.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject } from '@switchyard/engine'
import type { Claims } from '@switchyard/values'
import type { HttpError } from '../errors/http-error.ts'
import { isHeaderName, isHeaderValue } from '../headers/header-values.ts'

/** The properties that stand in for those of the request. Each is null if the request's own hold. */
export type StandIn = {
  readonly claims: Claims | null
  /** Headers by their names in lower case, cookies among them. Without a prototype. */
  readonly headers: IncomingHttpHeaders | null
}

/** How refusals name the members of a stand-in, and how they are made. */
type Refusing = {
  /** Text before the name of a member, such as `context.`. */
  readonly prefix: string
  readonly refusal: (message: string) => HttpError
}

/** Reads a stand-in from JSON. Throws the refusal if a member is not of the right form. */
export function standInOf(given: Readonly<Record<string, unknown>>, refusing: Refusing): StandIn {
  const member = (name: string): unknown => (Object.hasOwn(given, name) ? given[name] : null)
  const [claims, headers] = [member('claims'), member('headers')]
  if (claims !== null && !isJsonObject(claims)) throw refused(refusing, 'claims', NO_OBJECT)
  return { claims, headers: headers === null ? null : headersOf(headers, refusing) }
}

const NO_OBJECT = 'is neither a JSON object nor null'

function headersOf(headers: unknown, refusing: Refusing): IncomingHttpHeaders {
  if (!isJsonObject(headers)) throw refused(refusing, 'headers', NO_OBJECT)
  const values: IncomingHttpHeaders = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') throw refused(refusing, 'headers', 'has a value that is not a text')
    if (!isHeaderName(name)) throw refused(refusing, 'headers', 'has a name that no header can have')
    if (!isHeaderValue(value)) throw refused(refusing, 'headers', 'has a value that no header can have')
    const key = name.toLowerCase()
    if (key in values) throw refused(refusing, 'headers', 'has a name twice')
    values[key] = value.trim()
  }
  return values
}

function refused({ prefix, refusal }: Refusing, member: string, problem: string): HttpError {
  return refusal(`"${prefix}${member}" ${problem}.`)
}
