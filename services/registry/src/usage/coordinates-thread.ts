/** The thread that knows which parts of a schema use others. */
import { problem, ProblemError } from '@switchyard/contracts'
import { type ArtifactStores, readArtifact } from '@switchyard/event-log'
import { WorkerHost } from '@switchyard/worker-host'
import { FairHost } from '../threads/fair-host.ts'
import type { CoordinatesAnswer, CoordinatesTask } from './coordinates-task.ts'

const MEMORY_MB = 1024
const CPU_MS = 20_000
/** The thread remembers schemas, so it stays for a while. */
const IDLE_MS = 10 * 60_000

/** The composition whose schema is asked about. */
export type AskedSchema = {
  readonly namespace: string
  readonly artifact: string
  readonly pieces?: string | undefined
}

export class CoordinatesThread implements AsyncDisposable {
  readonly #host: FairHost<CoordinatesTask, CoordinatesAnswer>
  readonly #stores: ArtifactStores

  constructor(stores: ArtifactStores) {
    const module = new URL('./coordinates-worker.ts', import.meta.url)
    const options = { module, name: 'usage', memoryMb: MEMORY_MB, idleMs: IDLE_MS }
    this.#host = new FairHost(new WorkerHost<CoordinatesTask, CoordinatesAnswer>(options), { cpuMs: CPU_MS })
    this.#stores = stores
  }

  /** Throws a ProblemError if it takes too much time or memory. */
  async ask(schema: AskedSchema, question: CoordinatesTask['question']): Promise<CoordinatesAnswer> {
    const { namespace, artifact: sha256 } = schema
    const answer = await this.#run(namespace, { sha256, question })
    if (answer.kind !== 'unknown-artifact') return answer
    const artifact = await readArtifact(this.#stores, schema)
    return this.#run(namespace, { sha256, question, artifact })
  }

  async related(
    schema: AskedSchema,
    kind: 'users-of' | 'implied-by',
    coordinates: readonly string[],
  ): Promise<Extract<CoordinatesAnswer, { kind: 'related' }>> {
    const answer = await this.ask(schema, { kind, coordinates })
    if (answer.kind === 'related') return answer
    throw new Error('the thread answered another question')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }

  async #run(namespace: string, task: CoordinatesTask): Promise<CoordinatesAnswer> {
    const end = await this.#host.run(namespace, task)
    if (end.kind === 'done') return end.result
    if (end.kind === 'crashed') throw end.error
    throw new ProblemError(
      problem(
        'LIMIT_EXCEEDED',
        'The schema takes more time or memory to read than it may, so nobody can tell which parts of it are used.',
      ),
    )
  }
}
