/** The JSON of an incremental response, format v0.2. Keys have one order, so that equal responses are equal bytes. */
import type { IncrementalPart, InitialResult } from '@switchyard/engine'

export function initialPayload({ data, errors, pending, hasNext }: InitialResult): string {
  return written({
    ...(errors.length === 0 ? {} : { errors }),
    data,
    ...(pending.length === 0 ? {} : { pending: pending.map(announced) }),
    hasNext,
  })
}

export function partPayload({ incremental, completed, pending, hasNext }: IncrementalPart): string {
  return written({
    ...(incremental.length === 0 ? {} : { incremental: incremental.map(delivered) }),
    completed: [
      {
        id: completed.id,
        ...(completed.errors === undefined ? {} : { errors: completed.errors }),
      },
    ],
    ...(pending.length === 0 ? {} : { pending: pending.map(announced) }),
    hasNext,
  })
}

function announced({ id, path, label }: InitialResult['pending'][number]) {
  return { id, path, ...(label === undefined ? {} : { label }) }
}

function delivered({ data, id, subPath, errors }: IncrementalPart['incremental'][number]) {
  return {
    data,
    id,
    ...(subPath === undefined || subPath.length === 0 ? {} : { subPath }),
    ...(errors === undefined || errors.length === 0 ? {} : { errors }),
  }
}

/**
 * Some clients look for the boundary without the line break before it, and would cut a value that holds it. In JSON these
 * characters stand in strings only, where the escape means the same.
 */
function written(payload: object): string {
  return JSON.stringify(payload).replaceAll('--graphql', String.raw`\u002d-graphql`)
}
