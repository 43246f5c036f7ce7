/**
 * Decides when the config log of one graph begins a new epoch. Routers take nothing older than what they
 * serve, so a log that was set back could publish for days what no router takes. A manifest of a later epoch
 * is newer than all that routers have.
 *
 * A log was set back if an import says so, or if a router serves a version that the log does not have and
 * would not take the log's newest one.
 */
import { isManifestOf } from '@switchyard/contracts'
import type { RouterHeartbeat } from '@switchyard/contracts'
import { compareVersions } from '@switchyard/config-store'
import type { Revision } from '../log/config-log.ts'

/** The least milliseconds between two new epochs of a graph that begin because of what routers say. */
const BEGUN_AT_MOST_EVERY_MS = 60_000
/**
 * An epoch is a time, in milliseconds, and none of a router's is further in the future than this: numbers
 * that nothing can be greater than would end all publishing.
 */
const FARTHEST_MS = 100 * 365 * 24 * 60 * 60 * 1000

export class Epochs {
  readonly #now: () => number
  /** The heartbeat of the router that serves the latest version unknown to the log. Null if there is none. */
  #ahead: RouterHeartbeat | null = null
  #latest = 0
  #begunAt = -Infinity

  /** Creates the epochs. `now` returns Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Notes a router that serves a version unknown to the log. `believed` is true if it proved to be a router.
   */
  heard(heartbeat: RouterHeartbeat, believed: boolean): void {
    if (heartbeat.epoch > this.#now() + FARTHEST_MS) return
    this.#latest = Math.max(this.#latest, heartbeat.epoch)
    if (!believed) return
    if (this.#ahead === null || compareVersions(heartbeat, this.#ahead) >= 0) this.#ahead = heartbeat
  }

  /** True if a new epoch is due, so that a revision is to be published for that alone. */
  isDue(last: Revision): boolean {
    return last.record.imported === true || this.#isOutrun(last)
  }

  /** Later than all that is known of the graph. */
  next(last: Revision | null): number {
    return Math.max(this.#now(), (last?.record.epoch ?? 0) + 1, this.#latest + 1)
  }

  /** Takes note that an epoch was begun. */
  begun(): void {
    this.#begunAt = performance.now()
    this.#ahead = null
  }

  #isOutrun(last: Revision): boolean {
    const ahead = this.#ahead
    if (ahead === null || compareVersions(ahead, last.record) < 0 || isManifestOf(last.identity, ahead)) {
      return false
    }
    return performance.now() - this.#begunAt >= BEGUN_AT_MOST_EVERY_MS
  }
}
