/** The JSON of an incremental response, format v0.2. Keys have one order, so that equal responses are equal bytes. */
import {
  holdsText,
  type IncrementalPart,
  type InitialResult,
  JsonText,
  printMembers,
} from '@switchyard/engine'

type Members = Readonly<Record<string, unknown>>

/** `extensions`: JSON already. */
export function initialPayload(
  { data, errors, pending, hasNext }: InitialResult,
  extensions: string | null = null,
): string {
  const head = { ...(errors.length === 0 ? {} : { errors }), data: data === null ? null : asText(data) }
  return written(head, extensions, { ...announcing(pending), hasNext })
}

/** The entries are written as they come: a list has very many, and one more object for each would be a tenth of their cost. */
export function partPayload(
  { incremental, completed, pending, hasNext }: IncrementalPart,
  extensions: string | null = null,
): string {
  const head = {
    ...(incremental.length === 0 ? {} : { incremental: entriesOf(incremental) }),
    completed,
    ...announcing(pending),
  }
  return written(head, extensions, { hasNext })
}

/** Introspection, which is text already, stands among the fields of the root only. */
function entriesOf(incremental: IncrementalPart['incremental']): IncrementalPart['incremental'] | JsonText {
  if (!incremental.some(({ data, subPath }) => subPath === undefined && holdsText(data))) return incremental
  const entries = incremental.map((entry) => printMembers({ ...entry, data: asText(entry.data) }))
  return new JsonText(`[${entries.join(',')}]`)
}

function asText(data: Readonly<Record<string, unknown>>): object {
  return holdsText(data) ? new JsonText(printMembers(data)) : data
}

function announcing(pending: InitialResult['pending']) {
  return pending.length === 0 ? {} : { pending: pending.map(announced) }
}

function announced({ id, path, label }: InitialResult['pending'][number]) {
  return label === undefined ? { id, path } : { id, path, label }
}

/**
 * Some clients look for the boundary without the line break before it, and would cut a value that holds it. In JSON these
 * characters stand in strings only, where the escape means the same.
 */
function written(head: Members, extensions: string | null, tail: Members): string {
  return withoutBoundary(whole(head, extensions, tail))
}

export function withoutBoundary(json: string): string {
  return json.replaceAll('--graphql', String.raw`\u002d-graphql`)
}

/** Neither head nor tail is without members. */
function whole(head: Members, extensions: string | null, tail: Members): string {
  if (extensions === null) return printMembers({ ...head, ...tail })
  return `${printMembers(head).slice(0, -1)},"extensions":${extensions},${JSON.stringify(tail).slice(1)}`
}
