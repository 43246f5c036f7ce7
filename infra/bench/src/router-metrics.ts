/** Reads the delays of routers' event loops from their metrics. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RouterReport } from './load-report.ts'

const EVERY_MS = 1000
const READ_WITHIN_MS = 2000
const LARGEST = 16 * 1024 * 1024

/** docs/metrics.md: since the last time that somebody asked. */
const DELAY = /^nodejs_eventloop_delay_(max|p99)_seconds(?:\{[^}\n]*\})? (\S+)/gm

export class RouterMetrics {
  readonly #url: string
  readonly #stop = new AbortController()
  readonly #reading: Promise<void>
  #reads = 0
  #failedReads = 0
  #longestDelay: number | null = null
  #highestP99: number | null = null

  constructor(url: string) {
    this.#url = url
    this.#reading = this.#readOnAndOn()
  }

  get report(): RouterReport {
    return {
      url: this.#url,
      reads: this.#reads,
      failedReads: this.#failedReads,
      longestDelay: this.#longestDelay,
      highestP99: this.#highestP99,
    }
  }

  /** Reads the metrics a last time, and stops. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#reading
    await this.#read()
  }

  async #readOnAndOn(): Promise<void> {
    // What was before the load is nothing of its own.
    await this.#fetch().catch(() => '')
    while (!this.#stop.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => {})
      if (!this.#stop.signal.aborted) await this.#read()
    }
  }

  async #read(): Promise<void> {
    try {
      for (const [, which, seconds] of (await this.#fetch()).matchAll(DELAY))
        this.#note(which === 'max', Math.round(Number(seconds) * 1e6) / 1000)
      this.#reads++
    } catch {
      this.#failedReads++
    }
  }

  #note(isMax: boolean, milliseconds: number): void {
    if (isMax) this.#longestDelay = Math.max(this.#longestDelay ?? 0, milliseconds)
    else this.#highestP99 = Math.max(this.#highestP99 ?? 0, milliseconds)
  }

  async #fetch(): Promise<string> {
    const response = await fetch(this.#url, { signal: AbortSignal.timeout(READ_WITHIN_MS) })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > LARGEST) throw new Error('These are no metrics of a router.')
    }
    return text
  }
}
