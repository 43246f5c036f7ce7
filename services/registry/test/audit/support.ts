/** Keys, pages of the audit log, and records that are written past the registry. */
import {
  AuditLog,
  type AuditRecord,
  CreatedApiKey,
  type RegistryEvent,
  RegistryRecord,
  registrySubject,
  SYSTEM_SUBJECT,
  type SystemEvent,
} from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { expect } from 'vitest'
import { BOOTSTRAP_KEY, type Client, outcome, type Reply } from '../harness.ts'

export async function createKey(client: Client, name: string, ...scopes: string[]): Promise<string> {
  const reply = await client.post('/v1/api-keys', { name, scopes })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return CreatedApiKey.parse(reply.body).key
}

export function askLog(client: Client, query = '', key = BOOTSTRAP_KEY): Promise<Reply> {
  return client.request('GET', `/v1/log${query}`, { headers: { authorization: `Bearer ${key}` } })
}

export async function readLog(client: Client, query = '', key = BOOTSTRAP_KEY): Promise<AuditLog> {
  const { status, body } = await askLog(client, query, key)
  expect(status, JSON.stringify(body)).toBe(200)
  return AuditLog.parse(body)
}

export type Walk = {
  readonly order: 'oldest' | 'newest'
  readonly limit: () => number
  readonly namespace?: string
  readonly key?: string
}

/** All pages, as somebody reads them who knows nothing but the answers. */
export async function walkLog(client: Client, walk: Walk): Promise<readonly AuditRecord[]> {
  const { order, limit, namespace, key } = walk
  const records: AuditRecord[] = []
  for (let bound = ''; ; ) {
    const filter = namespace === undefined ? '' : `&namespace=${namespace}`
    const query = `?order=${order}&limit=${limit()}${filter}${bound}`
    const { more, last, ...page } = await readLog(client, query, key)
    records.push(...page.records)
    if (!more) return records
    bound = `&${order === 'oldest' ? 'after' : 'before'}=${last}`
  }
}

export function sequencesOf(records: readonly AuditRecord[]): readonly number[] {
  return records.map(({ sequence }) => sequence)
}

/** Writes records as a registry would, far faster: each decided on the one before it. */
export class LogWriter {
  readonly #log: EventLog
  readonly #last = new Map<string, { readonly end: number; readonly applied: number }>()
  #count = 0

  constructor(log: EventLog) {
    this.#log = log
  }

  async write(
    namespace: string | null,
    events: readonly (RegistryEvent | SystemEvent)[],
    more: Partial<RegistryRecord> = {},
  ): Promise<number> {
    const subject = subjectOf(namespace)
    const { end, applied } = await this.#lastOf(subject)
    this.#count += 1
    const record = {
      v: 1,
      commandId: `written-${this.#count}`,
      actor: 'system',
      time: '2026-03-02T09:00:00.000Z',
      after: applied,
      events,
      ...more,
    }
    const sequence = await this.#log.append(subject, record, end)
    this.#last.set(subject, { end: sequence, applied: record.after === applied ? sequence : applied })
    return sequence
  }

  /** Writes something that no version has written. */
  async writeNonsense(namespace: string | null): Promise<number> {
    const subject = subjectOf(namespace)
    const { end, applied } = await this.#lastOf(subject)
    const sequence = await this.#log.append(subject, { nonsense: true }, end)
    this.#last.set(subject, { end: sequence, applied })
    return sequence
  }

  async #lastOf(subject: string) {
    const known = this.#last.get(subject)
    if (known !== undefined) return known
    const last = await this.#log.last({ kind: 'subject', subject })
    return { end: last?.sequence ?? 0, applied: last?.sequence ?? 0 }
  }
}

function subjectOf(namespace: string | null): string {
  return namespace === null ? SYSTEM_SUBJECT : registrySubject(namespace)
}

export const FLAG = { name: 'new', featureSubgraphs: ['orders-next'] }

export async function publish(client: Client, field: string, reason?: string): Promise<number> {
  const body = { sdl: `type Query { ${field}: Int }`, ...(reason === undefined ? {} : { reason }) }
  return outcome(await client.put('/v1/subgraphs/default/orders/schema?wait=0', body)).sequence
}
