/**
 * One incremental response: what the engine delivers, written as parts. It is brought to its proper end also
 * when the rest cannot be delivered: a client that was promised a fragment is told that it will not come.
 */
import {
  type IncrementalListener,
  type SubsequentResult,
  type InitialResult,
  JsonText,
  type PendingPer,
} from '@switchyard/engine'
import type { PartStream } from '../request/part-stream.ts'
import { withoutBoundary } from '../http/boundary.ts'
import { isLargeText, isLargeWeight } from '../http/print-in-turns.ts'
import { type ErrorSummary, joinSummaries, NO_ERRORS, summarizeErrors } from '../observe/summarize-errors.ts'
import { initialPayload, initialValue, subsequentPayload, subsequentValue } from './payloads.ts'

/**
 * Called after each part with a summary of the errors in it. `cost`: of it and all parts before it; null if
 * that is not counted.
 */
export type PartObserver = (errors: ErrorSummary, isLast: boolean, cost: number | null) => void

/** The form of the announcements, contents and printing of parts. */
export type ResponseForm = {
  readonly pendingPer?: PendingPer
  /**
   * Returns the JSON of `extensions` for the first and the last part, or null for none. A promise, which
   * never rejects, holds up its part and all later ones. `cost` is the cost of that part and all before it.
   */
  readonly extensions?: (cost: number | null) => string | null | Promise<string | null>
  /** Prints large parts in slices. Without it, all parts are printed in one go. */
  readonly printer?: PartPrinter
}

/** Prints parts that are too large to be printed in one go. */
export interface PartPrinter {
  /** Prints a large part in slices, with `BOUNDARY_ESCAPE`. Null if nobody waits for the part any more. */
  print(value: object): Promise<readonly Uint8Array[] | null>
  /** No more is wanted until what is being printed is written. */
  pause(): void
  resume(): void
  /**
   * Called with the reason why a part could not be printed. Neither that part nor any later one is delivered.
   */
  failed(error: unknown): void
}

/** The forms in which a part can be printed, and its size as the engine estimates it. */
type Payload = {
  readonly text: (extensions: string | null) => string
  readonly value: (extensions: string | null) => object
  readonly weight: number
}

type Printed = string | readonly Uint8Array[]
type Delivered = Pick<SubsequentResult, 'completed' | 'pending' | 'hasNext'> & {
  readonly errors: ErrorSummary
  readonly cost: number | null
}

const NOTHING = () => null
/** Mark for the place of the extensions. JSON contains this character only escaped. */
const HOLE = '\0'

/** Writes what the engine delivers as the parts of one response. */
export class IncrementalResponse implements IncrementalListener {
  readonly #stream: PartStream
  readonly #onPart: PartObserver
  readonly #extensions: NonNullable<ResponseForm['extensions']>
  readonly #pendingPer: PendingPer
  /** Ids that were announced and not completed. */
  readonly #pending = new Set<string>()
  #isOver = false
  /** Cost of the parts that were written. */
  #cost: number | null = null
  readonly #printer: PartPrinter | null
  /**
   * Calls that wait while a part is printed, or while its extensions are made. Null if nothing has to wait.
   */
  #waiting: (() => void)[] | null = null

  constructor(
    stream: PartStream,
    onPart: PartObserver,
    { pendingPer = 'fragment', extensions = NOTHING, printer }: ResponseForm = {},
  ) {
    this.#printer = printer ?? null
    this.#stream = stream
    this.#onPart = onPart
    this.#pendingPer = pendingPer
    this.#extensions = extensions
  }

  initial(result: InitialResult, weight = 0, cost: number | null = null): void {
    const payload = {
      text: (extensions: string | null) => initialPayload(result, extensions),
      value: (extensions: string | null) => initialValue(result, extensions),
      weight,
    }
    const { pending, hasNext } = result
    const part = { completed: [], pending, hasNext, errors: summarizeErrors(result.errors), cost }
    this.#deliver(payload, part, this.#extensions(cost))
  }

