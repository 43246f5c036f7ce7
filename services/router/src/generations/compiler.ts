/**
 * Compiles artifacts in a worker thread, one after the other, so that a swap costs the serving thread nothing
 * but the adoption, and that in small pieces. The thread is started ahead of the first work and ends when
 * there has been none for a while: the memory of a large compilation is given back.
 */
import { buffersOf, type CompiledGraph, type GraphPieces, joinGraph } from '@switchyard/engine'
import { type TaskEnd, WorkerHost } from '@switchyard/worker-host'
import { messageOf } from '../errors/http-error.ts'
import type { PackedGraph } from '../planning/packed-graph.ts'
import type { SubgraphAddress } from '../subgraph/endpoints.ts'
import { takeTurns } from './turns.ts'

/** What the thread makes of the gzipped bytes of an artifact. */
export type CompileAnswer =
  | ({ readonly ok: true } & SentArtifact)
  | { readonly ok: false; readonly message: string }
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
/**
 * Heap of an opened graph with its client schema per byte that was sent: 3.2 to 3.8 for graphs of 20 to 200
 * types.
 */
const MEMORY_PER_BYTE = 4

export class Compiler implements AsyncDisposable {
  readonly #host = new WorkerHost<Uint8Array, CompileAnswer>({
    module: new URL('./compile-worker.ts', import.meta.url),
    name: 'compilation',
    idleMs: IDLE_MS,
  })
  /** Settled when everything is compiled that was asked for so far. */
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Starts the thread before there is work: loading its modules takes longer than compiling a small graph.
   */
  constructor() {
    this.#host.start()
  }

  /** Throws NotCompiledError with the reason. */
  async compile(gzipped: Uint8Array): Promise<CompiledArtifact> {
    const end = this.#last.then(() => this.#host.run(gzipped, { timeMs: TIME_LIMIT_MS }))
    // Keeps nothing of what the thread sent: the bytes of a large graph are many.
    this.#last = end.then(nothing, nothing)
    const { pieces, packed, subgraphs } = artifactOf(await end)
    const sent = buffersOf(pieces).reduce((bytes, { byteLength }) => bytes + byteLength, 0)
    return {
      compiled: await joinGraph(pieces, takeTurns()),
      packed,
      size: packed.byteLength + MEMORY_PER_BYTE * sent,
      subgraphs,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}

function nothing(): void {}

function artifactOf(end: TaskEnd<CompileAnswer>): SentArtifact {
  switch (end.kind) {
    case 'done':
      if (end.result.ok) return end.result
      throw new NotCompiledError(end.result.message)
    case 'time-limit':
    case 'cpu-limit':
    case 'silent':
      throw new NotCompiledError(`it took longer than ${TIME_LIMIT_MS / 1000} s`)
    case 'memory-limit':
    case 'crashed':
      throw new NotCompiledError(`the compiling thread failed: ${messageOf(end.error)}`)
    case 'cancelled':
    case 'disposed':
      throw new NotCompiledError('the router is stopping')
    default:
      return end satisfies never
  }
}
