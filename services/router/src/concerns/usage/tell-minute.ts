/**
 * Makes the message about one minute, in slices and within its bytes. Rows of listed documents come first,
 * then those with most requests; what does not fit is told as the rest of its composition, with all
 * coordinates that it uses, or without them if they are too many: then it may use everything.
 */
import type { RouterUsage } from '@switchyard/contracts'
import type { SeenInputs } from '@switchyard/engine'
import type { DescribedOperation } from './describe-operation.ts'
import type { OperationUsage, UsageRow, UsedComposition } from './operation-usage.ts'
import { Numbered } from './numbered.ts'
import { UsageCounts } from './usage-counts.ts'
import type { UsageMinute, UsageRest } from './usage-minute.ts'
import type { Steps } from './in-steps.ts'
import { sizeOf, type Untold } from './untold.ts'

/** The counted part of a message. */
export type ToldMinute = Omit<RouterUsage, 'instance' | 'boot' | 'namespace' | 'graph' | 'minute' | 'since'>

/** How a minute is told. */
export type TellingOptions = {
  /** The bytes that the message may take. */
  readonly bytes: number
  /** Whether the text of documents is told. */
  readonly tellsDocuments: boolean
  readonly untold: Untold
  /** Unix milliseconds. */
  readonly now: number
}

/** Shares of the bytes. What they leave is for documents and names in variables. */
const FOR_ROWS = 0.5
const FOR_REST = 0.15
/** A part of the bytes that one document may take: without its coordinates, it does. */
const FOR_DOCUMENT = 0.25
const MAX_NAME = 200
/** Steps that an entry of a list takes. */
const ENTRY = 20
/** Names in variables that are told in one piece. */
const MAX_VALUES = 100

/** Tells one minute, which must be over. */
export function* tellMinute(minute: UsageMinute, options: TellingOptions): Steps<ToldMinute> {
  const telling = new Telling(options)
  return yield* telling.tell(minute)
}

type RowOfMessage = {
  readonly of: readonly UsageRow[]
  readonly counts: UsageCounts
  readonly operation: RouterUsage['operations'][number]
}

/** `seen` has how many names in variables are among them. */
type RestCoordinates = {
  readonly coordinates: string[] | null
  readonly seen: ReadonlyMap<SeenInputs, number>
}

/** They are too many, or not known. */
const UNKNOWN: RestCoordinates = { coordinates: null, seen: new Map() }

class Telling {
  readonly #options: TellingOptions
  readonly #compositions = new Numbered<RouterUsage['compositions'][number]>()
  readonly #clients = new Numbered<RouterUsage['clients'][number]>()
  readonly #operations = new Numbered<RouterUsage['operations'][number]>()
  #left = 0
  #dropped = 0

  constructor(options: TellingOptions) {
    this.#options = options
  }

  *tell(minute: UsageMinute): Steps<ToldMinute> {
    const { bytes, untold, now } = this.#options
    if (minute.isPartial) this.#dropped++
    this.#left = bytes * FOR_ROWS
    const rests = new Map(minute.rest.map((rest) => [rest.composition, rest]))
    const rows: RouterUsage['rows'] = []
    const told: RowOfMessage[] = []
    for (const row of yield* this.#merged(minute.rows)) {
      const written = this.#written(row)
      if (written === null) this.#toRest(row, minute, rests)
      else {
        rows.push(written)
        told.push(row)
      }
      yield ENTRY
    }
    this.#left += bytes * FOR_REST
    const rest = yield* this.#rest(rests.values())
    for (const row of told) yield* this.#note(row)
    const counted = {
      compositions: this.#compositions.all,
      clients: this.#clients.all,
      operations: this.#operations.all,
      rows,
      rest,
    }
    const noted = untold.take(bytes - sizeOf(counted), now)
    return { ...counted, ...noted, untold: untold.count + this.#dropped }
  }

  /** The rows in the order in which they get room. Those of equal operations become one. */
  *#merged(rows: readonly UsageRow[]): Steps<readonly RowOfMessage[]> {
    const byKey = new Map<string, RowOfMessage & { of: UsageRow[] }>()
    for (const row of rows) {
      const { usage, composition, name, version } = row
      const { hash } = yield* usage.describe()
      const operation = { hash, name: cut(usage.name), kind: usage.kind }
      const key = JSON.stringify([operation, composition.artifact, composition.flag, name, version])
      const known = byKey.get(key) ?? { of: [], counts: new UsageCounts(), operation }
      byKey.set(key, known)
      known.of.push(row)
      known.counts.add(row.counts.told)
    }
    const isListed = ({ of }: RowOfMessage) => Number(of[0]?.usage.isListed === true)
    return [...byKey.values()].sort(
      (a, b) => isListed(b) - isListed(a) || b.counts.requests - a.counts.requests,
    )
  }

