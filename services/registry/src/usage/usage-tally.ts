/** Adds up the usage of a graph by what was asked: operations, clients, flags, coordinates or hours. */
import type { UsageGroup } from '@switchyard/contracts'
import { inTurns } from '@switchyard/service-kit/in-turns'
import type { z } from 'zod'
import {
  type BlockData,
  type CountedOperation,
  eachRow,
  type UsedClient,
  type UsedComposition,
} from './block-data.ts'
import { addCounts, addNumbers, type Counts, noCounts, totalsOf } from './counts.ts'
import type { UsedDocuments } from './used-documents.ts'
import { MINUTES_PER_HOUR } from './usage-block.ts'

const MINUTE_MS = 60_000
/** Groups that are told apart. The requests of further ones count in the totals alone. */
const MOST_GROUPS = 50_000

export type GroupName = 'operation' | 'client' | 'flag' | 'coordinate' | 'hour'
type Group = z.infer<typeof UsageGroup>

export type UsageFilter = {
  /** The hash or the name of an operation. */
  readonly operation?: string | undefined
  readonly client?: string | undefined
  readonly clientVersion?: string | undefined
  /** The name of a flag; null for base. */
  readonly flag?: string | null | undefined
  /** A text in the name of the operation, the client, the flag or the coordinate. */
  readonly search?: string | undefined
}

export type TallyOptions = {
  readonly groups: readonly GroupName[]
  readonly filter: UsageFilter
  readonly documents: UsedDocuments
  /** The coordinates that the use of a name counts for. None if it is not asked about. */
  readonly usesOf: (name: string) => readonly string[]
  /** Whether only what uses coordinates that are asked about counts. */
  readonly isSelective: boolean
}

/** The operations of one block in one composition, as an answer needs them. */
type Row = {
  readonly composition: UsedComposition
  readonly client: UsedClient | null
  readonly operation: CountedOperation | null
  readonly coordinates: ReadonlySet<string> | null
}

type Members = Omit<Group, 'requests' | 'errors' | 'latencyMs' | 'lastSeen'>
/** Members with a key that is equal for equal ones. */
type NamedMembers = { readonly members: Members; readonly key: string }
type GroupCounts = { readonly members: Members; readonly counts: Counts }
/** Requests that use the same coordinates. */
type Cell = GroupCounts & { readonly coordinates: ReadonlySet<string> }

const NONE: ReadonlySet<string> = new Set()

export class UsageTally {
  readonly #options: TallyOptions
  readonly #groups = new Map<string, GroupCounts>()
  readonly #cells = new Set<Cell>()
  readonly #cellsOf = new Map<ReadonlySet<string>, Map<string, Cell>>()
  readonly #byDocument = new Map<string, ReadonlySet<string> | null>()
  readonly #unknown = new Set<string>()
  #dropped = 0
  readonly totals = noCounts()
  readonly rest = noCounts()

  constructor(options: TallyOptions) {
    this.#options = options
  }

  /** Operations that were executed and whose coordinates nobody knows. */
  get unknownOperations(): number {
    return this.#unknown.size
  }

