/**
 * One incremental response: what the engine delivers, written as parts. It is brought to its proper end also when the rest
 * cannot be delivered: a client that was promised a fragment is told that it will not come.
 */
import type { IncrementalListener, IncrementalPart, InitialResult, PendingPer } from '@switchyard/engine'
import type { MultipartStream } from './multipart-stream.ts'
import { initialPayload, partPayload, withoutBoundary } from './payloads.ts'

/** Called after each part with the number of errors in it. */
export type PartObserver = (errors: number, isLast: boolean) => void

export type ResponseForm = {
  readonly pendingPer?: PendingPer
  /**
   * Asked for the JSON that goes into the first and the last part; null: nothing. Parts wait for a promise, which is never
   * rejected, each for those before it.
   */
  readonly extensions?: () => string | null | Promise<string | null>
}

const NOTHING = () => null
/** Where extensions will stand. JSON has this character only escaped. */
const HOLE = '\0'

export class IncrementalResponse implements IncrementalListener {
  readonly #stream: MultipartStream
  readonly #onPart: PartObserver
  readonly #extensions: NonNullable<ResponseForm['extensions']>
  readonly #pendingPer: PendingPer
  /** Ids that were announced and not completed. */
  readonly #pending = new Set<string>()
  #isOver = false
  /** What comes while the extensions of a part are made; null: nothing has to wait. */
  #waiting: (() => void)[] | null = null

  constructor(
    stream: MultipartStream,
    onPart: PartObserver,
    { pendingPer = 'fragment', extensions = NOTHING }: ResponseForm = {},
  ) {
    this.#stream = stream
    this.#onPart = onPart
    this.#pendingPer = pendingPer
    this.#extensions = extensions
  }

  initial(result: InitialResult): void {
    this.#withExtensions((extensions) => initialPayload(result, extensions), result, result.errors.length)
  }

  part(part: IncrementalPart): void {
    if (this.#waiting !== null) {
      this.#waiting.push(() => this.part(part))
      return
    }
    const { incremental, completed } = part
    let errors = 0
    for (const entry of completed) {
      errors += entry.errors?.length ?? 0
      this.#pending.delete(entry.id)
    }
    for (const entry of incremental) errors += entry.errors?.length ?? 0
    if (part.hasNext) this.#write(partPayload(part), part, errors)
    else this.#withExtensions((extensions) => partPayload(part, extensions), part, errors)
  }

  /** Completes with this error what is not delivered yet. false: no part was sent, so any other answer can be. */
  giveUp(code: string, message: string): boolean {
    if (this.#waiting !== null) {
      this.#waiting.push(() => this.giveUp(code, message))
      return true
    }
    if (this.#stream.parts === 0) return false
    const errors = [{ message, extensions: { code } }]
    for (const ids of this.#open())
      this.part({
        incremental: [],
        completed: ids.map((id) => ({ id, errors })),
        pending: [],
        hasNext: this.#pending.size > ids.length,
      })
    return true
  }

  /** What the engine gave is written at once, whatever it does with it later. */
  #withExtensions(
    payload: (extensions: string | null) => string,
    part: Pick<IncrementalPart, 'pending' | 'hasNext'>,
    errors: number,
  ): void {
    const extensions = this.#extensions()
    if (!(extensions instanceof Promise)) return this.#write(payload(extensions), part, errors)
    const [before = '', after = ''] = payload(HOLE).split(HOLE)
    this.#waiting = []
    void extensions.then((made) => {
      const waiting = this.#waiting ?? []
      this.#waiting = null
      this.#write(`${before}${withoutBoundary(made ?? '{}')}${after}`, part, errors)
      // One of them may have to wait again: then those behind it line up anew.
      for (const deliver of waiting) deliver()
    })
  }

  /** As they would be completed: a fragment in a part of its own, but objects, which may be very many, together. */
  #open(): readonly (readonly string[])[] {
    const ids = [...this.#pending]
    if (this.#pendingPer === 'fragment') return ids.map((id) => [id])
    return ids.length === 0 ? [] : [ids]
  }

  #write(
    json: string,
    { pending, hasNext }: Pick<IncrementalPart, 'pending' | 'hasNext'>,
    errors: number,
  ): void {
    if (this.#isOver) return
    this.#isOver = !hasNext
    for (const { id } of pending) this.#pending.add(id)
    this.#stream.write(json, !hasNext)
    this.#onPart(errors, !hasNext)
  }
}