  /** Returns the row as the message has it; null if there is no room. */
  #written({ of: [first], counts, operation }: RowOfMessage): RouterUsage['rows'][number] | null {
    if (first === undefined) return null
    const composition = this.#compositions.of(compositionOf(first.composition))
    const client = this.#clients.of({ name: first.name || null, version: first.version || null })
    const used = this.#operations.of(operation)
    const row = {
      composition: composition.index,
      client: client.index,
      operation: used.index,
      ...counts.told,
    }
    const size = composition.size + client.size + used.size + sizeOf(row)
    if (size > this.#left) return null
    this.#left -= size
    for (const member of [composition, client, used]) member.add()
    return row
  }

  #toRest({ of }: RowOfMessage, minute: UsageMinute, rests: Map<UsedComposition, UsageRest>): void {
    for (const { composition, counts, usage } of of) {
      const rest = minute.restOf(composition)
      if (rest === null) continue
      rests.set(rest.composition, rest)
      rest.counts.add(counts.told)
      rest.operations.add(usage)
    }
  }

  *#rest(rests: Iterable<UsageRest>): Steps<RouterUsage['rest']> {
    const written: RouterUsage['rest'] = []
    for (const { composition, counts, operations, isPartial } of rests) {
      const { coordinates, seen } = isPartial ? UNKNOWN : yield* this.#coordinatesOf(operations)
      const used = this.#compositions.of(compositionOf(composition))
      const entry = { composition: used.index, ...counts.told }
      const full = { ...entry, coordinates }
      const brief = { ...entry, coordinates: null }
      const rest = used.size + sizeOf(full) <= this.#left ? full : brief
      const size = used.size + sizeOf(rest)
      if (size > this.#left) {
        this.#dropped++
        continue
      }
      this.#left -= size
      used.add()
      written.push(rest)
      if (rest === full) for (const [inputs, count] of seen) inputs.told(count)
      yield ENTRY
    }
    return written
  }

  /** Lists all coordinates of these operations, with those of their variables. */
  *#coordinatesOf(operations: Iterable<OperationUsage>): Steps<RestCoordinates> {
    const all = new Set<string>()
    const seen = new Map<SeenInputs, number>()
    let size = 0
    for (const usage of operations) {
      const { coordinates } = yield* usage.describe()
      if (coordinates === null) return UNKNOWN
      const inVariables = usage.seen?.untold ?? []
      if (usage.seen !== null) seen.set(usage.seen, inVariables.length)
      for (const coordinate of [...coordinates, ...inVariables]) {
        if (all.has(coordinate)) continue
        all.add(coordinate)
        size += coordinate.length + 3
      }
      if (size > this.#left) return UNKNOWN
      yield ENTRY
    }
    return { coordinates: [...all].sort(), seen }
  }

  /** Lets the document and the names in variables of a told row wait to be told. */
  *#note({ of, operation: { hash } }: RowOfMessage): Steps {
    const { untold, now } = this.#options
    for (const { usage, composition } of of) {
      const { artifact } = composition
      if (untold.isDue(artifact, hash, now)) {
        const document = this.#document(yield* usage.describe(), artifact)
        if (!untold.addDocument(document)) this.#dropped++
      }
      for (let seen = usage.seen?.untold ?? []; seen.length > 0; seen = usage.seen?.untold ?? []) {
        const coordinates = seen.slice(0, MAX_VALUES)
        if (!untold.addValues({ hash, artifact, coordinates })) {
          this.#dropped++
          break
        }
        usage.seen?.told(coordinates.length)
      }
    }
    yield ENTRY
  }

  #document(
    { hash, text, coordinates }: DescribedOperation,
    artifact: string,
  ): RouterUsage['documents'][number] {
    const { bytes, tellsDocuments } = this.#options
    const document = { hash, artifact, text: tellsDocuments ? text : null }
    const full = { ...document, coordinates: coordinates === null ? null : [...coordinates] }
    return sizeOf(full) <= bytes * FOR_DOCUMENT ? full : { ...document, coordinates: null }
  }
}

function compositionOf({ artifact, flag, isPreview }: UsedComposition): RouterUsage['compositions'][number] {
  return { artifact, flag: cut(flag), ...(isPreview && { isPreview: true as const }) }
}

function cut(name: string | null): string | null {
  return name === null ? null : name.slice(0, MAX_NAME)
}
