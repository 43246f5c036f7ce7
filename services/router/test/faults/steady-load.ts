/** Requests at a steady rate, whatever becomes of those before. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Reply } from '../support/router.ts'
import { ITEMS } from './ill-world.ts'

/** One request, by `performance.now()`. */
export type Sample = { readonly began: number; readonly ended: number; readonly code: unknown }

const QUERY = '{ items { id name } report { title } }'

export class SteadyLoad {
  readonly samples: Sample[] = []
  /** Answers that lack what the subgraph has that is well, or are wrong in another way. */
  readonly wrong: string[] = []
  readonly #ask: (query: string) => Promise<Reply>
  readonly #pause: number
  readonly #running: Promise<void>[] = []
  #stopped = false
  #sender: Promise<void>

  /** `pause`: between requests, in milliseconds. */
  constructor(ask: (query: string) => Promise<Reply>, pause: number) {
    this.#ask = ask
    this.#pause = pause
    this.#sender = this.#send()
  }

  /** Of requests that began in this time. */
  between(from: number, to: number): readonly Sample[] {
    return this.samples.filter(({ began }) => began >= from && began < to)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#sender
    await Promise.all(this.#running)
  }

  async #send(): Promise<void> {
    while (!this.#stopped) {
      this.#running.push(this.#one())
      await delay(this.#pause)
    }
  }

  async #one(): Promise<void> {
    const began = performance.now()
    const { json, text } = await this.#ask(QUERY)
    const [error] = json.errors ?? []
    const isRight =
      JSON.stringify(json.data?.['items']) === JSON.stringify(ITEMS) &&
      (json.data?.['report'] === null) === (error !== undefined)
    if (!isRight) this.wrong.push(text)
    this.samples.push({ began, ended: performance.now(), code: error?.extensions['code'] ?? null })
  }
}
