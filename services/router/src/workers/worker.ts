/** A worker as its primary knows it: a process with a channel to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ProcessLoad, RolloutResults } from '@switchyard/contracts'
import type { Environment, ProcessMetrics } from '@switchyard/service-kit'
import type { StepReports } from '../concerns/guards/step-report.ts'
import type { UsageOfMinute } from '../concerns/usage/usage-reports.ts'
import type { VerifiedConfig } from '../generations/offered-config.ts'
import type { WorkerEnd } from './events.ts'
import type { FromWorker, RouterState, ToWorker, WorkerSetUp } from './messages.ts'

const MAIN = fileURLToPath(new URL('./worker-main.ts', import.meta.url))
/** The channel carries connections, too, which wait behind a piece. */
const PART_BYTES = 256 * 1024
/** A worker that is busy for longer is left out of a reading. */
const MEASURE_WITHIN_MS = 1000
/** Environment variables that only the primary uses. */
const NOT_FOR_WORKERS = /^SWITCHYARD_(?:REDIS|NATS|FLEET)_/

/** The outcome of a config. `gone` means that the worker ended before it answered. */
export type WorkerIntakeOutcome =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone' }

/** Whether settings can be put in force. `gone` means that the worker ended before it answered. */
export type WorkerSettingsOutcome =
  | { readonly kind: 'prepared' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'gone' }

/** Hears the worker. */
export type WorkerListener = {
  up(): void
  /** Whether it serves another config or other flags than before, or is ready by now. */
  changed(): void
  accepted(id: number): void
  /** Its results of comparing answers with those of flags are these, since its start of this name. */
  differences(boot: string, results: readonly RolloutResults[]): void
  /** It counted this in a minute. `isLast`: none follows. */
  usage?(usage: UsageOfMinute, isLast: boolean): void
  /**
   * Called after everything else that the worker sent. It has read nothing from a connection that it has not
   * reported as accepted.
   */
  ended(end: WorkerEnd): void
}

/** Starts the worker of this number. */
export type StartWorker = (number: number, listener: WorkerListener) => Worker

/** A worker as its primary sees it. */
export interface Worker {
  readonly pid: number | null
  /** The config and the flags that the worker serves; null if it serves none. */
  readonly serving: { readonly config: VerifiedConfig; readonly flags: readonly string[] } | null
  /** Whether it has compiled the flags in use that it found at its start. */
  readonly isOpen: boolean
  /** Flags that its clients asked for recently. */
  readonly flagsInUse: readonly string[]
  /** The figures of guarded rollouts that it reported last; null if it has none. */
  readonly reports: StepReports | null
  /** How its process does; null until it says so for the first time. */
  readonly load: ProcessLoad | null
  /** Milliseconds since it said anything. */
  readonly silentFor: number
  /** Configs are served in the order in which they are handed over. Never rejects. */
  serve(config: VerifiedConfig): Promise<WorkerIntakeOutcome>
  tell(state: RouterState): void
  /** Hands over a connection, which stays open here. */
  connect(id: number, socket: Socket): void
  /** Reads the metrics of the worker's instruments; null if it does not answer, or not in time. */
  measure(): Promise<ProcessMetrics | null>
  reload(): void
  /** Hands over another text of the settings file, which it is to put in force when it is told to. */
  prepareSettings(text: string): Promise<WorkerSettingsOutcome>
  /** Must be called once after each `prepareSettings`: puts the settings in force, or drops them. */
  decideSettings(isTaken: boolean): void
  /** Asks the worker to finish the requests in progress, and to exit. */
  stop(): void
  kill(): void
}

/** The options that the process of a worker is started with. */
export type ForkOptions = {
  readonly env: Environment
  readonly setUp: () => Omit<WorkerSetUp, 'number' | 'ticketKeys'>
  /** Returns the address at which the primary listens. */
  readonly address: () => { readonly url: string; readonly port: number }
}

