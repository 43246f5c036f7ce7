/** The primary as its worker knows it: what it says and hands over, and what the worker answers. */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { ProcessLoad } from '@switchyard/contracts'
import type { HealthState, ProcessMetrics } from '@switchyard/service-kit'
import type { FollowingParts, PrimarySource } from '../startup/router-options.ts'
import { HandedConfigs } from './handed-configs.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** The part of `process` that a worker speaks through. */
export interface WorkerEndOfChannel {
  on(event: 'message', listener: (message: ToWorker, handle: unknown) => void): unknown
  send?(message: FromWorker, handle: undefined, options: undefined, sent: () => void): boolean
}

/** Puts settings in force when the primary says so. */
export type SettingsTaker = {
  /**
   * Resolves with the problems of the settings, or with null if they can be put in force at once. Never
   * rejects.
   */
  prepare(text: string): Promise<readonly string[] | null>
  /** Puts the prepared settings in force, or drops them. Never rejects. */
  decide(isTaken: boolean): Promise<void>
}

type SettingsMessage = Extract<ToWorker, { kind: 'settings' | 'decided' }>
type SetUpMessage = Extract<ToWorker, { kind: 'start' }>

/** A worker's side of the channel to its primary. */
export class PrimaryChannel {
  readonly #process: WorkerEndOfChannel
  readonly #setUp = Promise.withResolvers<SetUpMessage>()
  readonly #stopped = Promise.withResolvers<void>()
  #configs: HandedConfigs | null = null
  #onConnection: (socket: Socket) => void = (socket) => void socket.destroy()
  readonly #settingsTaker = Promise.withResolvers<SettingsTaker>()
  /** Settles when all earlier messages about settings are handled, so that they are handled in order. */
  #settling: Promise<void> = Promise.resolve()
  #ready: HealthState = { ok: false, reason: 'the router is starting' }
  #parts: FollowingParts | null = null
  /** Called when the primary says that files may have changed. */
  onReload = (): void => {}
  /** Reads the metrics that the instruments of this process measured. */
  measure: () => Promise<ProcessMetrics> = async () => []

  constructor(process: WorkerEndOfChannel) {
    this.#process = process
    process.on('message', (message, handle) => this.#hear(message, handle))
  }

  /** Resolves with the first message. */
  get setUp(): Promise<SetUpMessage> {
    return this.#setUp.promise
  }

  /** Resolves when the worker is to finish what is in progress, and to exit. */
  get stopped(): Promise<void> {
    return this.#stopped.promise
  }

  /** To be called once: `taker` is told of settings from then on, and of those that have come already. */
  followSettings(taker: SettingsTaker): void {
    this.#settingsTaker.resolve(taker)
  }

  /** Resolves when it is on its way. */
  answer(message: FromWorker): Promise<void> {
    return new Promise((resolve) => {
      if (this.#process.send?.(message, undefined, undefined, resolve) === undefined) resolve()
    })
  }

  isAlive(load: ProcessLoad): void {
    const { flagUse, guards } = this.#parts ?? {}
    void this.answer({
      kind: 'alive',
      flagsInUse: [...(flagUse?.told ?? [])],
      reports: guards?.reports ?? null,
      load,
    })
  }

  sourceOf({ url, port, setUp }: SetUpMessage): PrimarySource {
    const answer = (message: FromWorker) => void this.answer(message)
    const boot = randomUUID()
    return {
      kind: 'primary',
      connections: {
        url,
        port,
        ticketKeys: Buffer.from(setUp.ticketKeys),
        serve: (onConnection) => (this.#onConnection = onConnection),
      },
      follow: (parts, listener) => {
        this.#parts = parts
        parts.flagUse.heard(setUp.flagsInUse)
        this.#configs = new HandedConfigs(parts, listener, answer)
        return this.#configs
      },
      ready: () => this.#ready,
      flagsChanged: (flags) => answer({ kind: 'flags', flags: [...flags] }),
      opened: () => answer({ kind: 'opened' }),
      differences: (results) => answer({ kind: 'differences', boot, results }),
      countsUsage: setUp.countsUsage,
      usage: (usage, isLast) => this.answer({ kind: 'usage', usage, isLast }),
    }
  }

  #hear(message: ToWorker, handle: unknown): void {
    switch (message.kind) {
      case 'start':
        return this.#setUp.resolve(message)
      case 'part':
        return this.#configs?.addPart(message)
      case 'config':
        return this.#configs?.take(message)
      case 'state':
        this.#ready = message.ready
        return this.#configs?.hear(message)
      case 'connection':
        // Before anything is read from it: one that the primary does not hear of goes to another worker if
        // this one ends.
        void this.answer({ kind: 'accepted', id: message.id })
        if (handle instanceof Socket) this.#onConnection(handle)
        return
      case 'measure':
        return void this.#measure(message.id)
      case 'reload':
        return this.onReload()
      case 'settings':
      case 'decided':
        this.#settling = this.#settling.then(() => this.#settle(message))
        return
      case 'stop':
        return this.#stopped.resolve()
      default:
        return message satisfies never
    }
  }

  async #settle(message: SettingsMessage): Promise<void> {
    const taker = await this.#settingsTaker.promise
    if (message.kind === 'decided') return await taker.decide(message.isTaken)
    const problems = await taker.prepare(message.text)
    await this.answer({ kind: 'prepared', id: message.id, problems })
  }

  /**
   * Answers with the metrics. Those that could not be measured are missing, as from a process without a
   * primary.
   */
  async #measure(id: number): Promise<void> {
    const metrics = await this.measure().catch((): ProcessMetrics => [])
    await this.answer({ kind: 'metrics', id, metrics })
  }
}
