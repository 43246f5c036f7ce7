/** The thread that reads manifests of persisted documents, and what it means that it ends a task. */
import { problem, ProblemError } from '@switchyard/contracts'
import { WorkerHost } from '@switchyard/worker-host'
import { FairHost } from '../threads/fair-host.ts'
import type { DocumentAnswer, DocumentProblem, ManifestTask, PublishedDocument } from './document-task.ts'

/** MiB of heap: for a composition and a manifest of the largest size. */
const MEMORY_MB = 2048
/** CPU milliseconds of one task. */
const CPU_MS = 60_000

export type ReadDocuments = Extract<DocumentAnswer, { readonly kind: 'manifest' }>

export class DocumentThread implements AsyncDisposable {
  readonly #host: FairHost<ManifestTask, DocumentAnswer>

  constructor({ memoryMb = MEMORY_MB, cpuMs = CPU_MS } = {}) {
    const module = new URL('./document-worker.ts', import.meta.url)
    const host = new WorkerHost<ManifestTask, DocumentAnswer>({
      module,
      name: 'documents',
      memoryMb,
      idleMs: 60_000,
    })
    this.#host = new FairHost(host, { cpuMs })
  }

  /**
   * Reads the documents of a manifest, or returns what is wrong with it. Throws a ProblemError if it takes
   * too much time or memory.
   */
  async read(namespace: string, manifest: Uint8Array): Promise<ReadDocuments | readonly string[]> {
    const answer = await this.#run(namespace, { kind: 'read', manifest })
    if (answer.kind === 'unreadable') return answer.problems
    if (answer.kind === 'problems') throw new Error('the thread answered another question')
    return answer
  }

  /** The documents that a composition cannot answer. Throws ProblemError as `read` does. */
  unfit(
    namespace: string,
    documents: readonly PublishedDocument[],
    artifact: Uint8Array,
  ): Promise<readonly DocumentProblem[]> {
    return this.#problems(namespace, { kind: 'fit', documents, artifact })
  }

  /** The documents that have another text in this manifest. Throws ProblemError as `read` does. */
  contradictions(
    namespace: string,
    documents: readonly PublishedDocument[],
    other: Uint8Array,
  ): Promise<readonly DocumentProblem[]> {
    return this.#problems(namespace, { kind: 'compare', documents, other })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }

  async #problems(namespace: string, task: ManifestTask): Promise<readonly DocumentProblem[]> {
    const answer = await this.#run(namespace, task)
    if (answer.kind !== 'problems') throw new Error('the thread answered another question')
    return answer.problems
  }

  async #run(namespace: string, task: ManifestTask): Promise<DocumentAnswer> {
    const end = await this.#host.run(namespace, task)
    switch (end.kind) {
      case 'done':
        return end.result
      case 'memory-limit':
        throw tooExpensive('memory')
      case 'cpu-limit':
      case 'time-limit':
      case 'silent':
        throw tooExpensive('time')
      case 'crashed':
        throw end.error
      case 'cancelled':
      case 'disposed':
        throw new Error('the thread that reads documents was ended: the registry is stopping')
      default:
        return end satisfies never
    }
  }
}

function tooExpensive(of: 'memory' | 'time'): ProblemError {
  return new ProblemError(
    problem(
      'DOCUMENTS_INVALID',
      `The documents take more ${of} to check than they may, so nothing was published. Divide them among several manifests.`,
    ),
  )
}