  /** Names that were used, as operations and variables say it. */
  coordinates(): ReadonlySet<string> {
    return new Set([...this.#cells.values()].flatMap(({ coordinates }) => [...coordinates]))
  }

  add(block: BlockData): void {
    const { rows } = block
    // Whatever rows of the block have in common is looked up once: a month has a million rows.
    const width = block.compositions.length
    const values = new Map(
      block.values.map(([operation, composition, names]) => [operation * width + composition, names]),
    )
    const coordinatesAt = remembered<ReadonlySet<string> | null>()
    const membersAt = remembered<NamedMembers>()
    const placeOf = placesOf(this.#options.groups, block)
    eachRow(rows, (at) => {
      const [c = 0, k = 0, o = 0] = [rows[at], rows[at + 1], rows[at + 2]]
      const composition = block.compositions[c]
      const client = block.clients[k]
      const operation = block.operations[o]
      if (composition === undefined || client === undefined || operation === undefined) return
      const pair = o * width + c
      const known = coordinatesAt(pair, () => this.#coordinatesOf(operation.hash, composition.artifact))
      if (!this.#passes({ composition, client, operation })) return
      const named = values.get(pair)
      const held = named === undefined ? NONE : this.#chosen(named)
      const coordinates = held.size === 0 ? known : new Set([...(known ?? []), ...held])
      const row = { composition, client, operation }
      const members = membersAt(placeOf(c, k, o), () => this.#membersOf(row, block.start))
      this.#count({ ...row, coordinates }, members, rows, at + 3, block.start)
    })
    for (const { counts, coordinates } of block.rest) {
      const composition = block.compositions[counts[0] ?? 0]
      if (composition === undefined) continue
      const row = { composition, client: null, operation: null, coordinates: this.#chosen(coordinates ?? []) }
      if (!this.#passes(row)) continue
      addNumbers(this.rest, counts, 1, block.start)
      this.#count(row, this.#membersOf(row, block.start), counts, 1, block.start)
    }
  }

  /** The groups with most requests, hours in their order, and how many there are besides. */
  async result(limit: number): Promise<{ readonly groups: Group[]; readonly leftOut: number }> {
    const { filter, groups } = this.#options
    const { search = '' } = filter
    // Many operations use many coordinates: others have their turns in between.
    if (groups.includes('coordinate'))
      await inTurns(this.#cells.values(), ({ members, coordinates, counts }) => {
        for (const coordinate of coordinates) {
          const told = { ...members, coordinate }
          this.#group({ members: told, key: JSON.stringify(told) }, (group) => addCounts(group, counts))
        }
      })
    const all: Group[] = []
    await inTurns(this.#groups.values(), ({ members, counts }) => {
      if (matches(members, search))
        all.push({ ...members, ...totalsOf(counts), lastSeen: counts.last * MINUTE_MS })
    })
    const isByHour = groups.includes('hour')
    all.sort((a, b) => (isByHour ? (a.hour ?? 0) - (b.hour ?? 0) : 0) || b.requests - a.requests)
    return { groups: all.slice(0, limit), leftOut: Math.max(0, all.length - limit) + this.#dropped }
  }

  #membersOf({ operation, client, composition }: Omit<Row, 'coordinates'>, start: number): NamedMembers {
    const { groups } = this.#options
    const hour = Math.floor(start / MINUTES_PER_HOUR) * MINUTES_PER_HOUR * MINUTE_MS
    const members = {
      ...(groups.includes('operation') && operation !== null ? { operation } : {}),
      ...(groups.includes('client') ? { client: client ?? { name: null, version: null } } : {}),
      ...(groups.includes('flag') ? { flag: composition.flag } : {}),
      ...(groups.includes('hour') ? { hour } : {}),
    }
    return { members, key: JSON.stringify(members) }
  }

  #count(row: Row, named: NamedMembers, numbers: readonly number[], at: number, start: number): void {
    const { groups, isSelective } = this.#options
    const coordinates = row.coordinates ?? NONE
    if (isSelective && coordinates.size === 0) return
    addNumbers(this.totals, numbers, at, start)
    // Requests that routers did not tell apart belong to no operation.
    if (groups.includes('operation') && row.operation === null && !isSelective) return
    if (groups.includes('coordinate')) this.#cell(named, coordinates, numbers, at, start)
    else this.#group(named, (counts) => addNumbers(counts, numbers, at, start))
  }

  /** Adds to the requests that use the same coordinates; these are told apart in the end. */
  #cell(
    { members, key }: NamedMembers,
    coordinates: ReadonlySet<string>,
    numbers: readonly number[],
    at: number,
    start: number,
  ): void {
    const sets = this.#cellsOf.get(coordinates) ?? new Map<string, Cell>()
    this.#cellsOf.set(coordinates, sets)
    let cell = sets.get(key)
    if (cell === undefined) {
      cell = { members, coordinates, counts: noCounts() }
      sets.set(key, cell)
      this.#cells.add(cell)
    }
    addNumbers(cell.counts, numbers, at, start)
  }

  #group({ members, key }: NamedMembers, add: (counts: Counts) => void): void {
    let group = this.#groups.get(key)
    if (group === undefined) {
      if (this.#groups.size >= MOST_GROUPS) {
        this.#dropped += 1
        return
      }
      group = { members, counts: noCounts() }
      this.#groups.set(key, group)
    }
    add(group.counts)
  }

  /** The coordinates of an operation that are asked about; null if nobody knows what it uses. */
  #coordinatesOf(hash: string, artifact: string): ReadonlySet<string> | null {
    const key = `${hash} ${artifact}`
    const known = this.#byDocument.get(key)
    if (known !== undefined) return known
    const names = this.#options.documents.of(hash, artifact)?.coordinates ?? null
    const chosen = names === null ? null : this.#chosen(names)
    if (names === null) this.#unknown.add(key)
    this.#byDocument.set(key, chosen)
    return chosen
  }

  #chosen(names: readonly string[]): ReadonlySet<string> {
    return new Set(names.flatMap((name) => this.#options.usesOf(name)))
  }

  #passes({ composition, client, operation }: Omit<Row, 'coordinates'>): boolean {
    const { filter } = this.#options
    if (filter.flag !== undefined && composition.flag !== filter.flag) return false
    if (filter.client !== undefined && client?.name !== filter.client) return false
    if (filter.clientVersion !== undefined && client?.version !== filter.clientVersion) return false
    if (filter.operation === undefined) return true
    return operation?.hash === filter.operation || operation?.name === filter.operation
  }
}

/** Returns a function that makes what belongs to a number when it is asked for the first time. */
function remembered<Value>(): (place: number, make: () => Value) => Value {
  const known = new Map<number, Value>()
  return (place, make) => {
    const found = known.get(place)
    if (found !== undefined) return found
    const made = make()
    known.set(place, made)
    return made
  }
}

/** Returns a function that gives rows of a block with equal members of their groups the same number. */
function placesOf(groups: readonly GroupName[], { compositions, clients }: BlockData) {
  const [isByFlag, isByClient, isByOperation] = (['flag', 'client', 'operation'] as const).map((group) =>
    groups.includes(group),
  )
  return (composition: number, client: number, operation: number): number => {
    const first = isByOperation === true ? operation * clients.length : 0
    return (
      (first + (isByClient === true ? client : 0)) * compositions.length +
      (isByFlag === true ? composition : 0)
    )
  }
}

function matches({ operation, client, flag, coordinate }: GroupCounts['members'], search: string): boolean {
  if (search === '') return true
  const texts = [operation?.name, operation?.hash, client?.name, client?.version, flag, coordinate]
  return texts.some((text) => text?.toLowerCase().includes(search.toLowerCase()) === true)
}
