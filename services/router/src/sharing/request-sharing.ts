/**
 * Executions in flight that further requests may join, because they would be answered alike. Nothing is kept
 * of one that is over.
 */
import { type KeyedRequest, type SharingKey, sharingKey } from './sharing-key.ts'
import { type Member, type RunOf, SharedRun } from './shared-run.ts'

/** The executions in flight of a router. */
export class RequestSharing<Waiting extends Member> {
  readonly #propagated: readonly string[]
  readonly #isOn: boolean
  /** By text and context. */
  readonly #runs = new Map<string, Map<string, SharedRun<Waiting>>>()

  /** `propagated`: names of headers that rules hand on to subgraphs. */
  constructor(propagated: readonly string[], isOn: boolean) {
    this.#propagated = [...new Set(propagated.map((name) => name.toLowerCase()))].sort()
    this.#isOn = isOn
  }

  /** Texts of requests that others can join. */
  get texts(): number {
    return this.#runs.size
  }

  /** null: the request shares with nobody. */
  keyOf(text: string, request: KeyedRequest): SharingKey | null {
    return this.#isOn ? sharingKey(text, request, this.#propagated) : null
  }

  /** null: nothing is in flight that would answer it. */
  find({ text, context }: SharingKey): SharedRun<Waiting> | null {
    return this.#runs.get(text)?.get(context) ?? null
  }

  /** From now on others can join what is executed for `first`, in place of what could be joined before. */
  begin(key: SharingKey, first: Waiting, of: RunOf): SharedRun<Waiting> {
    const run = new SharedRun(first, of, () => this.#remove(key, run))
    const known = this.#runs.get(key.text)
    if (known === undefined) this.#runs.set(key.text, new Map([[key.context, run]]))
    else known.set(key.context, run)
    return run
  }

  #remove({ text, context }: SharingKey, run: SharedRun<Waiting>): void {
    const known = this.#runs.get(text)
    if (known?.get(context) !== run) return
    known.delete(context)
    if (known.size === 0) this.#runs.delete(text)
  }
}
