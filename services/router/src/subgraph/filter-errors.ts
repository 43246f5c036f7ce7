import { ExactNumber } from '@switchyard/engine'

/**
 * What clients learn of a subgraph's errors: message and path, and of the extensions only those that are allowed (stack traces
 * and internal details live there).
 */
export function filterErrors(body: unknown, allowed: ReadonlySet<string>): unknown {
  if (!isObject(body) || body['errors'] === undefined) return body
  const { errors } = body
  if (!Array.isArray(errors)) return body
  return { ...body, errors: errors.map((error: unknown) => filterError(error, allowed)) }
}

function filterError(error: unknown, allowed: ReadonlySet<string>): unknown {
  if (!isObject(error) || !isObject(error['extensions'])) return error
  const kept = Object.entries(error['extensions']).filter(([name]) => allowed.has(name))
  return { ...error, extensions: Object.fromEntries(kept) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}
