/**
 * Tries documents in threads, however few they are: anybody who may publish has written them, and the
 * process of a check stays free to be interrupted.
 */
import { availableParallelism } from 'node:os'
import type { DocumentExplanation, DocumentResult, DocumentTask } from './document-task.ts'
import { MAX_THREADS, type RunOptions } from './run-tasks.ts'
import { TaskThreads } from './task-threads.ts'

export type DocumentTrial = Pick<DocumentTask, 'supergraph' | 'documents'>

/** MiB of heap, and CPU milliseconds of one task: as the registry allows when documents are published. */
const MEMORY_MB = 2048
const CPU_MS = 60_000
/** Characters of the documents of one task, and for how many each counts besides its own. */
const TASK_CHARACTERS = 4 * 1024 * 1024
const EACH_DOCUMENT = 100
const MODULE = new URL('./document-thread.ts', import.meta.url)

export class DocumentTrials implements AsyncDisposable {
  readonly #threads: TaskThreads<DocumentTask, DocumentResult>
  readonly #signal: AbortSignal | undefined

  constructor({ signal, threads = Math.min(MAX_THREADS, availableParallelism()) }: RunOptions) {
    this.#signal = signal
    this.#threads = new TaskThreads({
      module: MODULE,
      name: 'documents',
      memoryMb: MEMORY_MB,
      threads: Math.max(1, threads),
      cpuMs: CPU_MS,
      doing: 'Trying published documents against one composition',
    })
  }

  /** Returns for each trial the places in its list of documents that its composition cannot answer. */
  async unfit(trials: readonly DocumentTrial[]): Promise<readonly (readonly number[])[]> {
    const parts = trials.flatMap((trial, index) => partsOf(trial).map((part) => ({ ...part, index })))
    const tasks = parts.map(({ supergraph, documents }) => ({ supergraph, documents, explains: false }))
    const results = await this.#threads.run(tasks, this.#signal)
    const unfit = trials.map((): number[] => [])
    for (const [part, { index, first }] of parts.entries())
      for (const place of results[part]?.unfit ?? []) unfit[index]?.push(first + place)
    return unfit
  }

  /**
   * Explains why documents of which none can be answered are not. They are few, so each trial is one task.
   */
  async explain(trials: readonly DocumentTrial[]): Promise<readonly (readonly DocumentExplanation[])[]> {
    const tasks = trials.map((trial) => ({ ...trial, explains: true }))
    const results = await this.#threads.run(tasks, this.#signal)
    return results.map(({ explanations }) => explanations)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]()
  }
}

/** Divides the documents of a trial. `first` is the place of a part's first document in the whole list. */
function partsOf({ supergraph, documents }: DocumentTrial): readonly (DocumentTrial & { first: number })[] {
  const parts: { readonly supergraph: string; readonly documents: string[]; readonly first: number }[] = []
  let characters = Infinity
  for (const [first, text] of documents.entries()) {
    const size = EACH_DOCUMENT + text.length
    if (characters + size > TASK_CHARACTERS) {
      parts.push({ supergraph, documents: [], first })
      characters = 0
    }
    characters += size
    parts.at(-1)?.documents.push(text)
  }
  return parts
}
