/** Tells other registries, and this one, how this registry does. */
import { randomUUID } from 'node:crypto'
import { HEARTBEAT_INTERVAL_MS, type RegistryHeartbeat, registryStatusSubject } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { LoadMeter, VERSION } from '@switchyard/service-kit'

export type RegistryHeartbeatsOptions = {
  readonly announcer: Announcer
  /** Unique among the registries of a log. */
  readonly instance: string
  /** Takes each heartbeat in this process. */
  readonly onTold: (heartbeat: RegistryHeartbeat) => void
}

export class RegistryHeartbeats implements Disposable {
  readonly #options: RegistryHeartbeatsOptions
  readonly #boot = randomUUID()
  readonly #meter = new LoadMeter()
  #timer: NodeJS.Timeout | null = null
  #isStopping = false

  constructor(options: RegistryHeartbeatsOptions) {
    this.#options = options
  }

  /** Tells the first heartbeat, and further ones until this is disposed. */
  start(): void {
    if (this.#isStopping) return
    this.#tell()
    this.#timer ??= setInterval(() => this.#tell(), HEARTBEAT_INTERVAL_MS).unref()
  }

  /** Tells from now on that the registry stops. */
  stop(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    if (this.#timer !== null) this.#tell()
  }

  [Symbol.dispose](): void {
    this.stop()
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#meter[Symbol.dispose]()
  }

  #tell(): void {
    const { announcer, instance, onTold } = this.#options
    const heartbeat: RegistryHeartbeat = {
      instance,
      boot: this.#boot,
      stopping: this.#isStopping,
      version: VERSION,
      load: this.#meter.read(),
    }
    announcer.announce(registryStatusSubject(instance), heartbeat)
    onTold(heartbeat)
  }
}
