/**
 * A connection of `GET /v1/live` that comes back by itself, and asks for what happened in between. It runs in
 * a worker of all tabs, or in the one tab that has it for the others.
 */
import type { LiveEvent, Problem } from '@switchyard/contracts'

export type LiveState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | {
      readonly kind: 'reconnecting'
      /** Unix milliseconds. */
      readonly since: number
      /** Why the registry refused the last attempt; null if it did not answer. */
      readonly refusal: string | null
    }
  | { readonly kind: 'signed-out' }

export type LiveTold =
  /** `id`: the sequence after which another connection goes on. */
  | { readonly kind: 'event'; readonly event: LiveEvent; readonly id: string }
  | { readonly kind: 'state'; readonly state: LiveState }
  /** Another tab began or ended a session. */
  | { readonly kind: 'session' }

const LIVE = '/v1/live'
const SESSION = '/v1/session'
const KINDS: readonly LiveEvent['kind'][] = ['hello', 'changed', 'composed', 'published', 'fleet', 'figures']
/** Figures come every 5 s, so a connection that is silent for this long has ended without a word. */
const SILENT_MS = 20_000
/** The first wait before another attempt, which doubles up to the longest one. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export class LiveConnection {
  readonly #tell: (told: LiveTold) => void
  #state: LiveState = { kind: 'connecting' }
  #source: EventSource | null = null
  /** The silence of the source, or the wait for another one. */
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastId: string
  #failures = 0

  /** `lastId` is empty, or the id of the last event of the connection that this one follows. */
  constructor(tell: (told: LiveTold) => void, lastId = '') {
    this.#tell = tell
    this.#lastId = lastId
    this.#open()
  }

  get state(): LiveState {
    return this.#state
  }

  /** Connects anew, since a session has begun or ended. It may read other things than the one before. */
  restart(): void {
    this.#lastId = ''
    this.#failures = 0
    this.#become({ kind: 'connecting' })
    this.#open()
  }

  #open(): void {
    this.#close()
    const source = new EventSource(
      this.#lastId === '' ? LIVE : `${LIVE}?after=${encodeURIComponent(this.#lastId)}`,
    )
    this.#source = source
    for (const kind of KINDS) {
      source.addEventListener(kind, (message: MessageEvent<string>) => this.#take(kind, message))
    }
    source.addEventListener('error', () => void this.#lost(source))
    this.#watch()
  }

  #take(kind: LiveEvent['kind'], { data, lastEventId }: MessageEvent<string>): void {
    this.#watch()
    this.#failures = 0
    if (lastEventId !== '') this.#lastId = lastEventId
    // The registry's own words, of the same version as the page.
    const event: LiveEvent = { kind, ...JSON.parse(data) }
    if (kind === 'hello') this.#become({ kind: 'live' })
    this.#tell({ kind: 'event', event, id: this.#lastId })
  }

  /** The browser would try again by itself, but tells nobody when, nor why it gives up. */
  async #lost(source: EventSource): Promise<void> {
    if (this.#source !== source) return
    // The browser gives up where there was an answer that is no stream of events.
    const isRefused = source.readyState === EventSource.CLOSED
    this.#close()
    const before = this.#state
    this.#become(
      before.kind === 'reconnecting' ? before : { kind: 'reconnecting', since: Date.now(), refusal: null },
    )
    const isSignedOut = await hasNoSession()
    const refusal = isRefused && !isSignedOut ? await refusalOf() : null
    if (this.#source !== null || this.#state.kind !== 'reconnecting') return
    if (isSignedOut) return this.#become({ kind: 'signed-out' })
    if (refusal !== this.#state.refusal) this.#become({ ...this.#state, refusal })
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures)
    this.#failures++
    clearTimeout(this.#timer)
    // Browsers of one registry come back at different moments.
    this.#timer = setTimeout(() => this.#open(), wait * (0.5 + Math.random()))
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const source = this.#source
    if (source !== null) this.#timer = setTimeout(() => void this.#lost(source), SILENT_MS)
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #become(state: LiveState): void {
    if (state === this.#state) return
    this.#state = state
    this.#tell({ kind: 'state', state })
  }
}

/** Asks once more, since a source of events tells nobody what it was answered. */
async function refusalOf(): Promise<string | null> {
  const ended = new AbortController()
  try {
    const init = { cache: 'no-store', credentials: 'same-origin', signal: ended.signal } as const
    const response = await fetch(LIVE, init)
    if (response.ok) return null
    const problem: Partial<Problem> = await response.json()
    return problem.code === 'TOO_MANY_LIVE_CONNECTIONS'
      ? 'too many pages and programs follow this registry. Close those that nobody needs'
      : (problem.detail ?? `the registry answered with the status ${response.status}`)
  } catch {
    return null
  } finally {
    ended.abort()
  }
}

/** Whether the registry says that nobody is signed in. It says nothing while it cannot be reached. */
async function hasNoSession(): Promise<boolean> {
  try {
    const { status } = await fetch(SESSION, { cache: 'no-store', credentials: 'same-origin' })
    return status === 401
  } catch {
    return false
  }
}
