/**
 * Which composer works on a graph first: rendezvous hashing over those that were heard lately. Only economy depends on
 * it; whoever is wrong about the others computes what somebody else computes too, and one append wins.
 */
import { createHash } from 'node:crypto'
import {
  ALL_COMPOSER_STATUS,
  ComposerHeartbeat,
  composerStatusSubject,
  HEARTBEAT_INTERVAL_MS,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { Heard } from '@switchyard/service-kit'

export class Fleet implements Disposable {
  readonly #announcer: Announcer
  readonly #instance: string
  readonly #heard = new Heard<ComposerHeartbeat>()
  readonly #subscription: Disposable
  readonly #timer: NodeJS.Timeout

  constructor({ announcer, instance }: { readonly announcer: Announcer; readonly instance: string }) {
    this.#announcer = announcer
    this.#instance = instance
    this.#subscription = announcer.subscribe(ALL_COMPOSER_STATUS, (message) => this.#hear(message))
    this.#timer = setInterval(() => this.#announce(false), HEARTBEAT_INTERVAL_MS)
    this.#announce(false)
  }

  /** True when no other live composer comes before this one for that graph. */
  isFirstFor(graph: string): boolean {
    const own = rank(this.#instance, graph)
    return this.#heard.list().every(({ key: instance }) => rank(instance, graph) >= own)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#subscription[Symbol.dispose]()
    this.#announce(true)
  }

  #hear(message: unknown): void {
    const heartbeat = ComposerHeartbeat.safeParse(message)
    if (!heartbeat.success || heartbeat.data.instance === this.#instance) return
    const { instance, stopping } = heartbeat.data
    if (stopping) {
      this.#heard.forget(instance)
      return
    }
    const isNew = this.#heard.get(instance) === undefined
    this.#heard.hear(instance, heartbeat.data)
    // The newcomer should not wait for the next beat to know about this one.
    if (isNew) this.#announce(false)
  }

  #announce(stopping: boolean): void {
    const message: ComposerHeartbeat = { instance: this.#instance, stopping }
    this.#announcer.announce(composerStatusSubject(this.#instance), message)
  }
}

function rank(instance: string, graph: string): string {
  return createHash('sha256').update(`${instance}\n${graph}`).digest('hex')
}
