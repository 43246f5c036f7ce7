/** The JSON of an incremental response, format v0.2. Keys have one order, so that equal responses are equal bytes. */
import type { IncrementalEntry, IncrementalPart, InitialResult } from '@switchyard/engine'

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

/**
 * A list has very many of these, so nothing is made beside what is written: 100 entries cost 12 µs of CPU with an object
 * spread for each key that may be missing, 10 so; texts put together by hand cost more than one JSON.stringify of them all.
 */
function delivered({ data, id, subPath, errors }: IncrementalEntry) {
  const entry = subPath === undefined || subPath.length === 0 ? { data, id } : { data, id, subPath }
  return errors === undefined || errors.length === 0 ? entry : { ...entry, errors }
}

/**
 * Some clients look for the boundary without the line break before it, and would cut a value that holds it. In JSON these
 * characters stand in strings only, where the escape means the same.
 */
function written(payload: object): string {
  return JSON.stringify(payload).replaceAll('--graphql', String.raw`\u002d-graphql`)
}
