/** The thread that looks things up in the schemas of compositions. */
import { problem, ProblemError } from '@switchyard/contracts'
import { WorkerHost } from '@switchyard/worker-host'
import { FairHost } from '../threads/fair-host.ts'
import { resultOf } from '../threads/task-result.ts'
import type { SchemaAnswer, SchemaQuestion, SchemaTask } from './schema-task.ts'

/** MiB of heap: for preparing one composition of the largest size, and for those that are kept. */
const MEMORY_MB = 2048
/** CPU milliseconds of one task. Preparing 20,000 types takes some 5 s. */
const CPU_MS = 60_000
/** After so many milliseconds without a question, the memory is given back. */
const IDLE_MS = 10 * 60_000
const MOST_WAITING = 50

export type SchemaInquiry = {
  readonly namespace: string
  readonly question: SchemaQuestion
  readonly artifact: string
  readonly about: Readonly<Record<string, string>>
  readonly gzip: boolean
  /** Reads the bytes of the artifact. Called only if the thread does not hold the composition. */
  readonly read: () => Promise<Uint8Array>
}

export class SchemaThread implements AsyncDisposable {
  readonly #host: FairHost<SchemaTask, SchemaAnswer>

  constructor({ memoryMb = MEMORY_MB, cpuMs = CPU_MS } = {}) {
    const module = new URL('./schema-worker.ts', import.meta.url)
    const host = new WorkerHost<SchemaTask, SchemaAnswer>({
      module,
      name: 'schemas',
      memoryMb,
      idleMs: IDLE_MS,
    })
    this.#host = new FairHost(host, { cpuMs, mostWaiting: MOST_WAITING })
  }

  /** The answer as JSON, compressed if that was asked for. Rejects with a ProblemError if there is none. */
  async ask({ namespace, read, ...asked }: SchemaInquiry): Promise<Uint8Array> {
    const first = await this.#host.run(namespace, { ...asked, bytes: null })
    const known = resultOf(first, TOO_EXPENSIVE)
    if (known.kind !== 'bytes-needed') return bodyOf(known, asked)
    const second = await this.#host.runLate(namespace, async () => {
      // A copy of its own, which is moved to the thread.
      const bytes = new Uint8Array(await read())
      return { task: { ...asked, bytes }, transfer: [bytes.buffer] }
    })
    return bodyOf(resultOf(second, TOO_EXPENSIVE), asked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}

const TOO_EXPENSIVE = 'Looking this up in the schema of the composition'

function bodyOf(
  answer: SchemaAnswer,
  { question, about }: Omit<SchemaInquiry, 'namespace' | 'read'>,
): Uint8Array {
  switch (answer.kind) {
    case 'answer':
      return answer.body
    case 'no-such-type': {
      const name = question.kind === 'type' ? question.name : ''
      const meant = answer.meant === null ? '' : ` Did you mean "${answer.meant}"?`
      const where = `${about['composition']} of federated graph "${about['graph']}"`
      throw new ProblemError(problem('NOT_FOUND', `There is no type "${name}" in ${where}.${meant}`))
    }
    case 'bytes-needed':
      throw new Error('the thread was given a composition and asked for it')
    default:
      return answer satisfies never
  }
}
