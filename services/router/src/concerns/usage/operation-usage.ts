/**
 * The notes about one operation of one generation, which the cached operation owns: a request finds its
 * counts here without making a key.
 */
import type { Operation, OperationKind, SeenInputs } from '@switchyard/engine'
import type { CountedOperation } from '../../observe/request-summary.ts'
import { describeOperation, type DescribedOperation } from './describe-operation.ts'
import type { Steps } from './in-steps.ts'
import type { UsageCounts } from './usage-counts.ts'

/** A composition as usage names it. `flag` is null for base. */
export type UsedComposition = {
  readonly artifact: string
  readonly flag: string | null
  readonly isPreview: boolean
}

/** The counts of one operation, composition and client in one minute. */
export type UsageRow = {
  readonly usage: OperationUsage
  readonly composition: UsedComposition
  /** Empty if the client gives none; likewise the version. */
  readonly name: string
  readonly version: string
  /** The address whose request made the row. */
  readonly address: string
  readonly counts: UsageCounts
}

/**
 * The notes about one operation. Counts are kept until their minute is told, so the notes hold nothing of a
 * generation once the operation is described: one that was replaced meanwhile can go.
 */
export class OperationUsage {
  readonly name: string | null
  readonly kind: OperationKind
  /** How many nodes its document has. */
  readonly nodes: number
  readonly document: string
  /** Null once it is described. */
  #operation: Operation | null
  #described: DescribedOperation | null = null
  /** Whether a manifest lists the document, as of this minute. */
  isListed = false
  /** The names in variables of this hour. Undefined before the first request; null if there can be none. */
  #seen: SeenInputs | null | undefined
  #hour = -1
  #last: UsageRow | null = null
  /** Rows of this minute by name of the client, then by version; one for each flag. */
  readonly #rows = new Map<string, Map<string, UsageRow[]>>()

  constructor({ operation, document }: CountedOperation) {
    this.name = operation.name
    this.kind = operation.kind
    this.nodes = operation.nodes
    this.document = document
    this.#operation = operation
  }

  /** Returns the notes about an operation, which begin with the first request. */
  static of(counted: CountedOperation): OperationUsage {
    if (counted.counted instanceof OperationUsage) return counted.counted
    const usage = new OperationUsage(counted)
    counted.counted = usage
    return usage
  }

  get isDescribed(): boolean {
    return this.#described !== null
  }

  /** Describes the operation, unless that was done before. */
  *describe(): Steps<DescribedOperation> {
    if (this.#described !== null) return this.#described
    if (this.#operation === null) throw new Error('an operation that is not described is gone')
    const described = yield* describeOperation(this.#operation)
    this.#described = described
    this.#operation = null
    return described
  }

  /**
   * Returns what notes the names in variables of this operation, which is the one that the notes are about;
   * null if there is nothing more to note in this hour.
   */
  seenIn(hour: number, operation: Operation): SeenInputs | null {
    if (this.#seen === undefined) this.#seen = operation.seenInputs()
    if (this.#seen === null) return null
    if (this.#hour !== hour) {
      this.#hour = hour
      this.#seen.forget()
    }
    return this.#seen.isComplete ? null : this.#seen
  }

  /** The names in variables so far. */
  get seen(): SeenInputs | null {
    return this.#seen ?? null
  }

  find(flag: string | null, name: string, version: string): UsageRow | null {
    const last = this.#last
    if (last !== null && isOf(last, flag) && last.name === name && last.version === version) return last
    const row = this.#rows
      .get(name)
      ?.get(version)
      ?.find((known) => isOf(known, flag))
    if (row !== undefined) this.#last = row
    return row ?? null
  }

  add(row: UsageRow): void {
    const versions = this.#rows.get(row.name) ?? new Map<string, UsageRow[]>()
    this.#rows.set(row.name, versions)
    const rows = versions.get(row.version)
    if (rows === undefined) versions.set(row.version, [row])
    else rows.push(row)
    this.#last = row
  }

  remove(row: UsageRow): void {
    const versions = this.#rows.get(row.name)
    const rows = versions?.get(row.version)
    if (rows?.includes(row) === true) rows.splice(rows.indexOf(row), 1)
    if (this.#last === row) this.#last = null
  }

  /** The minute is over: its rows are no longer found here. */
  forget(): void {
    this.#rows.clear()
    this.#last = null
  }
}

function isOf({ composition }: UsageRow, flag: string | null): boolean {
  return composition.flag === flag
}
