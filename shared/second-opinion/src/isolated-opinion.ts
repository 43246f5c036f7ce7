/**
 * A second opinion in a thread of its own.
 *
 * Some operations make the stitching library throw where nobody can catch it, which ends a process. In its own thread that
 * is one operation without a second opinion: whoever asks learns that it crashed, and the next question starts a new thread.
 */
import { Worker } from 'node:worker_threads'
import type { OpinionReply, OpinionTask } from './opinion-messages.ts'
import type { Opinion, OpinionRequest, SecondOpinion, SecondOpinionOptions } from './second-opinion.ts'
import { SecondOpinionError } from './second-opinion-error.ts'

/** To be disposed of, or the thread keeps the process. */
export type IsolatedSecondOpinion = SecondOpinion & AsyncDisposable

/** Rejects with a `SecondOpinionError` when this supergraph cannot be stitched. One operation at a time. */
export async function isolatedSecondOpinion(options: SecondOpinionOptions): Promise<IsolatedSecondOpinion> {
  let thread: OpinionThread | null = new OpinionThread(options)
  await thread.ready
  return {
    async execute(request) {
      if (thread === null || thread.isOver) thread = new OpinionThread(options)
      await thread.ready
      return await thread.execute(request)
    },
    async [Symbol.asyncDispose]() {
      await thread?.end()
      thread = null
    },
  }
}

type Waiting = { readonly resolve: (opinion: Opinion) => void; readonly reject: (error: Error) => void }

class OpinionThread {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #execute: SecondOpinionOptions['execute']
  #waiting: Waiting | null = null
  #isOver = false

  constructor({ supergraphSdl, labels, execute }: SecondOpinionOptions) {
    this.#execute = execute
    this.#worker = new Worker(new URL('./opinion-worker.ts', import.meta.url), {
      workerData: { supergraphSdl, labels },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const started = Promise.withResolvers<void>()
    this.ready = started.promise
    this.#worker.on('message', (reply: OpinionReply) => {
      switch (reply.kind) {
        case 'ready':
          started.resolve()
          return
        case 'not-stitchable':
          this.#isOver = true
          started.reject(new SecondOpinionError('OPINION_NOT_STITCHABLE', reply.detail))
          return
        case 'question':
          void this.#answer(reply)
          return
        case 'opinion':
          this.#settle()?.resolve(reply.opinion)
          return
        case 'none':
          this.#settle()?.reject(new SecondOpinionError(reply.code, reply.detail))
          return
        default:
          reply satisfies never
      }
    })
    const broken = (error: Error) => {
      this.#isOver = true
      started.reject(error)
      this.#settle()?.reject(new SecondOpinionError('OPINION_CRASHED', error.message, error))
    }
    this.#worker.on('error', broken)
    this.#worker.on('exit', (code) => broken(new Error(`its thread ended with ${code}`)))
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async execute(request: OpinionRequest): Promise<Opinion> {
    const waiting = Promise.withResolvers<Opinion>()
    this.#waiting = waiting
    this.#send({ kind: 'execute', request })
    return await waiting.promise
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting
    this.#waiting = null
    return waiting
  }

  async #answer({ id, subgraph, question }: Extract<OpinionReply, { kind: 'question' }>): Promise<void> {
    try {
      this.#send({ kind: 'answer', id, body: await this.#execute(subgraph, question) })
    } catch (error) {
      this.#send({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
    }
  }

  #send(task: OpinionTask): void {
    this.#worker.postMessage(task, [])
  }
}
