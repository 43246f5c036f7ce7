/** Reads the audit log of a registry page by page, in both directions. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AuditLog, type AuditRecord, MAX_AUDIT_RECORDS } from '@switchyard/contracts'
import { LocalRefusal, RegistryUnreachable } from '../run/errors.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

/** The most that clocks of registries may differ: records are in the order of the log, not of their times. */
const CLOCKS_DIFFER_MS = 10 * 60_000
const POLL_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** The registry, and the namespace whose records are asked for; undefined for all. */
export type AuditSource = {
  readonly registry: Pick<RegistryClient, 'get'>
  readonly namespace: string | undefined
}

type Range = {
  readonly order: 'oldest' | 'newest'
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** From where the log is followed, and until when. */
export type Follow = {
  readonly after: number
  readonly signal: AbortSignal
  /** Milliseconds until the registry is asked again after a last page; a second by default. */
  readonly pollMs?: number
}

/** Reads the newest records, newest first: so many at most, and none from before `since`. */
export async function newestRecords(
  source: AuditSource,
  { since, limit }: { readonly since: number | undefined; readonly limit: number },
): Promise<AuditLog> {
  const records: AuditRecord[] = []
  let end: number | null = null
  for (let before: number | undefined; ; ) {
    const page = await readPage(source, { order: 'newest', limit: limit - records.length, before })
    end ??= page.end
    const { last } = page
    for (const record of page.records) {
      const age = since === undefined ? 0 : since - Date.parse(record.time)
      if (age > CLOCKS_DIFFER_MS) return { records, last, more: false, end }
      if (age <= 0) records.push(record)
    }
    if (records.length === limit || !page.more) return { records, last, more: page.more, end }
    before = last
  }
}

/** Reads the records behind a sequence, oldest first: so many at most. */
export async function recordsAfter(
  source: AuditSource,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AuditLog> {
  const records: AuditRecord[] = []
  for (let last = after; ; ) {
    const page = await readPage(source, { order: 'oldest', after: last, limit: limit - records.length })
    refuseSetBack(page, last)
    records.push(...page.records)
    if (records.length === limit || !page.more) return { ...page, records }
    last = page.last
  }
}

/** Finds the sequence behind which all records are that were written since then, and the end of the log. */
export async function beginningOf(
  source: AuditSource,
  since: number,
): Promise<{ readonly after: number; readonly end: number }> {
  let end: number | null = null
  for (let before: number | undefined; ; ) {
    const page = await readPage(source, { order: 'newest', limit: MAX_AUDIT_RECORDS, before })
    end ??= page.end
    const older = page.records.find(({ time }) => since - Date.parse(time) > CLOCKS_DIFFER_MS)
    if (older !== undefined || !page.more) return { after: older?.sequence ?? 0, end }
    before = page.last
  }
}

/**
 * Yields the records behind a sequence, and then whatever comes, until the signal aborts. Goes on when a
 * registry that answered before can be reached again.
 */
export async function* followRecords(source: AuditSource, follow: Follow): AsyncGenerator<AuditRecord> {
  const { after, signal, pollMs = POLL_MS } = follow
  let pauseMs = 0
  for (let last = after, wasReached = false; !signal.aborted; ) {
    try {
      const page = await readPage(source, { order: 'oldest', after: last, limit: MAX_AUDIT_RECORDS })
      refuseSetBack(page, last)
      wasReached = true
      yield* page.records
      last = page.last
      pauseMs = page.more ? 0 : pollMs
    } catch (error) {
      if (signal.aborted) return
      if (!wasReached || !(error instanceof RegistryUnreachable)) throw error
      pauseMs = Math.min(2 * Math.max(pauseMs, pollMs), LONGEST_PAUSE_MS)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

async function readPage({ registry, namespace }: AuditSource, range: Range): Promise<AuditLog> {
  const { order, after, before, limit } = range
  const query = Object.entries({ order, after, before, namespace, limit: Math.min(limit, MAX_AUDIT_RECORDS) })
  const given = query.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return registry.get(`${apiPath('log')}?${given.join('&')}`, AuditLog)
}

/** Sequences of a log that was set back are given again, so that records would be missed in silence. */
function refuseSetBack({ end }: AuditLog, after: number): void {
  if (end >= after) return
  throw new LocalRefusal(
    'LOG_SET_BACK',
    `The log ends at sequence ${end}, before ${after}: it was set back to an earlier state, or it is another log. Begin again with a smaller --after.`,
  )
}
