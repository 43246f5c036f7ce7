/**
 * The usage of a graph in one hour, to which messages of routers are added. A message that is there already
 * changes nothing, so that several registries can add what all of them have heard.
 */
import type { RouterHeartbeat, RouterUsage } from '@switchyard/contracts'
import {
  type BlockData,
  type CountedOperation,
  eachRow,
  type UsedClient,
  type UsedComposition,
} from './block-data.ts'
import { addMessage, addNumbers, type Counts, noCounts, pushNumbers } from './counts.ts'
import { dueMinutes } from './due-minutes.ts'
import { Places } from './places.ts'

export const MINUTES_PER_HOUR = 60
/** Most rows of a block, routers and names of values. What is beyond counts as not told apart. */
const MOST_ROWS = 5000
const MOST_PROCESSES = 2000
const MOST_VALUES = 50_000
const MOST_REST_COORDINATES = 20_000

const UNKNOWN: UsedComposition = { artifact: '0'.repeat(64), flag: null }

type Row = Counts & { readonly places: readonly [number, number, number] }
type Rest = Counts & { coordinates: Set<string> | null }
type Process = {
  readonly instance: string
  readonly boot: string
  since: number | null
  readonly told: Set<number>
  readonly alive: Set<number>
  untold: number
  untoldAt: number
}

export class UsageBlock {
  readonly start: number
  readonly #compositions = new Places<UsedComposition>()
  readonly #clients = new Places<UsedClient>()
  readonly #operations = new Places<CountedOperation>()
  readonly #rows = new Map<string, Row>()
  readonly #rest = new Map<number, Rest>()
  readonly #values = new Map<string, Set<string>>()
  readonly #processes = new Map<string, Process>()
  readonly #minutes = { told: 0, due: 0 }
  #valueCount = 0
  #isCut = false

  /** Begins an empty block. `start` is its first minute. */
  constructor(start: number) {
    this.start = start
    // Stands for those for which there is no room, or that a message does not have.
    this.#compositions.of(UNKNOWN)
  }

  /** Makes the block that was stored as this one. */
  static of(data: BlockData): UsageBlock {
    const block = new UsageBlock(data.start)
    for (const process of data.processes) {
      const { told, alive, ...rest } = process
      const sets = { told: new Set(told), alive: new Set(alive) }
      block.#processes.set(processKey(process), { ...rest, ...sets })
    }
    block.#absorbCounts(data)
    return block
  }

  /** Adds an hour to the block of its day. Minutes are counts then: those of an hour that is long over. */
  absorbHour(data: BlockData): void {
    this.#absorbCounts(data)
    for (const process of data.processes) {
      const { told, due } = dueMinutes(process, Number.POSITIVE_INFINITY, data.start)
      this.#minutes.told += told
      this.#minutes.due += due
      const known = this.#process(process)
      if (known === null) this.#isCut = true
      else if (process.untoldAt >= known.untoldAt) {
        known.untold = process.untold
        known.untoldAt = process.untoldAt
      }
    }
  }

