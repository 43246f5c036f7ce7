/**
 * Compiles artifacts in a worker thread, one after the other, so that the serving thread only has to adopt
 * the result, in small pieces. The thread is started ahead of the first work, and ends after a while without
 * work, which gives back the memory of a large compilation.
 */
import { buffersOf, type CompiledGraph, joinGraph } from '@switchyard/engine'
import { type TaskEnd, WorkerHost } from '@switchyard/worker-host'
import { messageOf } from '@switchyard/values'
import type { PackedGraph } from '../../planning/packed-graph.ts'
import { type ArtifactContent, unpackedSizeOf } from '../content/artifact-content.ts'
import type { SubgraphAddress } from '../../call/endpoints.ts'
import { type CompileAnswer, compileArtifact } from './compile-artifact.ts'
import { takeTurns } from './turns.ts'

export type CompiledArtifact = {
  readonly compiled: CompiledGraph
  readonly packed: PackedGraph
  /** Approximate size of the opened graph in memory, in bytes. */
  readonly size: number
  readonly subgraphs: readonly SubgraphAddress[]
  /** Whether the graph of a changed text can be compiled from this one. */
  readonly isPatchable: boolean
}
/** The result as the thread sends it: the graph is still in pieces. */
type SentArtifact = Extract<CompileAnswer, { readonly ok: true }>

export class NotCompiledError extends Error {
  override readonly name = 'NotCompiledError'
}

/** Flags that are asked for one after the other share a thread. */
const IDLE_MS = 10_000
/**
 * Unpacked bytes of a first artifact that is compiled without a thread: 40 types of 20 fields, which take
 * 30 ms of CPU in a process that has just started.
 */
const SMALL_BYTES = 16_384
const TIME_LIMIT_MS = 60_000
/**
 * Heap of an opened graph per byte that was sent: 1.7 to 2.6 for graphs of 20 to 12,000 types. Operations add
 * the types of the client schema that they name.
 */
export const MEMORY_PER_BYTE = 2.5

export class Compiler implements AsyncDisposable {
  readonly #host = new WorkerHost<ArtifactContent, CompileAnswer>({
    module: new URL('./compile-worker.ts', import.meta.url),
    name: 'compilation',
    idleMs: IDLE_MS,
  })
  /** Settles when everything that was asked for so far is compiled. */
  #last: Promise<unknown> = Promise.resolve()
  #isFirst = true

  /** Throws NotCompiledError with the reason. */
  async compile(content: ArtifactContent): Promise<CompiledArtifact> {
    const isFirst = this.#isFirst
    this.#isFirst = false
    const answer =
      isFirst && unpackedSizeOf(content) <= SMALL_BYTES
        ? compileArtifact(content)
        : await this.#inThread(content)
    const { pieces, packed, subgraphs, isPatchable } = artifactOf(answer)
    const sent = buffersOf(pieces).reduce((bytes, { byteLength }) => bytes + byteLength, 0)
    return {
      compiled: await joinGraph(pieces, takeTurns()),
      packed,
      size: Math.ceil(packed.whole.byteLength + MEMORY_PER_BYTE * sent),
      subgraphs,
      isPatchable,
    }
  }

  async #inThread(content: ArtifactContent): Promise<CompileAnswer> {
    const end = this.#last.then(() => this.#host.run(content, { timeMs: TIME_LIMIT_MS }))
    // This promise must not keep the result: the bytes of a large graph take much memory.
    this.#last = end.then(nothing, nothing)
    return answerOf(await end)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}

function nothing(): void {}

function artifactOf(answer: CompileAnswer): SentArtifact {
  if (answer.ok) return answer
  throw new NotCompiledError(answer.message)
}

function answerOf(end: TaskEnd<CompileAnswer>): CompileAnswer {
  switch (end.kind) {
    case 'done':
      return end.result
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
