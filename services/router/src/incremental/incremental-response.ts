/**
 * One incremental response: what the engine delivers, written as parts. It is brought to its proper end also when the rest
 * cannot be delivered: a client that was promised a fragment is told that it will not come.
 */
import type { IncrementalListener, IncrementalPart, InitialResult } from '@switchyard/engine'
import type { MultipartStream } from './multipart-stream.ts'
import { initialPayload, partPayload } from './payloads.ts'

/** Called after each part with the number of errors in it. */
export type PartObserver = (errors: number, isLast: boolean) => void

const NOTHING = () => null

export class IncrementalResponse implements IncrementalListener {
  readonly #stream: MultipartStream
  readonly #onPart: PartObserver
  readonly #extensions: () => string | null
  /** Ids that were announced and not completed. */
  readonly #pending = new Set<string>()
  #isOver = false

  /** `extensions` is asked for the JSON that goes into the first and the last part; null: nothing. */
  constructor(stream: MultipartStream, onPart: PartObserver, extensions: () => string | null = NOTHING) {
    this.#stream = stream
    this.#onPart = onPart
    this.#extensions = extensions
  }

  initial(result: InitialResult): void {
    this.#write(initialPayload(result, this.#extensions()), result, result.errors.length)
  }

  part(part: IncrementalPart): void {
    const { incremental, completed } = part
    let errors = completed.errors?.length ?? 0
    for (const entry of incremental) errors += entry.errors?.length ?? 0
    this.#pending.delete(completed.id)
    this.#write(partPayload(part, part.hasNext ? null : this.#extensions()), part, errors)
  }

  /** Completes with this error what is not delivered yet. false: no part was sent, so any other answer can be. */
  giveUp(code: string, message: string): boolean {
    if (this.#stream.parts === 0) return false
    for (const id of this.#pending) {
      this.part({
        incremental: [],
        completed: { id, errors: [{ message, extensions: { code } }] },
        pending: [],
        hasNext: this.#pending.size > 1,
      })
    }
    return true
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
