import { ExactNumber, excerpt, isJsonObject } from '@switchyard/engine'
import type { ErrorRules } from './settings.ts'
import type { SubgraphErrorCode } from '../errors/subgraph-errors.ts'

/**
 * Reduces a subgraph's errors to what clients may learn, by `subgraph_errors.mode`:
 *
 * With `pass_through`, each error keeps only those extensions that are allowed (stack traces and internal
 * details live there). With `wrapped`, these errors are in the extension `errors` of one error of the router.
 * With `redacted`, only the path is left, and the code if codes are allowed.
 *
 * The number and size of errors are bounded, since each may be shown at many positions of the response: a
 * large answer would become a response many times as large.
 */
export function filterErrors(body: unknown, subgraph: string, rules: ErrorRules): unknown {
  if (!isJsonObject(body) || body['errors'] === undefined) return body
  const { errors } = body
  if (!Array.isArray(errors)) return body
  const shown = errors
    .slice(0, rules.maxPerAnswer)
    .map((error: unknown) =>
      rules.mode === 'redacted' ? redacted(error, subgraph, rules) : filterError(error, rules),
    )
  const left = errors.length - shown.length
  if (left > 0) shown.push(summary(left, subgraph, rules))
  return { ...body, errors: rules.mode === 'wrapped' ? wrapped(shown, errors.length, subgraph) : shown }
}

const REPORTED: SubgraphErrorCode = 'SUBGRAPH_ERRORS'

/**
 * Wraps errors in one error without a path, so that it counts for the whole answer. Returns none if there are
 * none.
 */
function wrapped(errors: readonly unknown[], count: number, subgraph: string): readonly unknown[] {
  if (count === 0) return []
  const message = `Subgraph "${subgraph}" reported ${count} ${count === 1 ? 'error' : 'errors'}.`
  return [{ message, extensions: { code: REPORTED, errors } }]
}

/** Characters of an error's code. Programs compare codes; a longer text may be anything. */
const MAX_CODE = 100

function redacted(error: unknown, subgraph: string, { allowedExtensions }: ErrorRules): unknown {
  const { path, extensions } = isJsonObject(error) ? error : {}
  const code = isJsonObject(extensions) && allowedExtensions.has('code') ? extensions['code'] : undefined
  return {
    message: `Subgraph "${subgraph}" reported an error.`,
    ...(Array.isArray(path) && path.length <= MAX_PATH && { path }),
    extensions: { code: typeof code === 'string' && code.length <= MAX_CODE ? code : REPORTED },
  }
}

const OMITTED: SubgraphErrorCode = 'SUBGRAPH_ERRORS_OMITTED'

/**
 * Says how many errors were left out. It omits the subgraph's name if clients may not see it, because nothing
 * removes the name later from within a wrapped error.
 */
function summary(count: number, subgraph: string, { showSubgraphNames }: ErrorRules) {
  const whose = showSubgraphNames ? `subgraph "${subgraph}"` : 'a subgraph'
  return {
    message: `${count} more ${count === 1 ? 'error' : 'errors'} of this answer of ${whose} left out.`,
    extensions: { code: OMITTED },
  }
}

/** Segments of an error's path. A longer path leads nowhere in an answer. */
const MAX_PATH = 1000

function filterError(error: unknown, rules: ErrorRules): unknown {
  if (!isJsonObject(error)) return error
  const { message, path, extensions } = error
  return {
    ...error,
    ...(typeof message === 'string' && { message: excerpt(message, rules.maxMessageLength) }),
    ...(Array.isArray(path) && path.length > MAX_PATH && { path: undefined }),
    ...(isJsonObject(extensions) && { extensions: filterExtensions(extensions, rules) }),
  }
}

function filterExtensions(
  extensions: Readonly<Record<string, unknown>>,
  { allowedExtensions, maxExtensionSize }: ErrorRules,
) {
  return Object.fromEntries(
    Object.entries(extensions).flatMap(([name, value]) =>
      allowedExtensions.has(name) ? [[name, bounded(value, maxExtensionSize)]] : [],
    ),
  )
}

/** Levels of an extension's value. A deeper one could not be written to the client. */
const MAX_DEPTH = 100

function bounded(value: unknown, maxSize: number): unknown {
  if (typeof value === 'string') return excerpt(value, maxSize)
  const size = sizeOf(value, maxSize, MAX_DEPTH)
  if (size <= maxSize) return value
  return size === Number.POSITIVE_INFINITY
    ? `… (left out, as it nests deeper than ${MAX_DEPTH} levels)`
    : `… (left out, as it is larger than ${maxSize} characters)`
}

/**
 * Returns roughly how many characters a value has as JSON. If it has more than `limit`, returns some number
 * above `limit`; if it nests too deeply, infinity.
 */
function sizeOf(value: unknown, limit: number, depth: number): number {
  if (typeof value === 'string') return value.length + 2
  if (value instanceof ExactNumber) return value.text.length
  if (typeof value !== 'object' || value === null) return String(value).length
  if (depth === 0) return Number.POSITIVE_INFINITY
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      size += 1 + sizeOf(item, limit - size, depth - 1)
      if (size > limit) break
    }
    return size
  }
  for (const key in value) {
    size += key.length + 4 + sizeOf(Reflect.get(value, key), limit - size, depth - 1)
    if (size > limit) break
  }
  return size
}
