/**
 * Checks SDL without keeping others waiting: 8 MiB of it take the parser seconds and more than a gigabyte. A
 * small text is checked at once; what is larger, and what comes in the same turn of the event loop beyond
 * that, is checked in a thread, one text at a time, namespaces in turns.
 */
import { type Problem, problem } from '@switchyard/contracts'
import { WorkerHost } from '@switchyard/worker-host'
import { FairHost } from '../threads/fair-host.ts'
import { type NamedSdl, sdlProblem } from './sdl.ts'

/** The longest text, in UTF-16 units, that is checked at once. It takes 20 ms at most, whatever it holds. */
const AT_ONCE = 32 * 1024
/** MiB of heap. 8 MiB of the shortest tokens take 1.3 GB. */
const MEMORY_MB = 2048
/** CPU milliseconds of one text: far more than 8 MiB of the shortest tokens take. */
const CPU_MS = 60_000

export type SdlCheckerOptions = {
  readonly memoryMb?: number
  readonly cpuMs?: number
}

export class SdlChecker implements AsyncDisposable {
  readonly #host: FairHost<NamedSdl, Problem | null>
  /** Checked at once in this turn of the event loop. */
  #inThisTurn = 0

  constructor({ memoryMb = MEMORY_MB, cpuMs = CPU_MS }: SdlCheckerOptions = {}) {
    const module = new URL('./sdl-worker.ts', import.meta.url)
    const host = new WorkerHost<NamedSdl, Problem | null>({ module, name: 'SDL checks', memoryMb })
    this.#host = new FairHost(host, { cpuMs })
  }

  /** Null for SDL that can be kept. Rejects when the thread that checks it crashes, or is disposed. */
  async check(namespace: string, name: string, sdl: string): Promise<Problem | null> {
    if (this.#fitsInThisTurn(sdl)) return sdlProblem(name, sdl)
    return this.#checkInThread(namespace, { name, sdl })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }

  #fitsInThisTurn({ length }: string): boolean {
    if (this.#inThisTurn + length > AT_ONCE) return false
    if (this.#inThisTurn === 0) setImmediate(() => void (this.#inThisTurn = 0))
    this.#inThisTurn += length
    return true
  }

  async #checkInThread(namespace: string, { name, sdl }: NamedSdl): Promise<Problem | null> {
    const end = await this.#host.run(namespace, { name, sdl })
    switch (end.kind) {
      case 'done':
        return end.result
      case 'memory-limit':
        return tooExpensive(name, 'memory')
      case 'cpu-limit':
      case 'time-limit':
      case 'silent':
        return tooExpensive(name, 'time')
      case 'crashed':
        throw end.error
      case 'cancelled':
      case 'disposed':
        throw new Error('the thread that checks SDL was ended: the registry is stopping')
      default:
        return end satisfies never
    }
  }
}

function tooExpensive(name: string, of: 'memory' | 'time'): Problem {
  return problem(
    'SCHEMA_INVALID',
    `The schema of "${name}" takes more ${of} to read than a schema may, so nothing was published. Leave out what is repeated in it, or divide it among several subgraphs.`,
  )
}
