import type { FetchId } from '@switchyard/engine'
import type { FormOfFiles, Upload } from './upload.ts'

/** The files of a request, for the call that takes them. */
export type SentFiles = {
  readonly fetch: FetchId
  /** The time in which all of them have to be sent. Milliseconds. */
  readonly timeout: number
  readonly formFor: (operations: string) => FormOfFiles
}

/** Returns the files as a call sends them. Null if none does. */
export function sentFiles(upload: Upload | undefined, timeout: number): SentFiles | null {
  const fetch = upload?.route?.fetch
  if (upload === undefined || fetch === undefined) return null
  return { fetch, timeout, formFor: (operations) => upload.formFor(operations) }
}
