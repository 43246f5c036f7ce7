/**
 * Tells usage once a minute, at a second of its own, so that routers do not all do so at once. Every minute
 * is told, also one without any request: that nothing was asked for is evidence, too. The last one is told
 * when the router stops.
 */
import { MAX_USAGE_BYTES, type RouterUsage } from '@switchyard/contracts'
import { inSteps, type Steps } from './in-steps.ts'
import { tellMinute, type ToldMinute } from './tell-minute.ts'
import { Untold } from './untold.ts'
import type { Usage } from './usage.ts'
import { UsageMinute } from './usage-minute.ts'

const MINUTE_MS = 60_000
const LOOK_EVERY_MS = 1000
/**
 * Minutes that were missed, since the process or its machine stood still, and that are told as such without
 * any request. After more than these it counts as a new beginning.
 */
const MAX_MISSED = 10
/** Bytes of what is around the counts, beside names. */
const AROUND = 1024

/** A message without the names of its router. */
export type UsageOfMinute = ToldMinute & Pick<RouterUsage, 'minute' | 'since'>

/** A minute that is over. `counts` is null if nothing was counted. */
type OverMinute = {
  readonly minute: number
  readonly since: number
  readonly counts: UsageMinute | null
}

/** The counts, and who is told. */
export type UsageReportsOptions = {
  readonly usage: Usage
  /** Whether the text of documents is told. */
  readonly tellsDocuments: () => boolean
  /** Tells a minute. `isLast`: none follows, since the router stops. */
  readonly tell: (usage: UsageOfMinute, isLast: boolean) => Promise<void> | void
  readonly onDefect: (error: unknown) => void
  /** The second of a minute at which the one before is told, or later. */
  readonly second: number
  /** The part of the bytes of a message that may be taken. */
  readonly share?: number
  /** Unix milliseconds. */
  readonly now?: (() => number) | undefined
  /** Milliseconds between two looks at the clock. */
  readonly interval?: number | undefined
}

/** Tells minutes until it is disposed, and then the last one. */
export class UsageReports implements AsyncDisposable {
  readonly #options: UsageReportsOptions
  readonly #untold = new Untold()
  readonly #timer: NodeJS.Timeout
  /** Minutes that are not told yet. */
  #over: readonly OverMinute[] = []
  #minute: number
  #since: number
  /** Settles when all that was to be told is told. */
  #telling: Promise<void> = Promise.resolve()
  #isTelling = false
  #isDescribing = false

  constructor(options: UsageReportsOptions) {
    this.#options = options
    this.#minute = minuteOf(this.#now)
    this.#since = this.#minute
    this.#timer = setInterval(() => this.look(), options.interval ?? LOOK_EVERY_MS).unref()
  }

  /**
   * Describes the operations that are new, and looks at the clock: ends the minute if it is over, and tells
   * it if it is time.
   */
  look(): void {
    if (!this.#isDescribing) void this.#describe()
    const minute = minuteOf(this.#now)
    if (minute !== this.#minute) this.#turnTo(minute)
    if (this.#over.length === 0 || this.#isTelling) return
    const isTime = (this.#now % MINUTE_MS) / 1000 >= this.#options.second
    if (isTime || this.#over.length > 1) void this.#tell(false)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#telling
    this.#over = [...this.#over, this.#end()]
    await this.#tell(true)
  }

  /** Whatever is not described when its minute is told is described then. */
  async #describe(): Promise<void> {
    const { usage, onDefect } = this.#options
    this.#isDescribing = true
    try {
      for (const undescribed of usage.takeUndescribed()) await inSteps(undescribed.describe())
    } catch (error) {
      onDefect(error)
    } finally {
      this.#isDescribing = false
    }
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)()
  }

  #turnTo(minute: number): void {
    const missed = minute - this.#minute - 1
    // The clock was set back a little: the counts are those of the minute that it was.
    if (missed < -1 && -missed <= MAX_MISSED) return
    const over = [this.#end()]
    const isNew = missed < 0 || missed > MAX_MISSED
    if (isNew) this.#since = minute
    else
      for (let between = this.#minute + 1; between < minute; between++)
        over.push({ minute: between, since: this.#since, counts: null })
    this.#minute = minute
    this.#over = [...this.#over, ...over]
  }

  #end(): OverMinute {
    return { minute: this.#minute, since: this.#since, counts: this.#options.usage.next() }
  }

  #tell(isStopping: boolean): Promise<void> {
    this.#isTelling = true
    return (this.#telling = this.#tellAll(isStopping))
  }

  async #tellAll(isStopping: boolean): Promise<void> {
    const { tell, onDefect } = this.#options
    try {
      for (let [next] = this.#over; next !== undefined; [next] = this.#over) {
        this.#over = this.#over.slice(1)
        const told = await inSteps(this.#toldOf(next))
        await tell(told, isStopping && this.#over.length === 0)
      }
    } catch (error) {
      onDefect(error)
    } finally {
      this.#isTelling = false
    }
  }

  *#toldOf({ minute, since, counts }: OverMinute): Steps<UsageOfMinute> {
    const { tellsDocuments, share = 1 } = this.#options
    const told = yield* tellMinute(counts ?? new UsageMinute(), {
      bytes: Math.floor((MAX_USAGE_BYTES - AROUND) * share),
      tellsDocuments: tellsDocuments(),
      untold: this.#untold,
      now: this.#now,
    })
    return { minute, since, ...told }
  }
}

/** Returns the whole minutes of a Unix time. */
export function minuteOf(milliseconds: number): number {
  return Math.floor(milliseconds / MINUTE_MS)
}
