/** `chooseOnlyGraph` as something that a router can look at and listen to. */
import type { GraphName } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { chooseOnlyGraph } from './choose-graph.ts'

export type CurrentChoice = GraphName | { readonly waitingFor: string }

export class OnlyGraph implements AsyncDisposable {
  readonly #stop = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #following: Promise<void>
  #current: CurrentChoice = { waitingFor: 'the list of federated graphs is being read' }

  /**
   * Begins to follow the log. `onError` is called if it cannot be read before there is a choice, which ends
   * the search for a graph.
   */
  constructor(log: EventLog, onError: (error: unknown) => void) {
    this.#following = this.#follow(log).catch((error: unknown) => {
      if (this.#stop.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      this.#become({ waitingFor: `the list of federated graphs cannot be read: ${reason}` })
      onError(error)
    })
  }

  current(): CurrentChoice {
    return this.#current
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  async #follow(log: EventLog): Promise<void> {
    const onWaiting = (waitingFor: string) => this.#become({ waitingFor })
    const graph = await chooseOnlyGraph({ log, signal: this.#stop.signal, onWaiting })
    if (graph !== null) this.#become(graph)
  }

  #become(current: CurrentChoice): void {
    this.#current = current
    for (const listener of this.#listeners) listener()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#following
  }
}
