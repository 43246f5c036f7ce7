/** One subscription at a subgraph, and everybody who listens to it. */
import type { EventTurns } from '../reading/event-turns.ts'
import type { UpstreamEvents } from '../events.ts'
import type { OpenSource, UpstreamFailure, UpstreamListener } from '../upstream.ts'

/** The work of telling a listener, in bytes of JSON that are read in that time. */
const WORK_PER_LISTENER = 256

export type SharedSourceOptions = {
  readonly subgraph: string
  readonly turns: EventTurns
  readonly events: UpstreamEvents
  /** Opens the subscription. The listener is told nothing in the same turn. */
  readonly open: (listener: UpstreamListener) => OpenSource
  /** Called once, when nobody can join any more. */
  readonly onOver: () => void
}

/** One of those who listen. */
type Joined = {
  readonly listener: UpstreamListener
  /** The number of the last thing that was told before. */
  readonly since: number
}

/** Tells everybody who listens what the source sends. */
export class SharedSource implements UpstreamListener {
  readonly #options: SharedSourceOptions
  readonly #source: OpenSource
  readonly #joined = new Set<Joined>()
  /** The number of things that the source has told. */
  #told = 0
  #isOver = false

  constructor(options: SharedSourceOptions) {
    this.#options = options
    this.#source = options.open(this)
    options.events.sourceOpened(options.subgraph)
  }

  /** Lets somebody listen. They are told what comes after this. */
  join(listener: UpstreamListener): OpenSource {
    const { events, subgraph } = this.#options
    const joined = { listener, since: this.#told }
    this.#joined.add(joined)
    events.listenerJoined(subgraph)
    return { close: () => this.#leave(joined) }
  }

  event(body: unknown, bytes: number): void {
    const { turns, events, subgraph } = this.#options
    events.received(subgraph)
    turns.did(this.#joined.size * WORK_PER_LISTENER)
    this.#tell((listener) => listener.event(body, bytes))
  }

  reopened(): void {
    this.#tell((listener) => listener.reopened())
  }

  completed(): void {
    this.#tellLast((listener) => listener.completed())
  }

  failed(reason: UpstreamFailure): void {
    this.#tellLast((listener) => listener.failed(reason))
  }

  /** Ends the source. Nobody is told. */
  close(): void {
    const { events, subgraph } = this.#options
    for (const joined of this.#joined) {
      this.#joined.delete(joined)
      events.listenerLeft(subgraph)
    }
    this.#over()
    this.#source.close()
  }

  #leave(joined: Joined): void {
    const { events, subgraph } = this.#options
    if (!this.#joined.delete(joined)) return
    events.listenerLeft(subgraph)
    if (this.#joined.size > 0 || this.#isOver) return
    this.#over()
    this.#source.close()
  }

  /** Tells everybody who listens by now. Listeners may leave and join meanwhile. */
  #tell(tell: (listener: UpstreamListener) => void): void {
    const number = this.#told++
    for (const { listener, since } of this.#joined) if (since <= number) this.#call(tell, listener)
  }

  #tellLast(tell: (listener: UpstreamListener) => void): void {
    const { events, subgraph } = this.#options
    this.#over()
    for (const joined of this.#joined) {
      this.#joined.delete(joined)
      events.listenerLeft(subgraph)
      this.#call(tell, joined.listener)
    }
  }

  #call(tell: (listener: UpstreamListener) => void, listener: UpstreamListener): void {
    try {
      tell(listener)
    } catch (error) {
      this.#options.events.listenerFailed(this.#options.subgraph, error)
    }
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.events.sourceClosed(this.#options.subgraph)
    this.#options.onOver()
  }
}
