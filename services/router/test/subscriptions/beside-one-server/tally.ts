/** Counts what a run beside one server has compared. */
import type { OracleAnswer } from '@switchyard/corpus'

export type TallyCounts = Readonly<Record<keyof typeof ZERO, number>>

const ZERO = {
  worlds: 0,
  events: 0,
  withErrors: 0,
  unauthorized: 0,
  denied: 0,
  shared: 0,
  lossy: 0,
  lost: 0,
  moved: 0,
  changed: 0,
}

export class Tally {
  /** Graphs that were served. */
  worlds = 0
  /** Events that clients got and that were compared. */
  events = 0
  /** Those that one server answers with errors. */
  withErrors = 0
  /** Those in which access rules keep something from their user. */
  unauthorized = 0
  /** Subscriptions whose users may not see the root field. */
  denied = 0
  /** Events whose results users with other tokens may share. */
  shared = 0
  /** Events that came while subgraphs failed. */
  lossy = 0
  /** Those of them that lack something. */
  lost = 0
  /** Subscriptions that went on under other access rules. */
  moved = 0
  /** Subscriptions that ended, since under other access rules their source would be another one. */
  changed = 0

  ended(isMoved: boolean): void {
    if (isMoved) this.moved++
    else this.changed++
  }

  event({
    isExact,
    isLossy,
    isShared,
    expected,
  }: {
    readonly isExact: boolean
    readonly isLossy: boolean
    readonly isShared: boolean
    readonly expected: OracleAnswer
  }): void {
    this.events++
    if (expected.messages.length > 0) this.withErrors++
    if (expected.messages.includes('UNAUTHORIZED_FIELD_OR_TYPE')) this.unauthorized++
    if (isShared) this.shared++
    if (isLossy) this.lossy++
    if (isLossy && !isExact) this.lost++
  }

  counts(): TallyCounts {
    const { worlds, events, withErrors, unauthorized, denied, shared, lossy, lost, moved, changed } = this
    return { worlds, events, withErrors, unauthorized, denied, shared, lossy, lost, moved, changed }
  }

  add(counts: TallyCounts): void {
    this.worlds += counts.worlds
    this.events += counts.events
    this.withErrors += counts.withErrors
    this.unauthorized += counts.unauthorized
    this.denied += counts.denied
    this.shared += counts.shared
    this.lossy += counts.lossy
    this.lost += counts.lost
    this.moved += counts.moved
    this.changed += counts.changed
  }

  toString(): string {
    const { worlds, events, withErrors, unauthorized, denied, shared, lossy, lost, moved, changed } = this
    return `${events} events of ${worlds} graphs: ${withErrors} with errors, ${unauthorized} of them by access rules; ${shared} for users with different tokens that are compared by decision; ${lossy} while subgraphs failed, of which ${lost} lack something; ${denied} subscriptions whose users may see nothing; ${moved} that went on under other access rules, and ${changed} that ended since they could not`
  }
}
