/**
 * Errors and hints as a record carries them: the first few, each of a bounded size. A record has one result
 * for base and one for every flag, and the log limits its size. The blob of the errors has all of them in
 * full.
 */
import type { CompositionMessage } from '@switchyard/contracts'
import { MAX_INLINE_ERRORS } from '@switchyard/contracts/limits'

const LONGEST_MESSAGE = 2000
const LONGEST_TEXT = 300
const MOST_LOCATIONS = 20
const MOST_REASONS = 10
/** Steps of a path that are kept: half from its start, half from its end, where it fails. */
const MOST_STEPS = 20

export function inlineMessages(messages: readonly CompositionMessage[]): CompositionMessage[] {
  return messages.slice(0, MAX_INLINE_ERRORS).map(shorten)
}

/** True if the record does not hold everything. */
export function isCut(messages: readonly CompositionMessage[]): boolean {
  return (
    messages.length > MAX_INLINE_ERRORS ||
    messages.some((message) => JSON.stringify(shorten(message)) !== JSON.stringify(message))
  )
}

/** The content of the blob of all errors. */
export function bytesOf(messages: readonly CompositionMessage[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(messages))
}

function shorten(message: CompositionMessage): CompositionMessage {
  const { operation, path, reasons, ...rest } = message
  return {
    ...rest,
    message: cut(rest.message, LONGEST_MESSAGE),
    locations: rest.locations
      .slice(0, MOST_LOCATIONS)
      .map(({ label, ...at }) => (label === undefined ? at : { ...at, label: cut(label, LONGEST_TEXT) })),
    // A cut operation would not be valid, so it is left out.
    ...(operation === undefined || operation.length > LONGEST_MESSAGE ? {} : { operation }),
    ...(path === undefined ? {} : { path: path.length <= MOST_STEPS ? path : endsOf(path) }),
    ...(reasons === undefined
      ? {}
      : {
          reasons: reasons
            .slice(0, MOST_REASONS)
            .map((one) => ({ ...one, reason: cut(one.reason, LONGEST_TEXT) })),
        }),
  }
}

function endsOf<Step>(path: readonly Step[]): Step[] {
  return [...path.slice(0, MOST_STEPS / 2), ...path.slice(-MOST_STEPS / 2)]
}

/** Never cuts between the two code units of one character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)} …`
}
