/** Keeps what pages show true, by what the live connection tells. */
import type { LiveEvent } from '@switchyard/contracts'
import type { QueryClient } from '@tanstack/react-query'
import { SESSION_KEY } from './use-api.ts'
import { type Asked, askedBy, concerns } from './live/concerns.ts'
import { GatheredEvents } from './live/gathered-events.ts'
import type { LiveState, LiveTold } from './live/live-connection.ts'
import { type LiveSource, openLive } from './live/open-live.ts'

type Figures = Extract<LiveEvent, { kind: 'figures' }>['graphs']

export class Live {
  readonly #client: QueryClient
  readonly #source: LiveSource
  readonly #listeners = new Set<() => void>()
  readonly #events = new GatheredEvents((events) =>
    this.#invalidate((asked) => events.some((event) => concerns(event, asked))),
  )
  #state: LiveState = { kind: 'connecting' }
  #figures: Figures = []

  constructor(client: QueryClient) {
    this.#client = client
    this.#source = openLive((told) => this.#hear(told))
  }

  /** Calls whenever `state` or `figures` is another one. Returns the end of it. */
  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }
  readonly state = (): LiveState => this.#state
  /** The figures of the last seconds; empty while the page is not live. */
  readonly figures = (): Figures => this.#figures

  /** Tells that this tab began or ended a session. */
  sessionChanged(): void {
    this.#source.sessionChanged()
  }

  #hear(told: LiveTold): void {
    if (told.kind === 'session') void this.#changeSession()
    else if (told.kind === 'state') this.#enter(told.state)
    else if (told.event.kind === 'figures') this.#show(told.event.graphs)
    else this.#events.add(told.event)
  }

  #enter(state: LiveState): void {
    const before = this.#state
    this.#state = state
    if (state.kind === 'live' && before.kind === 'connecting') {
      // What was read before the connection was there may have changed unheard.
      void this.#invalidate(() => true)
    }
    if (state.kind === 'signed-out') void this.#client.invalidateQueries({ queryKey: SESSION_KEY })
    this.#show(state.kind === 'live' ? this.#figures : [])
  }

  #show(figures: Figures): void {
    this.#figures = figures
    for (const changed of this.#listeners) changed()
  }

  async #changeSession(): Promise<void> {
    await this.#client.invalidateQueries({ queryKey: SESSION_KEY })
    const others = {
      predicate: ({ queryKey: [first] }: { queryKey: readonly unknown[] }) => first === 'read',
    }
    const isSignedIn = this.#client.getQueryData(SESSION_KEY) !== null
    // What was read belongs to whoever read it.
    if (isSignedIn) await this.#client.resetQueries(others)
    else this.#client.removeQueries(others)
  }

  #invalidate(isOld: (asked: Asked) => boolean): Promise<void> {
    return this.#client.invalidateQueries({
      predicate: ({ queryKey }) => {
        const asked = askedBy(queryKey)
        return asked !== null && isOld(asked)
      },
      // A page that nobody sees reads again when it is shown.
      refetchType: document.visibilityState === 'hidden' ? 'none' : 'active',
    })
  }
}
