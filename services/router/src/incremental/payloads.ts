/** The JSON of an incremental response, format v0.2. Keys have one order, so that equal responses are equal bytes. */
import type { IncrementalPart, InitialResult } from '@switchyard/engine'

export function initialPayload(
  { data, errors, pending, hasNext }: InitialResult,
  extensions: object | null = null,
): string {
  return written({
    ...(errors.length === 0 ? {} : { errors }),
    data,
    ...(extensions === null ? {} : { extensions }),
    ...(pending.length === 0 ? {} : { pending: pending.map(announced) }),
    hasNext,
  })
}

/** The entries are written as they come: a list has very many, and one more object for each would be a tenth of their cost. */
export function partPayload(
  { incremental, completed, pending, hasNext }: IncrementalPart,
  extensions: object | null = null,
): string {
  const { id, errors } = completed
  return written({
    ...(incremental.length === 0 ? {} : { incremental }),
    completed: [errors === undefined ? { id } : { id, errors }],
    ...(pending.length === 0 ? {} : { pending: pending.map(announced) }),
    ...(extensions === null ? {} : { extensions }),
    hasNext,
  })
}

function announced({ id, path, label }: InitialResult['pending'][number]) {
  return label === undefined ? { id, path } : { id, path, label }
}

/**
 * Some clients look for the boundary without the line break before it, and would cut a value that holds it. In JSON these
 * characters stand in strings only, where the escape means the same.
 */
function written(payload: object): string {
  return JSON.stringify(payload).replaceAll('--graphql', String.raw`\u002d-graphql`)
}
