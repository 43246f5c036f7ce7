/**
 * The GraphQL request in a body or a query string. Throws HttpError with what is wrong and what was expected.
 */
import {
  isJsonObject,
  type JsonLimit,
  parseExactlyInTurns,
  readJsonInTurns,
  RequestError,
  type Turns,
  WorkBudget,
} from '@switchyard/engine'
import { HttpError } from '../errors/http-error.ts'

type ExactVariables = Readonly<Record<string, unknown>> | null

/** The parts of a request that identify its document. */
export type DocumentParams = {
  /** The text of the document; null if the request has none. */
  readonly query: string | null
  readonly extensions: Readonly<Record<string, unknown>> | null
  /**
   * Returns a member of the request's body, or a parameter of its URL; undefined if there is none of this
   * name.
   */
  readonly member: (name: string) => unknown
}

/** The GraphQL parameters of a request. */
export type RequestParams = DocumentParams & {
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  /** The variables once more, with all digits of their numbers; a promise where there is much to read. */
  readonly exactVariables: (turns: Turns) => ExactVariables | Promise<ExactVariables>
}

/** The GraphQL parameters with the text of the document that the client named or sent. */
export type GraphQLParams = Omit<RequestParams, 'query' | 'member'> & { readonly query: string }

/** Characters that `JSON.parse` reads within a few milliseconds, whatever they are. */
const LARGE_BODY = 256 * 1024

/** Deeper ones are no input that could be sent on. */
const MAX_BODY_DEPTH = 600

const LIMITS: Readonly<Record<JsonLimit, string>> = {
  depth: `nests deeper than the ${MAX_BODY_DEPTH} levels allowed`,
  items: 'holds a list of more than 5000000 items',
  members: 'holds an object of more than 100000 members',
  names: 'holds a name of more than 16383 bytes in an object',
  numbers: 'holds a number of more than 65536 characters',
}

/** Reads the body of a POST request. */
export function paramsOfBody(text: string): RequestParams {
  try {
    return paramsOf(JSON.parse(text), text)
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error
  }
}

/** The same for bodies of every size, with others in between where there is much to read. */
export function paramsOfBodyInTurns(
  text: string,
  turns: Turns,
  maxValues: number,
): RequestParams | Promise<RequestParams> {
  return text.length <= LARGE_BODY ? paramsOfBody(text) : paramsOfLargeBody(text, turns, maxValues)
}

async function paramsOfLargeBody(text: string, turns: Turns, maxValues: number): Promise<RequestParams> {
  const refused = (message: string) => new RequestError('variables', 'OPERATION_LIMIT_EXCEEDED', [message])
  const tooMany = () => refused(`The request body holds more than the ${maxValues} values allowed.`)
  const exceeded = (limit: JsonLimit) => refused(`The request body ${LIMITS[limit]}.`)
  try {
    const limits = { budget: new WorkBudget(maxValues, tooMany), maxDepth: MAX_BODY_DEPTH, exceeded }
    return paramsOf(await readJsonInTurns([Buffer.from(text)], turns, limits), text)
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error
  }
}

function notJson(): HttpError {
  return new HttpError('BAD_REQUEST', 'The request body is not valid JSON.')
}

function paramsOf(body: unknown, text: string): RequestParams {
  if (Array.isArray(body)) {
    throw new HttpError(
      'BATCHING_NOT_SUPPORTED',
      'The request body is a list: batching is not supported. Send one operation per request.',
    )
  }
  if (!isJsonObject(body)) {
    throw new HttpError('BAD_REQUEST', 'The request body is not a JSON object with the key "query".')
  }
  const member = (name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined)
  return checkedParams(body, member, (turns) => {
    const variablesIn = (exact: unknown) => (isJsonObject(exact) ? exact['variables'] : null)
    const exact = parseExactlyInTurns(text, body, turns)
    return exact instanceof Promise ? exact.then(variablesIn) : variablesIn(exact)
  })
}

/** Reads the query string of a GET request. */
export function paramsOfSearch(search: URLSearchParams): RequestParams {
  const given = {
    query: search.get('query') ?? undefined,
    // An empty parameter names nothing.
    operationName: search.get('operationName') || null,
    variables: jsonParameter(search, 'variables'),
    extensions: jsonParameter(search, 'extensions'),
  }
  const member = (name: string): unknown => search.get(name) || undefined
  return checkedParams(given, member, (turns) =>
    parseExactlyInTurns(search.get('variables') || 'null', given.variables, turns),
  )
}

function checkedParams(
  given: Readonly<Record<string, unknown>>,
  member: RequestParams['member'],
  readVariables: (turns: Turns) => unknown,
): RequestParams {
  const { query = null, operationName } = given
  if (query !== null && typeof query !== 'string')
    throw new HttpError('BAD_REQUEST', '"query" is not a string.')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new HttpError('BAD_REQUEST', '"operationName" is neither a string nor null.')
  }
  const variables = objectOrNull(given['variables'], 'variables')
  const extensions = objectOrNull(given['extensions'], 'extensions')
  return {
    query,
    operationName: operationName ?? null,
    variables,
    extensions,
    member,
    exactVariables: variables === null ? NO_VARIABLES : exactly(readVariables),
  }
}

const NO_VARIABLES: RequestParams['exactVariables'] = () => null

function exactly(readVariables: (turns: Turns) => unknown): RequestParams['exactVariables'] {
  return (turns) => {
    const exact = readVariables(turns)
    return exact instanceof Promise
      ? exact.then((late: unknown) => objectOrNull(late, 'variables'))
      : objectOrNull(exact, 'variables')
  }
}

function jsonParameter(search: URLSearchParams, name: string): unknown {
  const text = search.get(name)
  if (text === null || text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError('BAD_REQUEST', `The parameter "${name}" is not valid JSON.`)
  }
}

function objectOrNull(value: unknown, name: string): Readonly<Record<string, unknown>> | null {
  if (value === undefined || value === null) return null
  if (isJsonObject(value)) return value
  throw new HttpError('BAD_REQUEST', `"${name}" is neither a JSON object nor null.`)
}
