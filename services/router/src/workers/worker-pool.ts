/**
 * The workers of a router: starts them, replaces those that come to their end, and gives all of them the same
 * config.
 *
 * Seen from outside it serves configs as one router does: a config is served when every worker serves it that
 * clients reach, and it is refused when no worker can serve it. A worker that alone cannot is replaced.
 */
import { compareVersions } from '@switchyard/config-store'
import type { RolloutResults } from '@switchyard/contracts'
import type { HealthState, ProcessMetrics } from '@switchyard/service-kit'
import { RouterConfigError } from '../settings/config-error.ts'
import { ManifestRejectedError } from '../errors/http-error.ts'
import type { RouterStartErrorCode } from '../errors/start-errors.ts'
import type { WorkerEnd, WorkerEvents } from './events.ts'
import type { ConfigTarget } from '../generations/follow/config-intake.ts'
import { damageOf, type VerifiedConfig } from '../generations/offered-config.ts'
import { COMPILING_FLAGS } from '../generations/ready-gate.ts'
import type { RouterState } from './messages.ts'
import { Restarts } from './restarts.ts'
import type { StartWorker, Worker } from './worker.ts'

/** Far longer than any turn of the event loop of a worker, and than a start takes. */
const HUNG_MS = 30_000
const HUNG_AT_START_MS = 120_000
const LOOK_EVERY_MS = 1000

/** The number of workers, and the listeners for their events. */
export type WorkerPoolOptions = {
  readonly count: number
  readonly start: StartWorker
  readonly events: WorkerEvents
  /** Returns what workers are told besides how all of them are. */
  readonly known: () => Pick<RouterState, 'fleet' | 'stopped' | 'newer'>
  /** Milliseconds that workers may take to stop. */
  readonly stopWithin: () => number
  readonly restarts?: Restarts
  /**
   * Called after every change that may concern readiness, the config that is served, or which workers accept
   * connections.
   */
  readonly onChange: () => void
  readonly onAccepted: (id: number) => void
  /** Called with the results of comparing answers that a worker tells. */
  readonly onDifferences: (boot: string, results: readonly RolloutResults[]) => void
  readonly onEnded: (worker: Worker) => void
}

/** One place for a worker, which is taken again by whoever replaces it. */
type WorkerSlot = {
  readonly number: number
  readonly worker: Worker
  isUp: boolean
  /** The config that it was given last. */
  given: VerifiedConfig | null
  /** The state that it was told last, as JSON. */
  told: string
}

