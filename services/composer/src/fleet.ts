/**
 * Decides which of several composers works on a graph: the one that rendezvous hashing chooses among those
 * that were heard lately, and another one if the first does not begin. Correctness does not depend on it. If
 * two composers both believe that it is their turn, both compute, and one append to the log wins.
 */
import { createHash } from 'node:crypto'
import {
  ALL_COMPOSER_STATUS,
  ComposerHeartbeat,
  composerStatusSubject,
  HEARTBEAT_INTERVAL_MS,
  MOST_COMPOSING,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { Heard, LoadMeter, VERSION } from '@switchyard/service-kit'

/** Milliseconds between two messages of a composer that is composing … */
const COMPOSING_INTERVAL_MS = 1000
/** … and for how long such a message is believed. */
const COMPOSING_BELIEVED_MS = 3000

export class ComposerFleet implements Disposable {
  readonly #announcer: Announcer
  readonly #instance: string
  readonly #meter = new LoadMeter()
  readonly #heard = new Heard<ComposerHeartbeat>()
  readonly #subscription: Disposable
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #composing = new Set<string>()
  /** Whether a composition began since the last message. */
  #soon: NodeJS.Timeout | null = null
  #isStopped = false

  constructor({ announcer, instance }: { readonly announcer: Announcer; readonly instance: string }) {
    this.#announcer = announcer
    this.#instance = instance
    this.#subscription = announcer.subscribe(ALL_COMPOSER_STATUS, (message) => this.#hear(message))
    this.#timers = [
      setInterval(() => this.#announce(false), HEARTBEAT_INTERVAL_MS),
      setInterval(() => {
        if (this.#composing.size > 0) this.#announce(false)
      }, COMPOSING_INTERVAL_MS),
    ]
    this.#announce(false)
  }

  /** True when no other live composer comes before this one for that graph. */
  isFirstFor(graph: string): boolean {
    const own = rank(this.#instance, graph)
    return this.#heard.list().every(({ key: instance }) => rank(instance, graph) >= own)
  }

  /** True when another live composer said lately that it composes the graph. */
  isComposing(graph: string): boolean {
    return this.#heard
      .list()
      .some(({ value, ageMs }) => ageMs <= COMPOSING_BELIEVED_MS && value.composing.includes(graph))
  }

  /** Tells the other composers, for as long as `work` takes, that this one composes the graph. */
  async whileComposing<Value>(graph: string, work: () => Promise<Value>): Promise<Value> {
    this.#composing.add(graph)
    // Compositions that begin together are told in one message.
    if (!this.#isStopped) this.#soon ??= setTimeout(() => this.#announce(false), 0)
    try {
      return await work()
    } finally {
      this.#composing.delete(graph)
    }
  }

  [Symbol.dispose](): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#subscription[Symbol.dispose]()
    this.#announce(true)
    this.#meter[Symbol.dispose]()
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
    // A composer that just appeared is told at once, before the next beat.
    if (isNew) this.#announce(false)
  }

  #announce(stopping: boolean): void {
    if (this.#soon !== null) clearTimeout(this.#soon)
    this.#soon = null
    const composing = [...this.#composing].slice(0, MOST_COMPOSING)
    const message: ComposerHeartbeat = {
      instance: this.#instance,
      stopping,
      composing,
      version: VERSION,
      load: this.#meter.read(),
    }
    this.#announcer.announce(composerStatusSubject(this.#instance), message)
  }
}

function rank(instance: string, graph: string): string {
  return createHash('sha256').update(`${instance}\n${graph}`).digest('hex')
}
