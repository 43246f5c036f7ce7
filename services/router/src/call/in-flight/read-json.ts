/** Reads the JSON in the body of a subgraph's answer. */
import { isUtf8 } from 'node:buffer'
import { parseExactly } from '@switchyard/engine'

/** The body of an answer, or what is wrong with it as the object of a sentence. */
export type ReadJson = { readonly body: unknown } | { readonly problem: string }

export const NOT_UTF8 = 'an answer that is not UTF-8'
export const NOT_JSON = 'an answer that is not JSON'
export const ANSWER_TOO_DEEP = 'an answer that nests too deeply'

/**
 * Parses the body of an answer. Numbers that a double cannot hold become `ExactNumber` if `exactNumbers` is
 * true, or if the answer has errors, because their extensions may hold anything.
 */
export function readJson(bytes: Buffer, exactNumbers: boolean): ReadJson {
  const text = utf8Text(bytes)
  return text === null ? { problem: NOT_UTF8 } : readJsonText(text, exactNumbers)
}

/** Parses text that `utf8Text` made of a body, as `readJson` does. */
export function readJsonText(marked: string, exactNumbers: boolean): ReadJson {
  const text = withoutMark(marked)
  try {
    const body: unknown = JSON.parse(text)
    return { body: exactNumbers || hasErrors(body) ? parseExactly(text, body) : body }
  } catch (error) {
    return { problem: error instanceof RangeError ? ANSWER_TOO_DEEP : NOT_JSON }
  }
}

/**
 * Returns the text of the bytes, with its byte order mark if there is one. Null if the bytes are not UTF-8.
 */
export function utf8Text(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  // A replacement character that was not sent as one means that the bytes were not UTF-8.
  return text.includes('\ufffd') && !isUtf8(bytes) ? null : text
}

/** Removes a byte order mark, as RFC 8259, section 8.1, allows. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

export function hasErrors(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'errors' in body
}
