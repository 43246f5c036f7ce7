/** The JSON in the body of a subgraph's answer. */
import { isUtf8 } from 'node:buffer'
import { parseExactly } from '@switchyard/engine'

/** The body of an answer, or what is wrong with it as the object of a sentence. */
export type ReadJson = { readonly body: unknown } | { readonly problem: string }

export const NOT_UTF8 = 'an answer that is not UTF-8'
export const NOT_JSON = 'an answer that is not JSON'
export const TOO_DEEP = 'an answer that nests too deeply'

/**
 * With `exactNumbers`, and in answers with errors (whose extensions hold anything), numbers that a double
 * cannot hold come as `ExactNumber`.
 */
export function readJson(bytes: Buffer, exactNumbers: boolean): ReadJson {
  const text = utf8Text(bytes)
  return text === null ? { problem: NOT_UTF8 } : readJsonText(text, exactNumbers)
}

/** The same for what `utf8Text` made of the body. */
export function readJsonText(marked: string, exactNumbers: boolean): ReadJson {
  const text = withoutMark(marked)
  try {
    const body: unknown = JSON.parse(text)
    return { body: exactNumbers || hasErrors(body) ? parseExactly(text, body) : body }
  } catch (error) {
    return { problem: error instanceof RangeError ? TOO_DEEP : NOT_JSON }
  }
}

/** With its byte order mark, if it has one; null: it is not UTF-8. */
export function utf8Text(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  // A replacement character that was not sent as one means that the bytes were not UTF-8.
  return text.includes('\ufffd') && !isUtf8(bytes) ? null : text
}

export function textOf(bytes: Buffer): string {
  return withoutMark(bytes.toString('utf8'))
}

/** A byte order mark is passed over, as RFC 8259, section 8.1, allows. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

export function hasErrors(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'errors' in body
}
