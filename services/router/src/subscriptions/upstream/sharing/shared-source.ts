/** One subscription at a subgraph, and everybody who listens to it. */
import type { EventTurns } from '../reading/event-turns.ts'
import type { FanOut } from '../../turns/fan-out.ts'
import type { UpstreamEvents } from '../events.ts'
import type { OpenSource, UpstreamFailure, UpstreamListener } from '../upstream.ts'

/** Listeners that are told something in one turn of the event loop. */
const FEW = 16

/** The work of telling a listener, in bytes of JSON that are read in that time. */
const WORK_PER_LISTENER = 256

export type SharedSourceOptions = {
  readonly subgraph: string
  readonly turns: EventTurns
  readonly fanOut: FanOut
  readonly events: UpstreamEvents
  /** Opens the subscription. The listener is told nothing in the same turn. */
  readonly open: (listener: UpstreamListener) => OpenSource
  /** Called once, when nobody can join any more. */
  readonly onOver: () => void
}

/** Something that the source has said, and those who have not been told yet. */
type Saying = {
  readonly tell: (listener: UpstreamListener) => void
  readonly number: number
  /** Whether it is the end of the source. */
  readonly isLast: boolean
  readonly left: Iterator<Joined>
}

/** One of those who listen. */
class Joined implements OpenSource {
  readonly listener: UpstreamListener
  /** The number of the last thing that was told before. */
  readonly since: number
  readonly #source: SharedSource

  constructor(listener: UpstreamListener, since: number, source: SharedSource) {
    this.listener = listener
    this.since = since
    this.#source = source
  }

  close(): void {
    this.#source.leave(this)
  }
}

/** Tells everybody who listens what the source sends. */
export class SharedSource implements UpstreamListener {
  readonly #options: SharedSourceOptions
  readonly #source: OpenSource
  readonly #joined = new Set<Joined>()
  /** The number of things that the source has told. */
  #told = 0
  /** Sayings that not everybody has heard, in their order. */
  readonly #sayings: Saying[] = []
  #isOver = false

  constructor(options: SharedSourceOptions) {
    this.#options = options
    this.#source = options.open(this)
    options.events.sourceOpened(options.subgraph)
  }

  /** Lets somebody listen. They are told what comes after this. */
  join(listener: UpstreamListener): OpenSource {
    const { events, subgraph } = this.#options
    const joined = new Joined(listener, this.#told, this)
    this.#joined.add(joined)
    events.listenerJoined(subgraph)
    return joined
  }

  event(body: unknown, bytes: number): void {
    const { turns, events, subgraph } = this.#options
    events.received(subgraph)
    turns.did(this.#joined.size * WORK_PER_LISTENER)
    this.#say((listener) => listener.event(body, bytes))
  }

  reopened(): void {
    this.#say((listener) => listener.reopened())
  }

  completed(): void {
    this.#over()
    this.#say((listener) => listener.completed(), true)
  }

  failed(reason: UpstreamFailure): void {
    this.#over()
    this.#say((listener) => listener.failed(reason), true)
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

  /** Somebody who joined listens no more. */
  leave(joined: Joined): void {
    const { events, subgraph } = this.#options
    if (!this.#joined.delete(joined)) return
    events.listenerLeft(subgraph)
    if (this.#joined.size > 0 || this.#isOver) return
    this.#over()
    this.#source.close()
  }

  /** Tells everybody who listens by now. Listeners may leave and join meanwhile. */
  #say(tell: (listener: UpstreamListener) => void, isLast = false): void {
    const number = this.#told++
    this.#sayings.push({ tell, number, isLast, left: this.#joined.values() })
    // Everybody hears what was said before first.
    if (this.#sayings.length > 1) return
    if (this.#joined.size <= FEW) {
      while (this.#tellNext());
      return
    }
    const { turns, fanOut } = this.#options
    const telling = turns.whileTelling()
    fanOut.add(() => {
      const isMore = this.#tellNext()
      if (!isMore) telling[Symbol.dispose]()
      return isMore
    })
  }

  /** Tells one listener. Returns whether there is more to tell. */
  #tellNext(): boolean {
    const [saying] = this.#sayings
    if (saying === undefined) return false
    const { value: joined, done } = saying.left.next()
    if (done === true) {
      this.#sayings.shift()
      return this.#sayings.length > 0
    }
    if (joined.since > saying.number) return true
    const { events, subgraph } = this.#options
    if (saying.isLast && this.#joined.delete(joined)) events.listenerLeft(subgraph)
    try {
      saying.tell(joined.listener)
    } catch (error) {
      events.listenerFailed(subgraph, error)
    }
    return true
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.events.sourceClosed(this.#options.subgraph)
    this.#options.onOver()
  }
}
