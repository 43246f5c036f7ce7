/** The files of a client that one call sends on. */
import type { FetchId } from '@switchyard/engine'
import type { BodySource } from '../http/body-source.ts'

/** A call with files: a form whose fields and files are sent as they come. */
export type FormOfCall = {
  readonly contentType: string
  readonly body: BodySource
  /** Sets the function that is called when all of it is sent. */
  whenSent(then: () => void): void
  /** Returns the JSON that traces show in place of the form. */
  readonly shown: () => unknown
}

/** The files of a request, for the call that takes them. */
export interface FilesToSend {
  /** The number of the fetch in the plan. */
  readonly fetch: FetchId
  /** The time in which all of them have to be sent. Milliseconds. */
  readonly timeout: number
  /** Makes the form for the JSON body of the fetch. May be called once. */
  formFor(operations: string): FormOfCall
}
