/**
 * Keeps usage: a value for each hour of a graph, one for each day that is over, and one for its documents.
 * Days are sums of their hours, so that a month is read in 30 steps. Writes are compared and set, since
 * several registries hear the same messages.
 */
import { decodeToken, encodeToken, type GraphName, type RouterUsage } from '@switchyard/contracts'
import { type KeyValueStore, MAX_VALUE_BYTES } from '@switchyard/event-log'
import { type BlockData, packed, readBlock } from './block-data.ts'
import { MINUTES_PER_HOUR, UsageBlock } from './usage-block.ts'
import { UsedDocuments } from './used-documents.ts'

export const HOUR_MS = 60 * 60_000
export const DAY_MS = 24 * HOUR_MS
const HOURS_PER_DAY = 24
/** Messages that came so long before a registry wrote last are written. */
const WRITTEN_WITHIN_MS = 10 * 60_000
/** How far the figures of the last minutes reach. */
const FIGURES_MS = 2 * HOUR_MS
/** Messages are taken for this long after their minute; afterwards the sums of days stay as they are. */
export const TAKEN_HOURS = 24
/** Values that are read at a time. */
const AT_A_TIME = 16
const MOST_ATTEMPTS = 20

/** A value that is too large to be kept. */
export class UsageTooLargeError extends Error {}

export type UsageStoreOptions = {
  readonly values: KeyValueStore
  /** Days that usage is kept. */
  readonly days: number
  /** Unix milliseconds. */
  readonly now: () => number
}

export class UsageStore {
  readonly #values: KeyValueStore
  readonly #now: () => number
  readonly days: number

  constructor({ values, days, now }: UsageStoreOptions) {
    this.#values = values
    this.#now = now
    this.days = days
  }

