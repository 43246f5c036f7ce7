/**
 * One incremental response: what the engine delivers, written as parts. It is brought to its proper end also when the rest
 * cannot be delivered: a client that was promised a fragment is told that it will not come.
 */
import type { IncrementalListener, IncrementalPart, InitialResult, PendingPer } from '@switchyard/engine'
import type { MultipartStream } from './multipart-stream.ts'
import { initialPayload, partPayload } from './payloads.ts'

/** Called after each part with the number of errors in it. */
export type PartObserver = (errors: number, isLast: boolean) => void

export type ResponseForm = {
  readonly pendingPer?: PendingPer
  /** Asked for the JSON that goes into the first and the last part; null: nothing. */
  readonly extensions?: () => string | null
}

const NOTHING = () => null

export class IncrementalResponse implements IncrementalListener {
  readonly #stream: MultipartStream
  readonly #onPart: PartObserver
  readonly #extensions: () => string | null
  readonly #pendingPer: PendingPer
  /** Ids that were announced and not completed. */
  readonly #pending = new Set<string>()
  #isOver = false

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
    this.#write(initialPayload(result, this.#extensions()), result, result.errors.length)
  }

  part(part: IncrementalPart): void {
    const { incremental, completed } = part
    let errors = 0
    for (const entry of completed) {
      errors += entry.errors?.length ?? 0
      this.#pending.delete(entry.id)
    }
    for (const entry of incremental) errors += entry.errors?.length ?? 0
    this.#write(partPayload(part, part.hasNext ? null : this.#extensions()), part, errors)
  }

  /** Completes with this error what is not delivered yet. false: no part was sent, so any other answer can be. */
  giveUp(code: string, message: string): boolean {
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