  #absorbCounts(data: BlockData): void {
    this.#isCut ||= data.isCut
    this.#minutes.told += data.minutes.told
    this.#minutes.due += data.minutes.due
    const compositions = data.compositions.map((one) => this.#compositions.of(one))
    const clients = data.clients.map((one) => this.#clients.of(one))
    const operations = data.operations.map((one) => this.#operations.of(one))
    eachRow(data.rows, (at) => {
      const [composition = 0, client = 0, operation = 0] = data.rows.slice(at, at + 3)
      const counts = this.#row(compositions[composition], clients[client], operations[operation])
      addNumbers(counts, data.rows, at + 3, data.start)
    })
    for (const { counts, coordinates } of data.rest) {
      const rest = this.#restOf(compositions[counts[0] ?? 0])
      addNumbers(rest, counts, 1, data.start)
      addCoordinates(rest, coordinates)
    }
    for (const [operation, composition, names] of data.values)
      this.#addValues(operations[operation], compositions[composition], names)
  }

  /** Adds a message, unless it is there already. Returns whether it was added. */
  add(message: RouterUsage): boolean {
    const { minute, since, untold } = message
    const process = this.#process(message)
    if (process === null) {
      this.#isCut = true
      return false
    }
    if (process.told.has(minute - this.start)) return false
    process.told.add(minute - this.start)
    process.since = process.since === null ? since : Math.min(process.since, since)
    if (minute >= process.untoldAt) {
      process.untold = untold
      process.untoldAt = minute
    }
    const compositions = message.compositions.map((one) => this.#compositions.of(one))
    const clients = message.clients.map((one) => this.#clients.of(one))
    const operations = message.operations.map((one) => this.#operations.of(one))
    for (const row of message.rows) {
      const composition = compositions[row.composition]
      const counts = this.#row(composition, clients[row.client], operations[row.operation])
      addMessage(counts, row, minute)
    }
    for (const row of message.rest) {
      const rest = this.#restOf(compositions[row.composition])
      addMessage(rest, row, minute)
      addCoordinates(rest, row.coordinates)
    }
    for (const { hash, artifact, coordinates } of message.values) {
      const operation = this.#operations.find((one) => one.hash === hash)
      const composition = this.#compositions.find((one) => one.artifact === artifact)
      const unnamed = { hash, name: null, kind: 'query' } as const
      this.#addValues(
        operation ?? this.#operations.of(unnamed),
        composition ?? this.#compositions.of({ artifact, flag: null }),
        coordinates,
      )
    }
    return true
  }

  /** Notes that a router was alive in a minute. Returns whether that is new. */
  hear(router: Pick<RouterHeartbeat, 'instance' | 'boot'>, minute: number): boolean {
    const process = this.#process(router)
    const place = minute - this.start
    if (process === null || process.alive.has(place)) return false
    process.alive.add(place)
    return true
  }

  data(): BlockData {
    return {
      start: this.start,
      compositions: [...this.#compositions.items],
      clients: [...this.#clients.items],
      operations: [...this.#operations.items],
      rows: numbersOf(this.#rows.values(), this.start),
      rest: [...this.#rest].map(([composition, rest]) => ({
        counts: numbersOf([{ ...rest, places: [composition] }], this.start),
        coordinates: rest.coordinates === null ? null : [...rest.coordinates],
      })),
      values: [...this.#values].map(([key, names]) => {
        const [operation = 0, composition = 0] = key.split(',').map(Number)
        return [operation, composition, [...names]]
      }),
      processes: [...this.#processes.values()].map(({ told, alive, ...process }) => {
        return { ...process, told: [...told], alive: [...alive] }
      }),
      minutes: { ...this.#minutes },
      isCut: this.#isCut,
    }
  }

  #process({ instance, boot }: Pick<RouterUsage, 'instance' | 'boot'>): Process | null {
    const key = processKey({ instance, boot })
    const known = this.#processes.get(key)
    if (known !== undefined) return known
    if (this.#processes.size >= MOST_PROCESSES) return null
    const sets = { told: new Set<number>(), alive: new Set<number>() }
    const process = { instance, boot, since: null, ...sets, untold: 0, untoldAt: 0 }
    this.#processes.set(key, process)
    return process
  }

  /** Returns the counts of a row. One for which there is no room is part of the rest, which may use all. */
  #row(composition: number | undefined, client: number | undefined, operation: number | undefined): Counts {
    const key = `${composition},${client},${operation}`
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const isKnown = composition !== undefined && client !== undefined && operation !== undefined
    if (!isKnown || this.#rows.size >= MOST_ROWS) {
      const rest = this.#restOf(composition)
      rest.coordinates = null
      return rest
    }
    const row: Row = { ...noCounts(), places: [composition, client, operation] }
    this.#rows.set(key, row)
    return row
  }

  #restOf(place: number | undefined): Rest {
    const composition = place ?? 0
    const known = this.#rest.get(composition)
    if (known !== undefined) return known
    const rest = { ...noCounts(), coordinates: new Set<string>() }
    this.#rest.set(composition, rest)
    return rest
  }

  #addValues(operation: number | undefined, composition: number | undefined, names: readonly string[]): void {
    if (operation === undefined || composition === undefined) {
      this.#isCut = true
      return
    }
    const key = `${operation},${composition}`
    const known = this.#values.get(key) ?? new Set()
    this.#values.set(key, known)
    for (const name of names) {
      if (known.has(name)) continue
      if (this.#valueCount >= MOST_VALUES) {
        this.#isCut = true
        return
      }
      known.add(name)
      this.#valueCount += 1
    }
  }
}

/** Returns rows as numbers, each with its places first. */
function numbersOf(rows: Iterable<Counts & { readonly places: readonly number[] }>, start: number): number[] {
  const numbers: number[] = []
  for (const row of rows) {
    numbers.push(...row.places)
    pushNumbers(numbers, row, start)
  }
  return numbers
}

function processKey({ instance, boot }: Pick<RouterUsage, 'instance' | 'boot'>): string {
  return JSON.stringify([instance, boot])
}

function addCoordinates(rest: Rest, coordinates: readonly string[] | null): void {
  if (coordinates === null) rest.coordinates = null
  for (const coordinate of coordinates ?? []) {
    if ((rest.coordinates?.size ?? 0) >= MOST_REST_COORDINATES) rest.coordinates = null
    rest.coordinates?.add(coordinate)
  }
}
