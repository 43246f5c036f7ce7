/**
 * The JSON of an incremental response, format v0.2. Keys have one order, so that equal responses are equal
 * bytes.
 */
import {
  holdsText,
  type SubsequentResult,
  type InitialResult,
  JsonText,
  printMembers,
} from '@switchyard/engine'
import { withoutBoundary } from '../http/boundary.ts'

type Members = Readonly<Record<string, unknown>>

/** `extensions`: JSON already. */
export function initialPayload(result: InitialResult, extensions: string | null = null): string {
  const [head, tail] = membersOfInitial(result)
  const { data } = result
  return written({ ...head, data: data === null ? null : asText(data) }, extensions, tail)
}

/** The same as a value, to be printed in slices with `BOUNDARY_ESCAPE`. */
export function initialValue(result: InitialResult, extensions: string | null): object {
  return valueOf(membersOfInitial(result), extensions)
}

/** JSON of a part after the first one. */
export function subsequentPayload(part: SubsequentResult, extensions: string | null = null): string {
  const [head, tail] = membersOfPart(part)
  const { incremental } = part
  const texts = incremental.length === 0 ? {} : { incremental: entriesOf(incremental) }
  return written({ ...head, ...texts }, extensions, tail)
}

/** The same as a value, to be printed in slices with `BOUNDARY_ESCAPE`. */
export function subsequentValue(part: SubsequentResult, extensions: string | null): object {
  return valueOf(membersOfPart(part), extensions)
}

/** The members before the extensions, and those behind them. Neither half is empty. */
type Halves = readonly [head: Members, tail: Members]

function membersOfInitial({ data, errors, pending, hasNext }: InitialResult): Halves {
  return [
    { ...(errors.length === 0 ? {} : { errors }), data },
    { ...announcing(pending), hasNext },
  ]
}

/**
 * The entries are written as they come: a list has very many, and one more object for each would be a tenth
 * of their cost.
 */
function membersOfPart({ incremental, completed, pending, hasNext }: SubsequentResult): Halves {
  const entries = incremental.length === 0 ? {} : { incremental }
  return [{ ...entries, completed, ...announcing(pending) }, { hasNext }]
}

function valueOf([head, tail]: Halves, extensions: string | null): object {
  return { ...head, ...(extensions === null ? {} : { extensions: new JsonText(extensions) }), ...tail }
}

/** Introspection, which is text already, stands among the fields of the root only. */
function entriesOf(incremental: SubsequentResult['incremental']): SubsequentResult['incremental'] | JsonText {
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

function written(head: Members, extensions: string | null, tail: Members): string {
  return withoutBoundary(whole(head, extensions, tail))
}

/** Neither head nor tail is without members. */
function whole(head: Members, extensions: string | null, tail: Members): string {
  if (extensions === null) return printMembers({ ...head, ...tail })
  return `${printMembers(head).slice(0, -1)},"extensions":${extensions},${JSON.stringify(tail).slice(1)}`
}
