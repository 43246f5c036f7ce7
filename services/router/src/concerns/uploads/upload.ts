/**
 * The files of one request, on their way from the client to one call of a subgraph.
 *
 * They are read when that call is sent, and as fast as the subgraph takes them. Until then the client has to
 * wait: nothing is read from it, and so nothing has to be held.
 */
import type { IncomingMessage } from 'node:http'
import type { FetchId } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import type { BodySource } from '../../http/body-source.ts'
import { readFileMap, shown } from './file-map.ts'
import { describedBody, describedVariables, FileValue, keysInValues, placeFile } from './file-value.ts'
import { FilesNotTakenError } from './files-not-taken-error.ts'
import { type ArrivingFile, type FormFields, type FormReceiver, FormReader } from './form-reader.ts'
import { type FileQueue, FormToSend, type NextFile } from './form-to-send.ts'
import { OutgoingForm } from './outgoing-form.ts'
import { invalidUpload } from './refusals.ts'
import type { UploadLimits } from './settings.ts'
import type { UploadMetrics } from './metrics.ts'

/** The call of the plan that takes files. */
export type Route = {
  readonly fetch: FetchId
  /** Places in the call by the part of each file: `variables.input.file`. */
  readonly paths: ReadonlyMap<string, string>
}

/** The form of a call, and the JSON that traces show in its place. */
export type FormOfFiles = {
  readonly contentType: string
  readonly body: BodySource
  readonly shown: () => unknown
  whenSent(then: () => void): void
}

type UploadOptions = {
  readonly limits: UploadLimits
  readonly metrics: UploadMetrics
  /** Called once with the field `operations`, when both fields are there and the map is well-formed. */
  readonly onFields: (operations: string) => void
  /** Called once if the files cannot be read: the client is to be refused. */
  readonly onFailed: (error: Error) => void
}

/** The files of one request. To be disposed when the request is answered. */
export class Upload implements FormReceiver, FileQueue, Disposable {
  readonly #request: IncomingMessage
  readonly #options: UploadOptions
  readonly #reader: FormReader
  readonly #timeout: NodeJS.Timeout
  readonly #idle: NodeJS.Timeout
  readonly #files = new Map<string, FileValue>()
  readonly #arrived = new Set<string>()
  readonly #queue: NextFile[] = []
  #route: Route | null = null
  #toSend: FormToSend | null = null
  #onSent: (() => void) | null = null
  #hasEnded = false
  #isOver = false

  /** Begins to read. Throws HttpError if the request is no form that could be read. */
  constructor(request: IncomingMessage, options: UploadOptions) {
    const { timeout, idleTimeout } = options.limits
    this.#request = request
    this.#options = options
    this.#reader = new FormReader(request, options.limits, this)
    this.#timeout = setTimeout(() => this.failed(tooSlow('timeout', timeout)), timeout)
    this.#idle = setTimeout(() => this.#idled(), idleTimeout)
  }

  /** Puts the files at their places in the variables, which are changed. Throws HttpError. */
  place(variables: Readonly<Record<string, unknown>> | null): void {
    for (const file of this.#files.values()) placeFile(file, variables)
  }

  /** Returns the variables with the properties of the files, which are filled in as these arrive. */
  described(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return describedVariables([...this.#files.values()], variables)
  }

  /** Returns the keys of each file in the checked values of variables, by its part. Throws HttpError. */
  keysIn(values: ReadonlyMap<string, unknown>): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#files].map(([part, file]) => [part, keysInValues(file, values)]))
  }

  /** The call that takes the files. Null if it is not known yet, or none does. */
  get route(): Route | null {
    return this.#route
  }

  /** Passes on the files that have a place in the call; others are read and dropped. */
  passOn(route: Route): void {
    this.#route = route
  }

  /** Makes the form of the call whose JSON is `operations`. */
  formFor(operations: string): FormOfFiles {
    const paths = this.#route?.paths ?? new Map<string, string>()
    const form = new OutgoingForm(paths)
    const { contentType } = form
    const body = new FormToSend({ form, operations, queue: this })
    const shown = () => describedBody(operations, paths, this.#files)
    const whenSent = (then: () => void): void => void (this.#onSent = then)
    this.#toSend = body
    return { contentType, body, shown, whenSent }
  }

  fieldsRead({ operations, map }: FormFields): void {
    const { limits, onFields } = this.#options
    try {
      for (const file of readFileMap(map, limits.maxFiles)) this.#files.set(file.part, new FileValue(file))
    } catch (error) {
      return this.failed(error)
    }
    onFields(operations)
  }

  fileBegan(file: ArrivingFile): void {
    const { part } = file
    const known = this.#files.get(part)
    if (known === undefined || this.#arrived.has(part)) {
      const problem = known === undefined ? 'which the field "map" does not name' : 'which was sent before'
      return this.failed(
        invalidUpload(`The multipart body has the file ${shown(part)}, ${problem}. Expected each file once.`),
      )
    }
    this.#arrived.add(part)
    const { description } = known
    description.name = file.name
    description.type = file.type
    this.#queue.push({ ...file, description })
    this.#toSend?.proceed()
  }

  arrived(): void {
    this.#progressed()
  }

  ended(): void {
    this.#hasEnded = true
    this.#toSend?.proceed()
  }

  /** Refuses the request, unless it does not need the files any more. */
  failed(error: unknown): void {
    if (this.#isOver) return
    this.#stop()
    const { metrics, onFailed } = this.#options
    metrics.ended(error instanceof HttpError ? 'refused' : 'given-up')
    onFailed(error instanceof Error ? error : new Error(String(error)))
  }

  begun(): void {
    this.#progressed()
    this.#reader.goOn()
  }

  next(): NextFile | 'end' | null {
    const file = this.#queue.shift()
    if (file !== undefined) return file
    if (!this.#hasEnded) return null
    const missing = [...this.#files.keys()].find((part) => !this.#arrived.has(part))
    if (missing === undefined) return 'end'
    this.failed(invalidUpload(`The file ${shown(missing)} is missing, which the field "map" names.`))
    return null
  }

  moved(): void {
    this.#progressed()
  }

  over(isSent: boolean): void {
    if (this.#isOver) return
    this.#stop()
    this.#options.metrics.ended(isSent ? 'sent' : 'given-up')
    if (isSent) this.#onSent?.()
  }

  /** Lets the rest of the body run out, so that its client gets to read the answer. */
  [Symbol.dispose](): void {
    if (!this.#isOver) {
      this.#stop()
      this.#options.metrics.ended('unused')
    }
    this.#request.resume()
  }

  /** Begins to wait anew. A timer that was cleared would run again. */
  #progressed(): void {
    if (!this.#isOver) this.#idle.refresh()
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#timeout)
    clearTimeout(this.#idle)
    this.#reader.stop()
    this.#queue.length = 0
  }

  #idled(): void {
    const { idleTimeout } = this.#options.limits
    if (this.#toSend?.isFull === true) this.#toSend.fail(new FilesNotTakenError(idleTimeout))
    else if (this.#reader.isHungry) this.failed(tooSlow('idle_timeout', idleTimeout))
    else this.#progressed()
  }
}

function tooSlow(setting: 'timeout' | 'idle_timeout', limit: number): HttpError {
  const problem =
    setting === 'timeout'
      ? `The files, with what had to be done before them, took longer than the ${limit} ms allowed`
      : `Nothing more of the request came for ${limit} ms`
  return new HttpError('REQUEST_TIMEOUT', `${problem} (uploads.${setting}).`)
}
