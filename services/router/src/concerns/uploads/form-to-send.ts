/** The form that one call of a subgraph sends: its own fields, and the files in turn as they come. */
import type { BodySink, BodySource } from '../../http/body-source.ts'
import type { FileDescription } from './file-value.ts'
import type { ArrivingFile } from './form-reader.ts'
import type { OutgoingForm } from './outgoing-form.ts'

/** A file to be sent, or to be read and dropped. */
export type NextFile = ArrivingFile & { readonly description: FileDescription }

/** Where the files come from, and who wants to know how they are sent. */
export interface FileQueue {
  /** The call has begun: from now on files are taken. */
  begun(): void
  /** Returns the next file that has arrived; null if it has not arrived yet. */
  next(): NextFile | 'end' | null
  /** The subgraph has taken something. */
  moved(): void
  /** All files are sent, or nobody takes the rest. */
  over(isSent: boolean): void
}

type FormToSendOptions = {
  readonly form: OutgoingForm
  /** The JSON of the field `operations`. */
  readonly operations: string
  readonly queue: FileQueue
}

/** Sends the form once. */
export class FormToSend implements BodySource {
  readonly #options: FormToSendOptions
  #sink: BodySink | null = null
  #current: NextFile | null = null
  #isFull = false
  #isOver = false

  constructor(options: FormToSendOptions) {
    this.#options = options
  }

  /** Whether the subgraph takes nothing at the moment. */
  get isFull(): boolean {
    return this.#isFull
  }

  begin(sink: BodySink): void {
    const { form, operations, queue } = this.#options
    this.#sink = sink
    this.#write(form.fields(operations))
    queue.begun()
    this.proceed()
  }

  goOn(): void {
    if (this.#isOver) return
    this.#isFull = false
    this.#options.queue.moved()
    if (this.#current === null) this.proceed()
    else this.#current.content.resume()
  }

  /** Gives the call up with this error. */
  fail(error: Error): void {
    if (!this.#isOver) this.#sink?.fail(error)
  }

  stop(): void {
    this.#finish(false)
  }

  /** Takes the next file if there is one and it can be sent. */
  proceed(): void {
    if (this.#sink === null || this.#current !== null || this.#isFull || this.#isOver) return
    const file = this.#options.queue.next()
    if (file === 'end') this.#end(this.#sink)
    else if (file !== null) this.#send(file)
  }

  #send(file: NextFile): void {
    const { form } = this.#options
    const { content, description } = file
    const isPassedOn = form.has(file.part)
    this.#current = file
    if (isPassedOn) this.#write(form.headOf(file))
    content.on('data', (bytes: Buffer) => {
      description.size += bytes.length
      if (isPassedOn) this.#write(bytes)
    })
    content.on('end', () => {
      this.#current = null
      if (isPassedOn) this.#write(form.endOfFile())
      this.proceed()
    })
    if (this.#isFull) content.pause()
  }

  #write(bytes: Buffer): void {
    if (this.#isOver || this.#sink === null || this.#sink.write(bytes)) return
    this.#isFull = true
    this.#current?.content.pause()
  }

  #end(sink: BodySink): void {
    this.#write(this.#options.form.end())
    if (this.#isOver) return
    this.#finish(true)
    sink.end()
  }

  #finish(isSent: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.queue.over(isSent)
  }
}