/** A worker could not start, so the router does not start either. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError'
  readonly code: string
  constructor({ code, signal, failure }: WorkerEnd) {
    super(failure?.message ?? `A worker ended with ${signal ?? `exit code ${code}`} before any was up.`)
    this.code = failure?.code ?? ('WORKER_NOT_STARTED' satisfies RouterStartErrorCode)
  }
}

/** The workers of a router, each of which is replaced when it ends. */
export class WorkerPool implements Pick<ConfigTarget, 'serving' | 'replace'>, AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #restarts: Restarts
  readonly #members = new Map<number, WorkerSlot>()
  /** All workers that are alive, with those that are about to end. */
  readonly #alive = new Set<WorkerSlot>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #watch: NodeJS.Timeout
  #lookedAt = performance.now()
  #wasUp = false
  /** Settled when one is up, or none will be. */
  #someUp = Promise.withResolvers<void>()
  #config: VerifiedConfig | null = null
  #stopping: Promise<void> | null = null
  #onAllEnded: (() => void) | null = null

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#restarts = options.restarts ?? new Restarts(options.count)
    this.#watch = setInterval(() => this.#killHung(), LOOK_EVERY_MS).unref()
    // Whoever waits for it is told; and when nobody does, it is no accident.
    this.#someUp.promise.catch(() => {})
  }

  /** Resolves when the first one is up. Throws WorkerStartError when one comes to its end before. */
  async start(): Promise<void> {
    this.#options.events.starting(this.#options.count)
    for (let number = 1; number <= this.#options.count; number++) this.#start(number)
    await this.#someUp.promise
  }

  /** The config of the slowest worker that clients reach, with the flags that all these workers serve. */
  get serving(): ConfigTarget['serving'] {
    let slowest: VerifiedConfig | null = null
    let flags: readonly string[] | null = null
    for (const { worker } of this.#members.values()) {
      const { serving } = worker
      if (serving === null) continue
      if (slowest === null || compareVersions(serving.config.version, slowest.version) < 0)
        slowest = serving.config
      flags = flags === null ? serving.flags : flags.filter((flag) => serving.flags.includes(flag))
    }
    return slowest === null ? null : { config: slowest, flags: flags ?? [] }
  }

  /**
   * The workers that clients are sent to: the ones that are ready; if none is, those that serve; and if none
   * does, those that can tell clients so.
   */
  get reachable(): readonly Worker[] {
    const up = this.#up().map(({ worker }) => worker)
    const serving = up.filter((worker) => worker.serving !== null)
    const open = serving.filter((worker) => worker.isOpen)
    return [open, serving, up].find((workers) => workers.length > 0) ?? []
  }

  /** Flags that clients of any worker asked for recently. */
  get flagsInUse(): readonly string[] {
    return this.#up().flatMap(({ worker }) => worker.flagsInUse)
  }

  /**
   * Half of the workers are enough: others are on their way. `waitingFor`: why nothing is served, while
   * nothing is.
   */
  readiness(waitingFor: string): HealthState {
    const { count } = this.#options
    const serving = [...this.#members.values()].filter(({ worker }) => worker.serving !== null)
    const open = serving.filter(({ worker }) => worker.isOpen).length
    const some = `${open} of ${count} workers serve`
    const config = serving[0]?.worker.serving?.config
    const damage = config === undefined ? null : damageOf(config)
    const warnings = [...(open === count ? [] : [some]), ...(damage === null ? [] : [damage])]
    if (open * 2 >= count)
      return warnings.length === 0 ? { ok: true } : { ok: true, warning: warnings.join('; ') }
    if (open > 0) return { ok: false, reason: some }
    return { ok: false, reason: serving.length === 0 ? waitingFor : COMPILING_FLAGS }
  }

  /** Tells workers how the router as a whole is, if it is not what they know. */
  tell(waitingFor: string): void {
    const ready = this.readiness(waitingFor)
    const state: RouterState = { ready, waitingFor, ...this.#options.known() }
    const told = JSON.stringify(state)
    for (const member of this.#up()) {
      if (member.told === told) continue
      member.told = told
      member.worker.tell(state)
    }
  }

  /** Throws ManifestRejectedError when no worker can serve it; what is served then stays. */
  async replace(config: VerifiedConfig): Promise<void> {
    await this.#someUp.promise
    const refused = new Map<WorkerSlot, string>()
    for (;;) {
      const asked = this.#up().filter(({ given }) => given !== config)
      const refusals = await Promise.all(asked.map((member) => this.#give(member, config)))
      for (const [index, member] of asked.entries()) {
        const refusal = refusals[index] ?? null
        if (refusal !== null) refused.set(member, refusal)
        else if (member.worker.serving?.config === config) this.#config = config
      }
      if (this.#stopping !== null) return
      if (this.#config !== config) throw notBuilt([...refused.values()][0])
      // Some may have come up meanwhile, and got what was served before.
      if (this.#up().every(({ given }) => given === config)) break
    }
    for (const [member, reason] of refused) this.#retire(member, reason)
  }

  /** Reads the metrics of each worker that answers in time, by its number. */
  async measure(): Promise<ReadonlyMap<string, ProcessMetrics>> {
    const measured = await Promise.all(
      this.#up().map(async ({ number, worker }) => [String(number), await worker.measure()] as const),
    )
    const said = measured.flatMap(([number, metrics]) =>
      metrics === null ? [] : [[number, metrics] as const],
    )
    if (said.length < measured.length) this.#options.events.metricsMissing(measured.length - said.length)
    return new Map(said)
  }

  reload(): void {
    for (const { worker } of this.#up()) worker.reload()
  }

  /**
   * Puts another text of the settings file in force, in all workers or in none. `taken`: called once it is
   * decided, so that those that start from then on have it. Throws RouterConfigError with what workers say
   * against it. Not to be called again before it has resolved.
   */
  async applySettings(text: string, taken: () => void): Promise<void> {
    const asked = new Set(this.#members.values())
    const outcomes = await Promise.all([...asked].map(({ worker }) => worker.prepareSettings(text)))
    const problems = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? outcome.problems : []))
    const isTaken = problems.length === 0
    if (isTaken) taken()
    for (const { worker } of asked) worker.decideSettings(isTaken)
    if (!isTaken) throw new RouterConfigError([...new Set(problems)])
    // Those that were started meanwhile have the text of before.
    for (const member of this.#members.values()) if (!asked.has(member)) void this.#catchUp(member, text)
  }

  /** A worker that cannot do what all others do is replaced. */
  async #catchUp(member: WorkerSlot, text: string): Promise<void> {
    const outcome = await member.worker.prepareSettings(text)
    member.worker.decideSettings(outcome.kind === 'prepared')
    if (outcome.kind === 'refused') this.#retire(member, outcome.problems.join('; '))
  }

  #up(): readonly WorkerSlot[] {
    return [...this.#members.values()].filter(({ isUp }) => isUp)
  }

  /**
   * Hands a config to a worker. Resolves with the reason why the worker refuses it, or null if it serves the
   * config or has ended.
   */
  async #give(member: WorkerSlot, config: VerifiedConfig): Promise<string | null> {
    member.given = config
    const taken = await member.worker.serve(config)
    this.#options.onChange()
    return taken.kind === 'refused' ? taken.reason : null
  }

  #start(number: number): void {
    const { onAccepted, onChange, onDifferences } = this.#options
    const heard = { changed: onChange, accepted: onAccepted, differences: onDifferences }
    const worker = this.#options.start(number, {
      up: () => this.#isUp(member),
      ...heard,
      ended: (end) => this.#ended(member, end),
    })
    const member: WorkerSlot = { number, worker, isUp: false, given: null, told: '' }
    this.#members.set(number, member)
    this.#alive.add(member)
  }

  #isUp(member: WorkerSlot): void {
    member.isUp = true
    this.#wasUp = true
    this.#options.events.up(member.number, member.worker.pid)
    this.#someUp.resolve()
    // It is told what was taken back before it is given the config that this was taken from.
    this.#options.onChange()
    const config = this.#config
    if (config === null) return
    void this.#give(member, config).then((refusal) => {
      if (refusal !== null) this.#retire(member, refusal)
    })
  }

  #retire(member: WorkerSlot, reason: string): void {
    if (this.#members.get(member.number) !== member) return
    this.#members.delete(member.number)
    this.#options.events.retired(member.number, reason)
    member.worker.stop()
    this.#startLater(member.number, this.#restarts.ended().delay)
    this.#options.onChange()
  }

  #ended(member: WorkerSlot, end: WorkerEnd): void {
    this.#alive.delete(member)
    const isMissed = this.#members.get(member.number) === member && this.#stopping === null
    this.#members.delete(member.number)
    if (this.#up().length === 0 && this.#wasUp && this.#stopping === null)
      this.#someUp = Promise.withResolvers<void>()
    this.#options.onEnded(member.worker)
    if (isMissed && !this.#wasUp) this.#someUp.reject(new WorkerStartError(end))
    else if (isMissed) {
      const restart = this.#restarts.ended()
      this.#options.events.ended(member.number, end, restart)
      this.#startLater(member.number, restart.delay)
    }
    this.#options.onChange()
    if (this.#alive.size === 0) this.#onAllEnded?.()
  }

  #startLater(number: number, delay: number): void {
    if (this.#stopping !== null) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#start(number)
    }, delay)
    this.#timers.add(timer)
  }

  #killHung(): void {
    const now = performance.now()
    const slept = now - this.#lookedAt > 5 * LOOK_EVERY_MS
    this.#lookedAt = now
    // What they said meanwhile has not been read yet.
    if (slept) return
    for (const { number, worker, isUp } of this.#alive) {
      if (worker.silentFor < (isUp ? HUNG_MS : HUNG_AT_START_MS)) continue
      this.#options.events.hung(number, Math.round(worker.silentFor / 1000))
      worker.kill()
    }
  }

  /** Lets workers finish what is in progress, and ends those that take too long. */
  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#stopping ??= this.#stop())
  }

  async #stop(): Promise<void> {
    clearInterval(this.#watch)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#someUp.resolve()
    if (this.#alive.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onAllEnded = resolve
    for (const { worker, isUp } of this.#alive) {
      if (isUp) worker.stop()
      else worker.kill()
    }
    const limit = setTimeout(() => {
      for (const { number, worker } of this.#alive) {
        this.#options.events.stopLimitReached(number)
        worker.kill()
      }
    }, this.#options.stopWithin())
    await promise
    clearTimeout(limit)
  }
}

function notBuilt(refusal: string | undefined): ManifestRejectedError {
  return new ManifestRejectedError(
    'MANIFEST_NOT_BUILT',
    refusal ?? 'Every worker that was given it came to its end.',
  )
}
