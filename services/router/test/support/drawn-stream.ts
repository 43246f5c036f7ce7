/**
 * Parts of an incremental response in a few characters, so that many of them can be read side by side.
 * Nothing is left out: what the notation has no word for is shown as it is.
 *
 *     {item:{name:b}} +1(item)      the initial part: its data, and what it announces
 *     1/0{count:1} done 1           an entry of fragment 1 with subPath [0]; the fragment is complete
 *     !item.count=FAULT             an error with its path, after what it belongs to
 *     failed 1 !item.must=NULL      the fragment is completed with errors
 */
import type { StreamError, StreamPart } from '@switchyard/testkit'

/** Names an error but for its path; null: there is no word for it. */
export type ErrorNames = (error: object) => string | null

export function drawn(parts: readonly StreamPart[], nameOf: ErrorNames): string {
  return parts.map((part) => drawnPart(part, nameOf)).join(' ; ')
}

function drawnPart(part: StreamPart, nameOf: ErrorNames): string {
  const { data, errors, incremental, completed, pending, hasNext: _, ...rest } = part
  const drawnErrors = (some: readonly StreamError[] | undefined) =>
    (some ?? []).map(({ path, ...error }) => `!${path?.join('.') ?? ''}=${nameOf(error) ?? text(error)}`)
  const words = [
    ...(data === undefined ? [] : [text(data)]),
    ...drawnErrors(errors),
    ...(incremental ?? []).flatMap(({ data, id, subPath, errors, ...rest }) => [
      `${[id, ...(subPath ?? [])].join('/')}${text(data)}`,
      ...drawnErrors(errors),
      ...unknown(rest),
    ]),
    ...(completed ?? []).flatMap(({ id, errors, ...rest }) => [
      `${errors === undefined ? 'done' : 'failed'} ${id}`,
      ...drawnErrors(errors),
      ...unknown(rest),
    ]),
    ...(pending ?? []).flatMap(({ id, path, ...rest }) => [`+${id}(${path.join('.')})`, ...unknown(rest)]),
    ...unknown(rest),
  ]
  return words.join(' ')
}

function unknown(rest: object): string[] {
  return Object.keys(rest).length === 0 ? [] : [text(rest)]
}

function text(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', '')
}