  subsequent(result: SubsequentResult, weight = 0, cost = this.#cost): void {
    if (this.#waiting !== null) {
      this.#waiting.push(() => this.subsequent(result, weight, cost))
      return
    }
    const { incremental, completed, pending, hasNext } = result
    let errors = NO_ERRORS
    for (const entries of [completed, incremental])
      for (const entry of entries)
        if (entry.errors !== undefined) errors = joinSummaries(errors, summarizeErrors(entry.errors))
    const payload = {
      text: (extensions: string | null) => subsequentPayload(result, extensions),
      value: (extensions: string | null) => subsequentValue(result, extensions),
      weight,
    }
    const part = { completed, pending, hasNext, errors, cost }
    this.#deliver(payload, part, hasNext ? null : this.#extensions(cost))
  }

  /**
   * Completes with this error all fragments that are not delivered yet. False if no part was sent, so that
   * any other answer can be sent.
   */
  giveUp(code: string, message: string): boolean {
    if (this.#waiting !== null) {
      this.#waiting.push(() => this.giveUp(code, message))
      return true
    }
    if (this.#stream.parts === 0) return false
    const errors = [{ message, extensions: { code } }]
    for (const ids of this.#open())
      this.subsequent({
        incremental: [],
        completed: ids.map((id) => ({ id, errors })),
        pending: [],
        hasNext: this.#pending.size > ids.length,
      })
    return true
  }

  /**
   * Writes a small part at once, so that it shows the result as it is now, whatever the engine does with it
   * later. A large part is printed in slices.
   */
  #deliver(payload: Payload, part: Delivered, extensions: string | null | Promise<string | null>): void {
    const printer = this.#printer
    if (printer !== null && isLargeWeight(payload.weight)) {
      printer.pause()
      const print = async () => await printer.print(payload.value(await extensions))
      void this.#writeLater(print(), part).finally(() => printer.resume())
    } else if (extensions instanceof Promise)
      void this.#writeLater(this.#filled(payload.text(HOLE), extensions), part)
    else this.#write(payload.text(extensions), part)
  }

  /** Writes a part when it is made. Calls that come meanwhile wait. */
  async #writeLater(made: Promise<Printed | null>, part: Delivered): Promise<void> {
    this.#waiting = []
    let json: Printed | null = null
    let failure: { readonly error: unknown } | null = null
    try {
      json = await made
    } catch (error) {
      failure = { error }
    }
    const waiting = this.#waiting
    this.#waiting = null
    if (failure !== null) this.#printer?.failed(failure.error)
    if (json === null) {
      this.#isOver = true
      return
    }
    this.#write(json, part)
    // One of them may have to wait again: then those behind it line up anew.
    for (const deliver of waiting) deliver()
  }

  /** A part with its extensions. */
  async #filled(text: string, extensions: Promise<string | null>): Promise<Printed | null> {
    const [before = '', after = ''] = text.split(HOLE)
    const made = (await extensions) ?? '{}'
    return this.#printer !== null && isLargeText(made)
      ? await this.#printer.print(new JsonText(`${before}${made}${after}`))
      : `${before}${withoutBoundary(made)}${after}`
  }

  /**
   * Lists the open ids in the groups in which they are completed: a fragment in a part of its own, and
   * objects, which may be very many, together.
   */
  #open(): readonly (readonly string[])[] {
    const ids = [...this.#pending]
    if (this.#pendingPer === 'fragment') return ids.map((id) => [id])
    return ids.length === 0 ? [] : [ids]
  }

  #write(json: Printed, { completed, pending, hasNext, errors, cost }: Delivered): void {
    if (this.#isOver) return
    this.#isOver = !hasNext
    this.#cost = cost
    for (const { id } of completed) this.#pending.delete(id)
    for (const { id } of pending) this.#pending.add(id)
    this.#stream.write(json, !hasNext)
    this.#onPart(errors, !hasNext, cost)
  }
}
