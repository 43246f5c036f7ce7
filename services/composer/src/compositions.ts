/** Gives the result of a set of subgraphs: known, being computed for somebody else right now, or computed here. */
import type { CompositionMessage, CompositionResult } from '@switchyard/contracts'
import type { SubgraphInput } from '@switchyard/domain'
import type { BlobStore } from '@switchyard/event-log'
import type { ComposeOutcome, ComposeTask, CompositionOptions } from './compose-task.ts'
import { CompositionTimeoutError, WorkerCrashedError } from './errors.ts'
import { inlineMessages, isCut } from './inline-messages.ts'
import { inputHash } from './input-hash.ts'
import type { KnownResult, KnownResults } from './known-results.ts'
import type { SdlCache } from './sdl-cache.ts'
import type { WorkerPool } from './worker-pool.ts'

export class Compositions {
  readonly #blobs: BlobStore
  readonly #sdl: SdlCache
  readonly #pool: WorkerPool
  readonly #known: KnownResults
  readonly #running = new Map<string, Promise<KnownResult>>()

  constructor(parts: {
    readonly blobs: BlobStore
    readonly sdl: SdlCache
    readonly pool: WorkerPool
    readonly known: KnownResults
  }) {
    this.#blobs = parts.blobs
    this.#sdl = parts.sdl
    this.#pool = parts.pool
    this.#known = parts.known
  }

  /** `trusted`: artifacts that a record in force names, which therefore are in the blob store. */
  async resultOf(
    subgraphs: readonly SubgraphInput[],
    options: CompositionOptions,
    trusted: ReadonlySet<string>,
  ): Promise<CompositionResult> {
    const hash = inputHash(subgraphs, options)
    const known = this.#known.get(hash)
    if (known !== undefined && (await this.#isUsable(known, trusted))) return asResult(known, true)
    const running = this.#running.get(hash) ?? this.#start(hash, subgraphs, options)
    return asResult(await running, false)
  }

  async #isUsable(known: KnownResult, trusted: ReadonlySet<string>): Promise<boolean> {
    if ('errors' in known || trusted.has(known.artifact) || (await this.#blobs.has(known.artifact)))
      return true
    this.#known.forget(known.inputHash)
    return false
  }

  #start(
    hash: string,
    subgraphs: readonly SubgraphInput[],
    options: CompositionOptions,
  ): Promise<KnownResult> {
    const running = this.#compose(hash, subgraphs, options).finally(() => this.#running.delete(hash))
    this.#running.set(hash, running)
    return running
  }

  async #compose(
    hash: string,
    subgraphs: readonly SubgraphInput[],
    options: CompositionOptions,
  ): Promise<KnownResult> {
    const task = {
      options,
      subgraphs: await Promise.all(
        subgraphs.map(async ({ name, routingUrl, schema, baseName }) => ({
          name,
          routingUrl,
          baseName,
          sdl: await this.#sdl.get(schema),
        })),
      ),
    }
    const known = await this.#store(hash, await this.#run(task))
    this.#known.add(known)
    return known
  }

  /** A crash may come from what else the thread did: it gets a second chance on a new one. */
  async #run(task: ComposeTask): Promise<ComposeOutcome> {
    try {
      try {
        return await this.#pool.run(task)
      } catch (error) {
        if (!(error instanceof WorkerCrashedError)) throw error
        return await this.#pool.run(task)
      }
    } catch (error) {
      if (!(error instanceof WorkerCrashedError || error instanceof CompositionTimeoutError)) throw error
      const subgraphs = task.subgraphs.map(({ name }) => name)
      return {
        kind: 'failed',
        errors: [{ code: error.code, message: error.message, subgraphs, locations: [] }],
        hints: [],
      }
    }
  }

  async #store(hash: string, outcome: ComposeOutcome): Promise<KnownResult> {
    const hints = inlineMessages(outcome.hints)
    if (outcome.kind === 'composed') {
      return { inputHash: hash, artifact: await this.#blobs.put(outcome.artifact), hints }
    }
    const failed = {
      inputHash: hash,
      errors: inlineMessages(outcome.errors),
      errorCount: outcome.errors.length,
      hints,
    }
    return isCut(outcome.errors)
      ? { ...failed, errorsBlob: await this.#blobs.put(bytesOf(outcome.errors)) }
      : failed
  }
}

function asResult(known: KnownResult, again: boolean): CompositionResult {
  return 'errors' in known
    ? { status: 'failed', unchanged: again, ...known }
    : { status: again ? 'reused' : 'composed', ...known }
}

export function bytesOf(messages: readonly CompositionMessage[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(messages))
}
