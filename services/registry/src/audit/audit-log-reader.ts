/**
 * Reads pages of the audit log. A page is written as text record by record, in turns of a few milliseconds,
 * since other requests share the event loop. It ends early when it is long, however many records were asked
 * for.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AuditLog, registrySubject, SYSTEM_SUBJECT } from '@switchyard/contracts'
import { apiKeyNames, type SystemState } from '@switchyard/domain'
import type { EventLog, LogEntry, LogFilter } from '@switchyard/event-log'
import type { IndexedRecord } from '../reading/record-index.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import type { RevisionHistory } from '../reading/revision-history.ts'
import { auditRecord } from './audit-record.ts'
import { choosePage, type PageQuestion } from './choose-page.ts'

/** Characters of JSON after which a page ends. A record has at most 256 KiB. */
const MOST_CHARACTERS = 1024 * 1024
/** Records that are read at once. The most that they can be is 12 MB. */
const BATCH = 50
const TURN_MS = 5

export type AuditLogOptions = {
  readonly log: EventLog
  readonly fold: RegistryReader
  readonly revisions: RevisionHistory
}

export class AuditLogReader {
  readonly #options: AuditLogOptions
  /** Names of API keys, made once for each state of the keys. */
  readonly #keyNames = new WeakMap<SystemState, ReadonlyMap<string, string>>()

  constructor(options: AuditLogOptions) {
    this.#options = options
  }

  /** Returns a page as JSON text: an `AuditLog`. */
  async page(question: PageQuestion): Promise<string> {
    const { fold, revisions } = this.#options
    const { records, ...chosen } = choosePage(fold.records, question)
    const sources = { fold, revisions, keyNames: this.#namesOf(fold.system) }
    const turn = new Turn()
    const texts: string[] = []
    let characters = 0
    for (let start = 0; start < records.length; start += BATCH) {
      const batch = records.slice(start, start + BATCH)
      const entries = await this.#read(batch, question.scope.isWholeLog, turn)
      for (const [index, { sequence, namespace }] of batch.entries()) {
        await turn.pause()
        const text = JSON.stringify(auditRecord(sources, namespace, found(entries, sequence)))
        texts.push(text)
        characters += text.length
        const isLast = start + index === records.length - 1
        if (characters >= MOST_CHARACTERS && !isLast)
          return pageText(texts, { ...chosen, last: sequence, more: true })
      }
    }
    return pageText(texts, chosen)
  }

  #namesOf(system: SystemState): ReadonlyMap<string, string> {
    const names = this.#keyNames.get(system) ?? apiKeyNames(system)
    this.#keyNames.set(system, names)
    return names
  }

  /** Reads records by one walk over the log, or over that of each namespace. */
  async #read(
    records: readonly IndexedRecord[],
    isWholeLog: boolean,
    turn: Turn,
  ): Promise<ReadonlyMap<number, LogEntry>> {
    const entries = new Map<number, LogEntry>()
    const groups = Map.groupBy(records, ({ namespace }) => (isWholeLog ? null : namespace))
    for (const [namespace, group] of groups) {
      const wanted = new Set(group.map(({ sequence }) => sequence))
      const filter = isWholeLog ? ({ kind: 'log', log: 'registry' } as const) : subjectOf(namespace)
      const last = Math.max(...wanted)
      for await (const entry of this.#options.log.read(filter, Math.min(...wanted))) {
        if (wanted.has(entry.sequence)) entries.set(entry.sequence, entry)
        if (entry.sequence >= last) break
        await turn.pause()
      }
    }
    return entries
  }
}

/** Work in turns of the event loop, none of which is much longer than 5 ms. */
class Turn {
  #began = performance.now()

  async pause(): Promise<void> {
    if (performance.now() - this.#began < TURN_MS) return
    await nextTurn()
    this.#began = performance.now()
  }
}

function subjectOf(namespace: string | null): LogFilter {
  return { kind: 'subject', subject: namespace === null ? SYSTEM_SUBJECT : registrySubject(namespace) }
}

function found(entries: ReadonlyMap<number, LogEntry>, sequence: number): LogEntry {
  const entry = entries.get(sequence)
  if (entry === undefined)
    throw new Error(`the record at sequence ${sequence} was folded and is not in the log`)
  return entry
}

function pageText(records: readonly string[], { last, more, end }: Omit<AuditLog, 'records'>): string {
  return `{"records":[${records.join(',')}],"last":${last},"more":${more},"end":${end}}`
}
