/**
 * Ends previews whose time is over.
 *
 * Every registry does so by its own clock. The id of the command is the same at all of them, so that one
 * record is written, whichever is first. While the log is away nothing ends here; routers stop serving a
 * preview by their own clocks all the same.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'
import { isOver, type NamespaceState, type Preview } from '@switchyard/domain'
import { traceparentOf, withSpan } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { CommandRequest } from '../writing/command-writer.ts'
import type { PreviewEvents } from './preview-events.ts'

/** Previews that are ended before others have their turn at the log. */
const MOST_AT_ONCE = 50
const INTERVAL_MS = 10_000

export type PreviewExpiryOptions = {
  /** The states of all namespaces that exist. */
  readonly states: () => Iterable<NamespaceState>
  readonly writer: { execute(request: CommandRequest): Promise<{ readonly changed: boolean }> }
  readonly events: PreviewEvents
  /** Unix milliseconds. */
  readonly now: () => number
  readonly intervalMs?: number | undefined
}

export class PreviewExpiry implements AsyncDisposable {
  readonly #options: PreviewExpiryOptions
  readonly #stop = new AbortController()
  readonly #run: Promise<void>

  constructor(options: PreviewExpiryOptions) {
    this.#options = options
    this.#run = this.#work()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#run
  }

  async #work(): Promise<void> {
    const { events, intervalMs = INTERVAL_MS } = this.#options
    const { signal } = this.#stop
    let told: string | null = null
    while (!signal.aborted) {
      const problem = await this.#endAll().then(() => null, messageOf)
      if (problem !== null && problem !== told && !signal.aborted) events.previewsNotEnded(problem)
      told = problem
      // Jittered, so that registries that began together do not all write at the same time.
      await sleep(intervalMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #endAll(): Promise<void> {
    const { states, now } = this.#options
    const over: { readonly namespace: string; readonly preview: Preview }[] = []
    for (const { namespace, previews } of states()) {
      for (const preview of previews.values()) if (isOver(preview, now())) over.push({ namespace, preview })
    }
    for (const { namespace, preview } of over.slice(0, MOST_AT_ONCE)) {
      if (this.#stop.signal.aborted) return
      await this.#end(namespace, preview)
    }
  }

  async #end(namespace: string, { flag, expires }: Preview): Promise<void> {
    const { writer, now } = this.#options
    const start = {
      attributes: { 'switchyard.namespace': namespace, 'switchyard.command': 'expire-preview' },
    }
    await withSpan(trace.getTracer('switchyard.registry'), 'registry.command', start, async (span) => {
      await writer.execute({
        namespace,
        command: { type: 'expire-preview', flag, now: now() },
        // With a space, which no id from outside has: nobody can use it up.
        commandId: `expire-preview ${flag} ${expires}`,
        commandHash: null,
        actor: 'system',
        reason: null,
        traceparent: traceparentOf(span),
        objection: () => null,
      })
    })
  }
}
