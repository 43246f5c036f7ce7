/**
 * Checks SDL without keeping others waiting: 8 MiB of it take the parser seconds and more than a gigabyte. A small text is
 * checked at once; what is more, and what comes in the same turn of the event loop beyond that, in a thread, one text at a
 * time, namespaces in turns.
 */
import { Worker } from 'node:worker_threads'
import { Problem, problem } from '@switchyard/contracts'
import { z } from 'zod'
import { sdlProblem } from './sdl.ts'

/** In UTF-16 units. So much takes 20 ms at most, whatever is in it. */
const AT_ONCE = 32 * 1024
/** MiB of heap. 8 MiB of the shortest tokens take 1.3 GB. */
const MEMORY_MB = 2048
const WORKER = new URL('./sdl-worker.ts', import.meta.url)
const Answer = z.object({ id: z.int(), problem: Problem.nullable() })

type Waiting = {
  readonly id: number
  readonly name: string
  readonly sdl: string
} & PromiseWithResolvers<Problem | null>

export type SdlCheckerOptions = {
  readonly memoryMb?: number
}

export class SdlChecker implements AsyncDisposable {
  readonly #memoryMb: number
  /** By namespace; whoever's turn is next stands first. */
  readonly #lines = new Map<string, Waiting[]>()
  #running: Waiting | null = null
  #worker: Worker | null = null
  #lastId = 0
  /** Checked at once in this turn of the event loop. */
  #inThisTurn = 0

  constructor({ memoryMb = MEMORY_MB }: SdlCheckerOptions = {}) {
    this.#memoryMb = memoryMb
  }

  async check(namespace: string, name: string, sdl: string): Promise<Problem | null> {
    if (this.#fitsInThisTurn(sdl)) return sdlProblem(name, sdl)
    this.#lastId += 1
    const waiting = { id: this.#lastId, name, sdl, ...Promise.withResolvers<Problem | null>() }
    const line = this.#lines.get(namespace)
    if (line === undefined) this.#lines.set(namespace, [waiting])
    else line.push(waiting)
    this.#next()
    return await waiting.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  #fitsInThisTurn({ length }: string): boolean {
    if (this.#inThisTurn + length > AT_ONCE) return false
    if (this.#inThisTurn === 0) setImmediate(() => void (this.#inThisTurn = 0))
    this.#inThisTurn += length
    return true
  }

  #next(): void {
    if (this.#running !== null) return
    for (const [namespace, line] of this.#lines) {
      this.#lines.delete(namespace)
      const waiting = line.shift()
      if (line.length > 0) this.#lines.set(namespace, line)
      if (waiting === undefined) continue
      this.#running = waiting
      this.#worker ??= this.#start()
      const { id, name, sdl } = waiting
      this.#worker.postMessage({ id, name, sdl }, [])
      return
    }
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb } })
    worker.unref()
    worker.on('message', (message: unknown) => {
      const answer = Answer.parse(message)
      if (this.#running?.id === answer.id) this.#settle((waiting) => waiting.resolve(answer.problem))
    })
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', (code) => this.#end(worker, new Error(`the thread that checks SDL ended (${code})`)))
    return worker
  }

  /** Whoever's text it had is told; the next text starts a new thread. */
  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#settle((waiting) =>
      isOutOfMemory(error) ? waiting.resolve(tooMuch(waiting.name)) : waiting.reject(error),
    )
  }

  #settle(answer: (waiting: Waiting) => void): void {
    const waiting = this.#running
    this.#running = null
    if (waiting !== null) answer(waiting)
    this.#next()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(name: string): Problem {
  return problem(
    'SCHEMA_INVALID',
    `The schema of "${name}" takes more memory to read than a schema may, so nothing was published. Leave out what is repeated in it, or divide it among several subgraphs.`,
  )
}
