import { MAX_RECORD_BYTES } from '@switchyard/contracts'
import { InvalidRecordError, RecordTooLargeError } from './errors.ts'

/** The JSON of a record. Throws RecordTooLargeError, or InvalidRecordError for a value JSON cannot hold. */
export function encodeRecord(subject: string, record: unknown): string {
  const text = stringify(subject, record)
  const size = Buffer.byteLength(text)
  if (size > MAX_RECORD_BYTES) throw new RecordTooLargeError(subject, size, MAX_RECORD_BYTES)
  return text
}

/** Stands for a record whose bytes are not JSON: no value of JSON is an instance of this class. */
export class NotJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function decodeRecord(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new NotJson(text)
  }
}

function stringify(subject: string, record: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(record)
  } catch (cause) {
    throw new InvalidRecordError(subject, cause)
  }
  if (text === undefined) throw new InvalidRecordError(subject)
  return text
}
