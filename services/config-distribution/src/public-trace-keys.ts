/** The public keys that check trace tokens: a fold of the system records, put into every manifest. */
import { SystemRecord } from '@switchyard/contracts'
import type { Jwks } from '@switchyard/contracts'
import { parsedRecord } from '@switchyard/event-log'
import type { LogEntry } from '@switchyard/event-log'

export class TraceKeys {
  readonly #keys = new Map<string, Jwks['keys'][number]>()
  readonly #commands = new Set<string>()
  #applied = 0
  /** Sequence of the last record seen, applied or not. */
  seen = 0

  /** Returns whether the keys changed. Follows the rules of the registry's fold: lost races and repeats are skipped. */
  apply(entry: LogEntry): boolean {
    const { after, commandId, events } = parsedRecord(entry, SystemRecord)
    const { sequence } = entry
    this.seen = sequence
    if (after !== this.#applied || this.#commands.has(commandId)) return false
    this.#applied = sequence
    this.#commands.add(commandId)
    let changed = false
    for (const event of events) {
      if (event.type === 'trace-key.created') {
        this.#keys.set(event.jwk.kid, event.jwk)
        changed = true
      } else if (event.type === 'trace-key.retired') {
        changed = this.#keys.delete(event.kid) || changed
      }
    }
    return changed
  }

  /** By key id, so that equal sets are equal texts. */
  get jwks(): Jwks {
    const keys = [...this.#keys.values()]
    return { keys: keys.sort((a, b) => (a.kid < b.kid ? -1 : a.kid > b.kid ? 1 : 0)) }
  }
}
