/** The registry as this composer sees it: every namespace's state, and what was last done to each graph. */
import { namespaceOfSubject, RegistryRecord } from '@switchyard/contracts'
import { applyRecord, emptyNamespace } from '@switchyard/domain'
import type { NamespaceState } from '@switchyard/domain'
import { parsedRecord } from '@switchyard/event-log'
import type { LogEntry } from '@switchyard/event-log'

export type Affected = {
  readonly namespace: string
  readonly graphs: readonly string[]
  readonly sequence: number
  readonly traceparent: string | undefined
}

export class RegistryFold {
  readonly #states = new Map<string, NamespaceState>()
  /** Sequence of the last entry taken, of whatever subject. */
  sequence = 0

  /** Null for an entry that affects no graph. */
  apply(entry: LogEntry): Affected | null {
    const { subject, sequence } = entry
    const namespace = namespaceOfSubject(subject)
    if (namespace === null) {
      this.sequence = sequence
      return null
    }
    const record = parsedRecord(entry, RegistryRecord)
    const { state, outcome } = applyRecord(this.stateOf(namespace), record, sequence)
    this.#states.set(namespace, state)
    this.sequence = sequence
    if (outcome.kind === 'skipped' || outcome.affectedGraphs.length === 0) return null
    const { traceparent } = record
    return { namespace, graphs: outcome.affectedGraphs, sequence, traceparent }
  }

  stateOf(namespace: string): NamespaceState {
    return this.#states.get(namespace) ?? emptyNamespace(namespace)
  }
}
