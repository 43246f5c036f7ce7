/**
 * Counts the requests of a router by operation, client and composition, minute by minute.
 *
 * A request is counted when it has ended; one that is answered by events when these begin. A request that
 * was refused before its operation was executed counts for the rest of its composition, where it uses no
 * coordinate. One that no composition answered is not counted.
 */
import type { SeenInputs } from '@switchyard/engine'
import type { RequestObserver } from '../../observe/request-observer.ts'
import type { CountedOperation, RequestSummary } from '../../observe/request-summary.ts'
import { OperationUsage, type UsageRow, type UsedComposition } from './operation-usage.ts'
import { UsageMinute } from './usage-minute.ts'

const HOUR_MS = 60 * 60_000

/** The counts of a router process. */
export class Usage implements RequestObserver {
  readonly #now: () => number
  #minute = new UsageMinute()
  #hour: number

  /** `now` returns Unix milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.#hour = this.#hourOf()
  }

  ended(request: RequestSummary): void {
    if (request.subscription === null) this.#count(request)
  }

  eventsBegan(request: RequestSummary): void {
    this.#count(request)
  }

  /** Returns what notes the names in variables of an operation; null if there is nothing to note. */
  inputsOf(operation: CountedOperation): SeenInputs | null {
    return OperationUsage.of(operation).seenIn(this.#hour, operation.operation)
  }

  /** Returns the operations of this minute that are to be described, once each. */
  takeUndescribed(): readonly OperationUsage[] {
    return this.#minute.takeUndescribed()
  }

  /** Begins another minute, and returns the one before. */
  next(): UsageMinute {
    const over = this.#minute
    over.end()
    this.#minute = new UsageMinute()
    this.#hour = this.#hourOf()
    return over
  }

  #count(request: RequestSummary): void {
    const { composition, executed, clientName: name, clientVersion: version } = request
    if (composition === null) return
    const isError = request.errors > 0 || request.code !== null
    const milliseconds = request.firstPart ?? request.phases.whole
    if (executed === null) {
      this.#minute.restOf(usedOf(composition))?.counts.count(milliseconds, isError)
      return
    }
    const usage = OperationUsage.of(executed)
    const row = usage.find(composition.flag, name, version) ?? this.#admitted(request, usage, composition)
    if (row !== null) return row.counts.count(milliseconds, isError)
    const rest = this.#minute.restOf(usedOf(composition))
    if (rest === null) return
    rest.counts.count(milliseconds, isError)
    this.#minute.addToRest(rest, usage)
  }

  #admitted(
    { clientName: name, clientVersion: version, address, list }: RequestSummary,
    usage: OperationUsage,
    composition: NonNullable<RequestSummary['composition']>,
  ): UsageRow | null {
    return this.#minute.admit({ usage, composition: usedOf(composition), name, version, address, list })
  }

  #hourOf(): number {
    return Math.floor(this.#now() / HOUR_MS)
  }
}

function usedOf({ generation, flag, config }: NonNullable<RequestSummary['composition']>): UsedComposition {
  const isPreview =
    flag !== null && config.featureFlags?.has(flag) === false && config.previews?.has(flag) === true
  return { artifact: generation.artifact, flag, isPreview }
}
