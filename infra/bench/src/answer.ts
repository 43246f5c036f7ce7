/** An answer as a client reads it: one JSON document, or parts put together to one. */
import { isRecord } from '@switchyard/values'
import { mergeParts } from '@switchyard/incremental-delivery'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly data: unknown
  readonly errors: readonly unknown[]
  readonly extensions: unknown
  /** 1 for an answer that is no stream. */
  readonly parts: number
  readonly isStream: boolean
}

export type Received = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The received bytes are no GraphQL answer. The message says why. */
export class UnreadableAnswerError extends Error {}
/** A stream ended without its closing boundary. */
export class CutStreamError extends Error {}

const BOUNDARY = /^multipart\/mixed\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

/** Throws UnreadableAnswerError and CutStreamError. */
export function readAnswer({ status, headers, body }: Received): Answer {
  const type = String(headers['content-type'] ?? '')
  const found = BOUNDARY.exec(type)
  const boundary = found?.[1] ?? found?.[2]
  const text = body.toString('utf8')
  if (boundary === undefined) return { status, headers, ...membersOf(parse(text)), parts: 1, isStream: false }
  const parts = partsOf(text, boundary).map(parse)
  const first = membersOf(parts[0])
  const { data, errors } = merge(parts)
  return { ...first, status, headers, data, errors, parts: parts.length, isStream: true }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new UnreadableAnswerError('The answer is no JSON.')
  }
  if (isRecord(json)) return json
  throw new UnreadableAnswerError('The answer is no JSON object.')
}

function membersOf(json: Readonly<Record<string, unknown>> | undefined) {
  const { data, errors = [], extensions } = json ?? {}
  if (!Array.isArray(errors)) throw new UnreadableAnswerError('"errors" of the answer is no list.')
  return { data, errors, extensions }
}

function merge(parts: readonly Readonly<Record<string, unknown>>[]) {
  try {
    return mergeParts(parts)
  } catch (error) {
    throw new UnreadableAnswerError(`The parts do not fit together: ${String(error)}`)
  }
}

/**
 * A line break and the boundary cannot stand inside of a part, since JSON has no line breaks in its strings.
 */
function partsOf(text: string, boundary: string): readonly string[] {
  const [preamble = '', ...sections] = `\r\n${text}`.split(`\r\n--${boundary}`)
  const end = sections.at(-1)
  if (end === undefined || !end.startsWith('--'))
    throw new CutStreamError('The stream has no closing boundary.')
  if (preamble.trim() !== '') throw new UnreadableAnswerError('There is something before the first part.')
  return sections.slice(0, -1).map((section) => {
    const blank = section.indexOf('\r\n\r\n')
    if (blank < 0) throw new UnreadableAnswerError('A part has no end of its headers.')
    return section.slice(blank + 4)
  })
}
