/**
 * The list of registries and composers, made from their heartbeats. One that was not heard for 15 s is listed
 * as lost for a minute, unless it said that it stops.
 */
import {
  ALIVE_WITHIN_MS,
  ALL_COMPOSER_STATUS,
  ALL_REGISTRY_STATUS,
  ComposerHeartbeat,
  composerStatusSubject,
  RegistryHeartbeat,
  registryStatusSubject,
  type ServiceList,
} from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import type { Announcer } from '@switchyard/event-log'
import { Heard } from '@switchyard/service-kit'

/** Milliseconds for which a lost service is listed. */
const FORGOTTEN_AFTER_MS = 60_000
/** Registries and composers that are known at a time. */
const MOST_SERVICES = 500

export type HeardServicesOptions = {
  readonly announcer: Announcer
  /** Called when a service came, or said that it stops; not when one falls silent. */
  readonly onChanged: () => void
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

type ServiceView = ServiceList['services'][number]
type Told = Pick<ServiceView, 'kind' | 'instance' | 'version' | 'composing' | 'load'> & {
  readonly stopping: boolean
  /** Null for composers, which do not tell it. */
  readonly boot: string | null
}

/** Hears services until it is disposed. */
export class HeardServices implements Disposable {
  readonly #onChanged: () => void
  readonly #services: Heard<Told>
  readonly #subscriptions: readonly Disposable[]

  constructor({ announcer, onChanged, monotonicNow }: HeardServicesOptions) {
    this.#onChanged = onChanged
    this.#services = new Heard({ keptMs: FORGOTTEN_AFTER_MS, most: MOST_SERVICES, monotonicNow })
    this.#subscriptions = [
      announcer.subscribe(ALL_COMPOSER_STATUS, (message, subject) => this.#hearComposer(message, subject)),
      announcer.subscribe(ALL_REGISTRY_STATUS, (message, subject) => {
        const heartbeat = RegistryHeartbeat.safeParse(message)
        if (heartbeat.success && registryStatusSubject(heartbeat.data.instance) === subject)
          this.hearRegistry(heartbeat.data)
      }),
    ]
  }

  /** Takes the heartbeat of a registry; its own as well, which it may have no right to send or to hear. */
  hearRegistry({ instance, boot, stopping, version, load }: RegistryHeartbeat): void {
    const subject = registryStatusSubject(instance)
    this.#hear(subject, { kind: 'registry', instance, boot, stopping, version, load, composing: [] })
  }

  list(): ServiceList['services'] {
    return this.#listed()
      .map(({ value: { boot: _boot, stopping, ...told }, ageMs, alive }) => ({
        ...told,
        state: stopping ? ('stopping' as const) : alive ? ('running' as const) : ('lost' as const),
        ageSeconds: Math.round(ageMs) / 1000,
      }))
      .sort(
        (left, right) => -compareNames(left.kind, right.kind) || compareNames(left.instance, right.instance),
      )
  }

  /** The subjects of the services that are alive, in no order. */
  alive(): readonly string[] {
    return this.#services
      .list()
      .filter(({ alive }) => alive)
      .map(({ key }) => key)
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]()
  }

  /** A service that said that it stops is gone when it is silent, and not lost. */
  #listed() {
    return this.#services.list().filter(({ value, ageMs }) => !value.stopping || ageMs <= ALIVE_WITHIN_MS)
  }

  #hearComposer(message: unknown, subject: string): void {
    const heartbeat = ComposerHeartbeat.safeParse(message)
    if (!heartbeat.success || composerStatusSubject(heartbeat.data.instance) !== subject) return
    const { instance, stopping, version = null, load = null, composing } = heartbeat.data
    this.#hear(subject, { kind: 'composer', instance, boot: null, stopping, version, load, composing })
  }

  #hear(subject: string, told: Told): void {
    const before = this.#services.get(subject)
    // A new process of the same name may have been heard before the last word of the old one.
    if (told.stopping && before !== undefined && before.boot !== told.boot) return
    if (!this.#services.hear(subject, told)) return
    const { stopping, boot, version } = told
    if (before?.stopping !== stopping || before.boot !== boot || before.version !== version) this.#onChanged()
  }
}
