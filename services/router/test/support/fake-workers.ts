/** Workers that do what a test tells them to, in place of processes. */
import type { Socket } from 'node:net'
import type { VerifiedConfig } from '../../src/generations/offered-config.ts'
import type { WorkerEnd } from '../../src/workers/events.ts'
import type {
  WorkerIntakeOutcome,
  Worker,
  WorkerListener,
  WorkerSettingsOutcome,
} from '../../src/workers/worker.ts'

export class FakeWorker implements Worker {
  readonly number: number
  readonly listener: WorkerListener
  readonly pid = null
  silentFor = 0
  serving: Worker['serving'] = null
  isOpen = true
  flagsInUse: readonly string[] = []
  reports: Worker['reports'] = null
  load: Worker['load'] = null
  /** What it does with a config; by default it serves it. */
  answer: (config: VerifiedConfig) => Promise<WorkerIntakeOutcome> | WorkerIntakeOutcome = () => ({
    kind: 'served',
  })
  readonly given: VerifiedConfig[] = []
  readonly told: Parameters<Worker['tell']>[0][] = []
  readonly connections: { readonly id: number; readonly socket: Socket }[] = []
  readonly calls: string[] = []
  #gone = Promise.withResolvers<{ readonly kind: 'gone' }>()

  constructor(number: number, listener: WorkerListener) {
    this.number = number
    this.listener = listener
  }

  async serve(config: VerifiedConfig): Promise<WorkerIntakeOutcome> {
    this.given.push(config)
    const taken = await Promise.race([this.answer(config), this.#gone.promise])
    if (taken.kind === 'served') this.serving = { config, flags: [...config.featureFlags.keys()] }
    return taken
  }

  tell(state: Parameters<Worker['tell']>[0]): void {
    this.told.push(state)
  }

  connect(id: number, socket: Socket): void {
    this.connections.push({ id, socket })
  }

  async measure() {
    return null
  }

  /** What it says against settings; null: nothing. */
  problems: readonly string[] | null = null
  /** Texts of settings, and what was decided of each. */
  readonly settings: (string | boolean)[] = []

  async prepareSettings(text: string): Promise<WorkerSettingsOutcome> {
    this.settings.push(text)
    const { problems } = this
    if (problems !== null) return { kind: 'refused', problems }
    return await Promise.race([this.preparing, this.#gone.promise])
  }

  /** When it has prepared settings. */
  preparing: Promise<WorkerSettingsOutcome> = Promise.resolve({ kind: 'prepared' })

  decideSettings(isTaken: boolean): void {
    this.settings.push(isTaken)
  }

  reload(): void {
    this.calls.push('reload')
  }

  stop(): void {
    this.calls.push('stop')
  }

  kill(): void {
    this.calls.push('kill')
    this.end({ signal: 'SIGKILL' })
  }

  end(end: Partial<WorkerEnd> = {}): void {
    this.serving = null
    this.#gone.resolve({ kind: 'gone' })
    this.listener.ended({ code: null, signal: null, failure: null, ...end })
  }
}

/** A config that nothing could be built from: fakes look at its version. */
export function configOf(revision: number, flags: readonly string[] = []): VerifiedConfig {
  return {
    source: 'config store',
    damage: [],
    graph: { namespace: 'default', graph: 'shop' },
    version: { epoch: 1, revision },
    createdAt: null,
    registrySequence: revision,
    base: 'base',
    featureFlags: new Map(flags.map((flag) => [flag, flag])),
    pieces: new Map(),
    previews: new Map(),
    documents: [],
    rollouts: [],
    traceKeys: { keys: [] },
    traceAudience: '',
    signed: null,
    artifacts: new Map(),
  }
}