/** Starts workers as processes of their own. */
export function forkWorkers({ env, setUp, address }: ForkOptions): StartWorker {
  const ticketKeys = randomBytes(48)
  // The primary reads their metrics, and tells of them.
  const metrics = { SWITCHYARD_METRICS_PORT: '0', OTEL_METRICS_EXPORTER: 'none' }
  const own: Record<string, string | undefined> = { ...env, ...metrics }
  for (const name of Object.keys(own)) if (NOT_FOR_WORKERS.test(name)) delete own[name]
  return (number, listener) => {
    const child = fork(MAIN, {
      env: own,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return new WorkerProcess(child, { ...setUp(), number, ticketKeys }, address(), listener)
  }
}

class WorkerProcess implements Worker {
  readonly #child: ChildProcess
  readonly #listener: WorkerListener
  readonly #waiting = new Map<number, (taken: WorkerIntakeOutcome) => void>()
  readonly #preparing = new Map<number, (prepared: WorkerSettingsOutcome) => void>()
  readonly #measuring = new Map<number, (metrics: ProcessMetrics | null) => void>()
  /** Artifacts that it has, by hash. */
  #has: ReadonlySet<string> = new Set()
  #serving: Worker['serving'] = null
  #isOpen = false
  #said: Pick<Worker, 'flagsInUse' | 'reports' | 'load'> = { flagsInUse: [], reports: null, load: null }
  #failure: WorkerEnd['failure'] = null
  #heardAt = performance.now()
  #lastId = 0
  #hasEnded = false
  /** Configs are sent one after the other. */
  #sending: Promise<void> = Promise.resolve()

  constructor(
    child: ChildProcess,
    setUp: WorkerSetUp,
    address: { url: string; port: number },
    listener: WorkerListener,
  ) {
    this.#child = child
    this.#listener = listener
    // One that could not be told something ends or has ended, which is dealt with; one that could not be
    // started does not even end.
    child.on('error', () => {
      if (child.pid === undefined) this.#ended(null, null)
    })
    child.on('message', (message: FromWorker) => this.#hear(message))
    // The events `exit` and `disconnect` can come before all messages are read, and the second one not at
    // all.
    child.on('close', (code, signal) => this.#ended(code, signal))
    this.#send({ kind: 'start', setUp, ...address })
  }

  get pid() {
    return this.#child.pid ?? null
  }

  get serving() {
    return this.#serving
  }
  get isOpen() {
    return this.#isOpen
  }
  get flagsInUse() {
    return this.#said.flagsInUse
  }
  get reports() {
    return this.#said.reports
  }
  get load() {
    return this.#said.load
  }
  get silentFor() {
    return performance.now() - this.#heardAt
  }

  async serve(config: VerifiedConfig): Promise<WorkerIntakeOutcome> {
    if (this.#hasEnded) return { kind: 'gone' }
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<WorkerIntakeOutcome>()
    this.#waiting.set(id, (taken) => {
      if (taken.kind === 'served') this.#serving = { config, flags: [] }
      resolve(taken)
    })
    const send = async () => this.#hand(id, config)
    this.#sending = this.#sending.then(send)
    return await promise
  }

  async #hand(id: number, verified: VerifiedConfig): Promise<void> {
    const { artifacts, pieces, ...config } = verified
    const lists = new Map([...pieces].map(([artifact, { sha256 }]) => [artifact, sha256]))
    for (const [sha256, gzipped] of artifacts)
      if (!this.#has.has(sha256)) await this.#sendInParts(sha256, gzipped)
    this.#has = new Set(artifacts.keys())
    const names = [...artifacts.keys()]
    this.#send({ kind: 'config', id, config: { ...config, signed: null, lists, names } })
  }

  async #sendInParts(sha256: string, gzipped: Uint8Array): Promise<void> {
    for (let from = 0; from < gzipped.length && this.#child.connected; from += PART_BYTES) {
      const bytes = gzipped.subarray(from, from + PART_BYTES)
      const sent = Promise.withResolvers<void>()
      this.#child.send({ kind: 'part', sha256, bytes } satisfies ToWorker, () => sent.resolve())
      await sent.promise
    }
  }

  tell(state: RouterState): void {
    this.#send({ kind: 'state', ...state })
  }

  connect(id: number, socket: Socket): void {
    const message = { kind: 'connection', id } satisfies ToWorker
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {})
  }

  async measure(): Promise<ProcessMetrics | null> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<ProcessMetrics | null>()
    const late = setTimeout(resolve, MEASURE_WITHIN_MS, null)
    this.#measuring.set(id, resolve)
    this.#send({ kind: 'measure', id })
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.#measuring.delete(id)
    }
  }

  reload(): void {
    this.#send({ kind: 'reload' })
  }

  async prepareSettings(text: string): Promise<WorkerSettingsOutcome> {
    if (this.#hasEnded) return { kind: 'gone' }
    const id = ++this.#lastId
    const outcome = Promise.withResolvers<WorkerSettingsOutcome>()
    this.#preparing.set(id, outcome.resolve)
    this.#send({ kind: 'settings', id, text })
    return outcome.promise
  }

  decideSettings(isTaken: boolean): void {
    this.#send({ kind: 'decided', isTaken })
  }

  stop(): void {
    this.#send({ kind: 'stop' })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Sends a message. One that does not arrive is handled when the worker's end is noticed. */
  #send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #hear(message: FromWorker): void {
    this.#heardAt = performance.now()
    switch (message.kind) {
      case 'up':
        return this.#listener.up()
      case 'failed':
        return void (this.#failure = { code: message.code, message: message.message })
      case 'taken': {
        const { id, refused, flags } = message
        this.#waiting.get(id)?.(refused === null ? { kind: 'served' } : { kind: 'refused', reason: refused })
        this.#waiting.delete(id)
        return this.#flags(flags)
      }
      case 'prepared': {
        const { id, problems } = message
        this.#preparing.get(id)?.(problems === null ? { kind: 'prepared' } : { kind: 'refused', problems })
        this.#preparing.delete(id)
        return
      }
      case 'flags':
        return this.#flags(message.flags)
      case 'accepted':
      case 'differences':
      case 'usage':
        return passOn(message, this.#listener)
      case 'metrics':
        return this.#measuring.get(message.id)?.(message.metrics)
      case 'opened':
        this.#isOpen = true
        return this.#listener.changed()
      case 'alive':
        return void (this.#said = message)
      default:
        return message satisfies never
    }
  }

  #flags(flags: readonly string[]): void {
    if (this.#serving !== null) this.#serving = { ...this.#serving, flags }
    this.#listener.changed()
  }

  #ended(code: number | null, signal: string | null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#serving = null
    for (const taken of this.#waiting.values()) taken({ kind: 'gone' })
    this.#waiting.clear()
    for (const prepared of this.#preparing.values()) prepared({ kind: 'gone' })
    this.#preparing.clear()
    for (const measured of this.#measuring.values()) measured(null)
    this.#listener.ended({ code, signal, failure: this.#failure })
  }
}

/** Tells the listener what concerns nobody else. */
function passOn(
  message: Extract<FromWorker, { kind: 'accepted' | 'differences' | 'usage' }>,
  listener: WorkerListener,
): void {
  if (message.kind === 'accepted') listener.accepted(message.id)
  else if (message.kind === 'differences') listener.differences(message.boot, message.results)
  else listener.usage?.(message.usage, message.isLast)
}
