/**
 * Checks SDL without keeping others waiting: 8 MiB of it take the parser seconds, in which the registry would answer
 * nobody. Small texts are checked at once; large ones in a thread, which is started for the first of them.
 */
import { Worker } from 'node:worker_threads'
import { Problem } from '@switchyard/contracts'
import { z } from 'zod'
import { sdlProblem } from './sdl.ts'

/** Below this a check takes a few milliseconds. */
const LARGE = 128 * 1024
const WORKER = new URL('./sdl-worker.ts', import.meta.url)
const Answer = z.object({ id: z.int(), problem: Problem.nullable() })

type Waiting = PromiseWithResolvers<Problem | null>

export class SdlChecker implements AsyncDisposable {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #lastId = 0

  async check(name: string, sdl: string): Promise<Problem | null> {
    if (sdl.length < LARGE) return sdlProblem(name, sdl)
    this.#lastId += 1
    const waiting = Promise.withResolvers<Problem | null>()
    this.#waiting.set(this.#lastId, waiting)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id: this.#lastId, name, sdl }, [])
    return waiting.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(WORKER)
    worker.unref()
    worker.on('message', (message: unknown) => {
      const answer = Answer.parse(message)
      this.#waiting.get(answer.id)?.resolve(answer.problem)
      this.#waiting.delete(answer.id)
    })
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', (code) => this.#end(worker, new Error(`the thread that checks SDL ended (${code})`)))
    return worker
  }

  /** Whoever waits is told; the next text starts a new thread. */
  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}
