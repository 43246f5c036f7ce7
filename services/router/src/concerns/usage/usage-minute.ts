/**
 * The requests of one minute. Rows are bounded, and each client address has a share of them: where there is
 * no room, the address with most rows gives up one of an operation that no manifest lists, or else the one
 * with fewest requests. What has no row counts for the rest of its composition, which knows its operations.
 */
import type { KnownDocuments } from '../../observe/request-summary.ts'
import type { OperationUsage, UsageRow, UsedComposition } from './operation-usage.ts'
import { UsageCounts } from './usage-counts.ts'

/** Rows of one minute: more do not fit into a message. */
export const MAX_ROWS = 1000
/** Operations that the rest of all compositions knows. */
const MAX_REST_OPERATIONS = 1000
/** Nodes of all documents of a minute, which are described. */
const MAX_NODES = 200_000
const MAX_COMPOSITIONS = 2000

/** The requests of one composition that have no row. */
export type UsageRest = {
  readonly composition: UsedComposition
  readonly counts: UsageCounts
  readonly operations: Set<OperationUsage>
  /** Whether operations are missing in `operations`. */
  isPartial: boolean
}

/** A request that was executed. */
export type UsedBy = {
  readonly usage: OperationUsage
  readonly composition: UsedComposition
  readonly name: string
  readonly version: string
  readonly address: string
  /** The documents that the client may use; null if there are no manifests. */
  readonly list: KnownDocuments | null
}

/** The rows that requests of one address made. */
type AddressRows = {
  readonly rows: Set<UsageRow>
  /** How many of them are of operations that no manifest lists. */
  unlisted: number
}

/** Counts of one minute, since the one before was told. */
export class UsageMinute {
  readonly #byAddress = new Map<string, AddressRows>()
  /** The address with most rows. */
  #heaviest: AddressRows = NO_ROWS
  readonly #operations = new Set<OperationUsage>()
  readonly #undescribed: OperationUsage[] = []
  readonly #rest = new Map<string, UsageRest[]>()
  #rows = 0
  #nodes = 0
  #restOperations = 0
  /** Compositions that have a rest. */
  #compositions = 0
  /** Whether requests were counted nowhere. */
  isPartial = false

  get rows(): readonly UsageRow[] {
    return [...this.#byAddress.values()].flatMap(({ rows }) => [...rows])
  }

  get rest(): readonly UsageRest[] {
    return [...this.#rest.values()].flat()
  }

  /** Returns the operations that are to be described, once each. */
  takeUndescribed(): readonly OperationUsage[] {
    return this.#undescribed.splice(0)
  }

  /** Returns a row for a request whose operation has none for it; null if there is no room. */
  admit(request: UsedBy): UsageRow | null {
    const { usage, composition, name, version, address, list } = request
    if (!this.#knows(usage, list)) return null
    const known = this.#byAddress.get(address)
    if (this.#rows >= MAX_ROWS && !this.#makeRoom(known ?? NO_ROWS, usage.isListed)) return null
    const row: UsageRow = { usage, composition, name, version, address, counts: new UsageCounts() }
    const own = this.#byAddress.get(address) ?? { rows: new Set(), unlisted: 0 }
    this.#byAddress.set(address, own)
    own.rows.add(row)
    if (!usage.isListed) own.unlisted++
    if (own.rows.size > this.#heaviest.rows.size) this.#heaviest = own
    usage.add(row)
    this.#rows++
    return row
  }

  /** Returns the rest of a composition. Null if there are too many compositions. */
  restOf({ artifact, flag, isPreview }: UsedComposition): UsageRest | null {
    const rests = this.#rest.get(artifact)
    const known = rests?.find(({ composition }) => composition.flag === flag)
    if (known !== undefined) return known
    if (this.#compositions >= MAX_COMPOSITIONS) {
      this.isPartial = true
      return null
    }
    this.#compositions++
    const composition = { artifact, flag, isPreview }
    const rest = { composition, counts: new UsageCounts(), operations: new Set<never>(), isPartial: false }
    if (rests === undefined) this.#rest.set(artifact, [rest])
    else rests.push(rest)
    return rest
  }

  /** Notes that the rest of a composition has requests of this operation. */
  addToRest(rest: UsageRest, usage: OperationUsage): void {
    if (rest.isPartial || rest.operations.has(usage)) return
    if (this.#restOperations >= MAX_REST_OPERATIONS || !this.#operations.has(usage)) {
      rest.isPartial = true
      return
    }
    this.#restOperations++
    rest.operations.add(usage)
  }

  /** The minute is over: its operations begin another one with their next request. */
  end(): void {
    for (const usage of this.#operations) usage.forget()
  }

  /** Notes an operation with its first request of the minute. False if there is no room for it. */
  #knows(usage: OperationUsage, list: KnownDocuments | null): boolean {
    if (this.#operations.has(usage)) return true
    if (this.#nodes + usage.nodes > MAX_NODES) return false
    this.#nodes += usage.nodes
    this.#operations.add(usage)
    if (!usage.isDescribed) this.#undescribed.push(usage)
    usage.isListed = list !== null && list.withText(usage.document) !== null
    return true
  }

  /** Removes a row of the address with most rows, if that gives the others a fairer share. */
  #makeRoom(own: AddressRows, isListed: boolean): boolean {
    const isFairer = this.#heaviest.rows.size > own.rows.size + 1
    if (!isFairer && (!isListed || own.unlisted === 0)) return false
    const last = leastOf(isFairer ? this.#heaviest.rows : own.rows)
    if (last !== null) this.#drop(last)
    return last !== null
  }

  #drop(row: UsageRow): void {
    const { usage, composition, counts, address } = row
    const own = this.#byAddress.get(address)
    own?.rows.delete(row)
    if (own !== undefined && !usage.isListed) own.unlisted--
    if (own?.rows.size === 0) this.#byAddress.delete(address)
    if (own === this.#heaviest) this.#heaviest = heaviestOf(this.#byAddress.values())
    usage.remove(row)
    this.#rows--
    const rest = this.restOf(composition)
    if (rest === null) return
    rest.counts.add(counts.told)
    this.addToRest(rest, usage)
  }
}

const NO_ROWS: AddressRows = { rows: new Set(), unlisted: 0 }

function heaviestOf(all: Iterable<AddressRows>): AddressRows {
  let heaviest = NO_ROWS
  for (const own of all) if (own.rows.size > heaviest.rows.size) heaviest = own
  return heaviest
}

function leastOf(rows: ReadonlySet<UsageRow>): UsageRow | null {
  let least: UsageRow | null = null
  for (const row of rows) if (least === null || isLess(row, least)) least = row
  return least
}

function isLess(a: UsageRow, b: UsageRow): boolean {
  if (a.usage.isListed !== b.usage.isListed) return b.usage.isListed
  return a.counts.requests < b.counts.requests
}
