/**
 * Keeps the executions in flight that further requests may join, because they would be answered alike.
 * Nothing is kept of an execution that is over.
 */
import { InFlightTable, type SharingKey } from './in-flight-table.ts'
import type { SeenHeaders } from '../../headers/seen-headers.ts'
import { type KeyedRequest, sharingKey } from './sharing-key.ts'
import { type Member, type RunOf, SharedRun } from './shared-run.ts'

/**
 * The part of the shortest time limit of a subgraph during which a request may join an execution. A call that
 * takes longer than its limit fails all requests that wait for it, so a request that joined has up to a tenth
 * less time than one that is executed by itself.
 */
export const JOINABLE_PART = 0.1

/** The settings of sharing. */
export type SharingLimits = {
  readonly isOn: boolean
  /** Headers that are handed on to subgraphs, by rules or as `OTEL_PROPAGATORS` says. */
  readonly forwarded: SeenHeaders
  /** The shortest time limit of a call of a subgraph, in milliseconds. */
  readonly timeout: number
}

/** The executions in flight of a router. */
export class RequestSharing<Waiting extends Member> {
  readonly #forwarded: SeenHeaders
  readonly #isOn: boolean
  /** How long after its beginning an execution can be joined, in milliseconds. */
  readonly #joinableFor: number
  readonly #runs = new InFlightTable<SharedRun<Waiting>>()

  constructor({ forwarded, isOn, timeout }: SharingLimits) {
    this.#forwarded = forwarded
    this.#isOn = isOn
    this.#joinableFor = timeout * JOINABLE_PART
  }

  /** Returns the key of a request. Null if the request shares with no other one. */
  keyOf(text: string, request: KeyedRequest): SharingKey | null {
    return this.#isOn ? sharingKey(text, request, this.#forwarded) : null
  }

  /**
   * Returns an execution that the request can join. Null if none would answer it, or it was begun too long
   * ago.
   */
  find(key: SharingKey): SharedRun<Waiting> | null {
    const run = this.#runs.find(key)
    return run === null || run.age > this.#joinableFor ? null : run
  }

  /** Lets others join the execution that answers `first` from now on. It replaces one with the same key. */
  begin(key: SharingKey, first: Waiting, of: RunOf): SharedRun<Waiting> {
    const run: SharedRun<Waiting> = new SharedRun(first, of, () => this.#runs.remove(inFlight))
    const inFlight = this.#runs.add(key, run)
    return run
  }
}
