/**
 * The public keys that check trace tokens, as the registry's own fold of the system records has them; every
 * manifest holds them.
 */
import { type Jwks, SystemRecord } from '@switchyard/contracts'
import { applySystemRecord, emptySystem } from '@switchyard/domain'
import { type LogEntry, parsedRecord } from '@switchyard/event-log'

export class PublicTraceKeys {
  #system = emptySystem()

  /** Returns whether the keys changed. */
  apply(entry: LogEntry): boolean {
    const before = this.#system.traceKeys
    this.#system = applySystemRecord(this.#system, parsedRecord(entry, SystemRecord), entry.sequence)
    return this.#system.traceKeys !== before
  }

  /** The public keys, sorted by key id so that equal sets are equal lists. */
  get jwks(): Jwks {
    const keys = this.#system.traceKeys.values().map(({ jwk }) => jwk)
    return { keys: keys.toSorted((a, b) => (a.kid < b.kid ? -1 : a.kid > b.kid ? 1 : 0)) }
  }
}