  /** Changes an hour of a graph. `change` returns whether there is anything to write. */
  async update(graph: GraphName, hour: number, change: (block: UsageBlock) => boolean): Promise<void> {
    await this.#change(keyOf('hour', graph, hour), async (bytes) => {
      const block =
        bytes === null ? new UsageBlock(hour * MINUTES_PER_HOUR) : UsageBlock.of(await readBlock(bytes))
      return change(block) ? packed(block.data()) : null
    })
  }

  async addDocuments(graph: GraphName, told: RouterUsage['documents']): Promise<void> {
    const day = Math.floor(this.#now() / DAY_MS)
    await this.#change(keyOf('documents', graph), async (bytes) => {
      const documents = bytes === null ? new UsedDocuments() : await UsedDocuments.read(bytes)
      const isNew = told.map((document) => documents.add(document, day)).some(Boolean)
      return isNew ? documents.packed(day - this.days - 1) : null
    })
  }

  async documents(graph: GraphName): Promise<UsedDocuments> {
    const found = await this.#values.get(keyOf('documents', graph))
    return found === null ? new UsedDocuments() : UsedDocuments.read(found.bytes)
  }

  /** Notes that a registry listened in this minute. */
  async listened(minute: number): Promise<void> {
    const day = Math.floor(minute / MINUTES_PER_HOUR / HOURS_PER_DAY)
    const place = minute - day * HOURS_PER_DAY * MINUTES_PER_HOUR
    await this.#change(`listened.${day}`, async (bytes) => {
      const bits = Uint8Array.from(bytes ?? new Uint8Array((HOURS_PER_DAY * MINUTES_PER_HOUR) / 8))
      const before = bits[place >> 3] ?? 0
      const after = before | (1 << (place & 7))
      bits[place >> 3] = after
      return after === before ? null : bits
    })
  }

  /**
   * The time (Unix ms) from which messages are to be read: what came before is written, and figures of the
   * last two hours are made of them. Null if nothing was written yet.
   */
  async beginning(): Promise<number | null> {
    const keys = await this.#values.keys('listened')
    const days = keys.map((key) => Number(key.split('.')[1])).sort((a, b) => b - a)
    const [day] = days
    if (day === undefined) return null
    const bits = (await this.#values.get(`listened.${day}`))?.bytes ?? new Uint8Array()
    let last = HOURS_PER_DAY * MINUTES_PER_HOUR - 1
    while (last > 0 && ((bits[last >> 3] ?? 0) & (1 << (last & 7))) === 0) last -= 1
    const written = day * DAY_MS + last * 60_000 - WRITTEN_WITHIN_MS
    return Math.min(written, this.#now() - FIGURES_MS)
  }

  /** Counts the minutes of a window in which a registry listened. Both are Unix time in minutes. */
  async heardMinutes(from: number, to: number): Promise<number> {
    const perDay = HOURS_PER_DAY * MINUTES_PER_HOUR
    let heard = 0
    for (let day = Math.floor(from / perDay); day * perDay < to; day += 1) {
      const bits = (await this.#values.get(`listened.${day}`))?.bytes
      if (bits === undefined) continue
      const end = Math.min(to, (day + 1) * perDay)
      for (let minute = Math.max(from, day * perDay); minute < end; minute += 1) {
        const place = minute - day * perDay
        heard += ((bits[place >> 3] ?? 0) >> (place & 7)) & 1
      }
    }
    return heard
  }

  /** The usage of a graph in whole hours, Unix time in hours: days where they are whole, else hours. */
  async *blocks(
    graph: GraphName,
    from: number,
    to: number,
    { byHour = false } = {},
  ): AsyncIterable<BlockData> {
    const days = new Set(byHour ? [] : await this.#numbersOf('day', graph))
    const hours = await this.#numbersOf('hour', graph)
    const wanted = hours.filter((hour) => hour >= from && hour < to)
    const isWhole = (day: number): boolean =>
      days.has(day) && day * HOURS_PER_DAY >= from && (day + 1) * HOURS_PER_DAY <= to
    const keys = new Set(
      wanted.map((hour) => {
        const day = Math.floor(hour / HOURS_PER_DAY)
        return isWhole(day) ? keyOf('day', graph, day) : keyOf('hour', graph, hour)
      }),
    )
    const list = [...keys]
    for (let at = 0; at < list.length; at += AT_A_TIME) {
      const found = await Promise.all(list.slice(at, at + AT_A_TIME).map((key) => this.#values.get(key)))
      for (const value of found) if (value !== null) yield readBlock(value.bytes)
    }
  }

  /** Adds up the days that are over, and deletes what is older than the retention. */
  async maintain(): Promise<void> {
    const now = this.#now()
    const oldest = Math.floor(now / DAY_MS) - this.days - 1
    for (const key of await this.#values.keys('listened'))
      if (Number(key.split('.')[1]) < oldest) await this.#values.delete(key)
    const days = new Set(await this.#values.keys('day'))
    const due = new Map<
      string,
      { readonly graph: GraphName; readonly day: number; readonly hours: number[] }
    >()
    for (const key of await this.#values.keys('hour')) {
      const { graph, number: hour } = parsedKey(key) ?? { graph: null, number: 0 }
      const day = Math.floor(hour / HOURS_PER_DAY)
      if (graph === null || day < oldest) {
        await this.#values.delete(key)
        continue
      }
      const isOver = now >= (day + 1) * DAY_MS + (TAKEN_HOURS + 1) * HOUR_MS
      const dayKey = keyOf('day', graph, day)
      if (!isOver || days.has(dayKey)) continue
      const { hours } = due.get(dayKey) ?? { hours: [] }
      due.set(dayKey, { graph, day, hours: [...hours, hour] })
    }
    for (const key of days) if ((parsedKey(key)?.number ?? 0) < oldest) await this.#values.delete(key)
    for (const [key, { graph, day, hours }] of due) await this.#addUp(key, graph, day, hours)
  }

  async #addUp(key: string, graph: GraphName, day: number, hours: readonly number[]): Promise<void> {
    const block = new UsageBlock(day * HOURS_PER_DAY * MINUTES_PER_HOUR)
    for (const hour of hours) {
      const found = await this.#values.get(keyOf('hour', graph, hour))
      if (found !== null) block.absorbHour(await readBlock(found.bytes))
    }
    const bytes = await packed(block.data())
    // A day that is too large is read by its hours.
    if (bytes.length <= MAX_VALUE_BYTES) await this.#values.set(key, bytes, 0)
  }

  async #numbersOf(kind: 'hour' | 'day', graph: GraphName): Promise<readonly number[]> {
    const keys = await this.#values.keys(keyOf(kind, graph))
    return keys.flatMap((key) => parsedKey(key)?.number ?? [])
  }

  /** Writes what `change` makes of a value, unless it is null. Tries again when another one was faster. */
  async #change(
    key: string,
    change: (bytes: Uint8Array | null) => Promise<Uint8Array | null>,
  ): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const found = await this.#values.get(key)
      const bytes = await change(found?.bytes ?? null)
      if (bytes === null) return
      if (bytes.length > MAX_VALUE_BYTES) throw new UsageTooLargeError(`${key} has ${bytes.length} bytes`)
      if (await this.#values.set(key, bytes, found?.revision ?? 0)) return
    }
    throw new Error(`${key} was changed by others ${MOST_ATTEMPTS} times meanwhile`)
  }
}

function keyOf(kind: string, { namespace, graph }: GraphName, number?: number): string {
  const key = `${kind}.${encodeToken(namespace)}.${encodeToken(graph)}`
  return number === undefined ? key : `${key}.${number}`
}

function parsedKey(key: string): { readonly graph: GraphName; readonly number: number } | null {
  const [, namespaceToken = '', graphToken = '', number = ''] = key.split('.')
  const namespace = decodeToken(namespaceToken)
  const graph = decodeToken(graphToken)
  return namespace === null || graph === null ? null : { graph: { namespace, graph }, number: Number(number) }
}
