/**
 * Compiles artifacts in a worker thread, one after the other, so that a swap costs the serving thread nothing but the
 * adoption, and that in small pieces. The thread is started ahead of the first work and ends when there has been none for
 * a while: the memory of a large compilation is given back.
 */
import { Worker } from 'node:worker_threads'
import { buffersOf, type CompiledGraph, type GraphPieces, joinGraph } from '@switchyard/engine'
import { messageOf } from '../errors/http-error.ts'
import type { PackedGraph } from '../planning/packed-graph.ts'
import type { SubgraphAddress } from '../subgraph/endpoints.ts'
import { takeTurns } from './turns.ts'

export type CompileRequest = { readonly id: number; readonly gzipped: Uint8Array }
export type CompileAnswer =
  | ({ readonly id: number; readonly ok: true } & SentArtifact)
  | { readonly id: number; readonly ok: false; readonly message: string }
export type CompiledArtifact = {
  readonly compiled: CompiledGraph
  readonly packed: PackedGraph
  /** What the opened graph takes in memory, roughly, in bytes. */
  readonly size: number
  readonly subgraphs: readonly SubgraphAddress[]
}
/** As it comes from the thread: the graph still in pieces. */
type SentArtifact = Omit<CompiledArtifact, 'compiled' | 'size'> & { readonly pieces: GraphPieces }

export class NotCompiledError extends Error {
  override readonly name = 'NotCompiledError'
}

const IDLE_MS = 60_000
const TIME_LIMIT_MS = 60_000
/** Heap of an opened graph with its client schema per byte that was sent: 3.2 to 3.8 for graphs of 20 to 200 types. */
const MEMORY_PER_BYTE = 4

type Job = {
  readonly request: CompileRequest
  readonly resolve: (artifact: SentArtifact) => void
  readonly reject: (error: NotCompiledError) => void
}

export class Compiler implements AsyncDisposable {
  readonly #queue: Job[] = []
  #running: Job | null = null
  #worker: Worker | null = null
  #timer: NodeJS.Timeout | null = null
  #lastId = 0
  #disposed = false

  /** Starts the thread before there is work: loading its modules takes longer than compiling a small graph. */
  constructor() {
    this.#worker = this.#startWorker()
    this.#next()
  }

  /** Throws NotCompiledError with the reason. */
  async compile(gzipped: Uint8Array): Promise<CompiledArtifact> {
    if (this.#disposed) throw new NotCompiledError('the router is stopping')
    const { pieces, packed, subgraphs } = await new Promise<SentArtifact>((resolve, reject) => {
      this.#queue.push({ request: { id: ++this.#lastId, gzipped }, resolve, reject })
      this.#next()
    })
    const sent = buffersOf(pieces).reduce((bytes, { byteLength }) => bytes + byteLength, 0)
    return {
      compiled: await joinGraph(pieces, takeTurns()),
      packed,
      size: packed.byteLength + MEMORY_PER_BYTE * sent,
      subgraphs,
    }
  }

  #next(): void {
    if (this.#running !== null) return
    const job = this.#queue.shift()
    if (job === undefined) return this.#after(IDLE_MS, () => this.#stopWorker())
    this.#running = job
    this.#worker ??= this.#startWorker()
    this.#worker.postMessage(job.request, [])
    this.#after(TIME_LIMIT_MS, () => this.#fail(`it took longer than ${TIME_LIMIT_MS / 1000} s`))
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./compile-worker.ts', import.meta.url))
    worker.unref()
    worker.on('message', (answer: CompileAnswer) => {
      const job = this.#running
      if (job === null || job.request.id !== answer.id) return
      this.#running = null
      if (answer.ok) job.resolve(answer)
      else job.reject(new NotCompiledError(answer.message))
      this.#next()
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#fail(`the compiling thread failed: ${messageOf(error)}`)
    })
    return worker
  }

  /** The thread's state is unknown: the next job gets a new one. */
  #fail(reason: string): void {
    const job = this.#running
    this.#running = null
    this.#stopWorker()
    job?.reject(new NotCompiledError(reason))
    this.#next()
  }

  #after(milliseconds: number, action: () => void): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(action, milliseconds).unref()
  }

  #stopWorker(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    void this.#worker?.terminate()
    this.#worker = null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    const worker = this.#worker
    this.#worker = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const job of [...(this.#running === null ? [] : [this.#running]), ...this.#queue.splice(0)]) {
      job.reject(new NotCompiledError('the router is stopping'))
    }
    this.#running = null
    await worker?.terminate()
  }
}
