/**
 * A real server as a child process of a test: on a free loopback port, with its data in a temporary
 * directory, able to die and come back on the same port with the same data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface SpawnedServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly dataDirectory: string
  /** The present process; changes with `restart`. */
  readonly pid: number
  readonly running: boolean
  /** The end of what the present process wrote. */
  readonly output: string
  /** Ends the process in the orderly way and keeps the data. */
  stop(): Promise<void>
  /** Ends it as a crash does: SIGKILL, no last word to clients or disk. */
  kill9(): Promise<void>
  /** Starts it again on the same port and data; stops it first when it runs. */
  restart(): Promise<void>
}

export type ServerProgram = {
  readonly binary: string
  /** The path of the program. Without it, the program is looked for by its name. */
  readonly path?: string
  readonly scheme: string
  readonly arguments: (port: number, dataDirectory: string) => readonly string[]
}

const STARTS = 5
const START_LIMIT_MS = 15_000

/**
 * Returns the path of a program, which may also be in the usual folders of servers. Null if there is none.
 */
export function programPath(binary: string): string | null {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  for (const directory of directories) {
    const path = join(directory, binary)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not here: the next directory.
    }
  }
  return null
}

/** Starts a server on a free port. Tries other ports if somebody else was faster. */
export async function startServer(program: ServerProgram): Promise<SpawnedServer> {
  const path = program.path ?? programPath(program.binary)
  if (path === null) throw new Error(`${program.binary} is not installed, expected it on PATH.`)
  const dataDirectory = await mkdtemp(join(tmpdir(), `${program.binary}-`))
  let failure: unknown
  for (let attempt = 0; attempt < STARTS; attempt += 1) {
    const server = new ChildServer(program, path, await freePort(), dataDirectory)
    try {
      await server.restart()
      return server
    } catch (error) {
      failure = error
      await server.kill9()
    }
  }
  await rm(dataDirectory, { recursive: true, force: true })
  throw failure
}

/**
 * Starts a server on this port and no other, for servers that tell each other their addresses. It keeps its
 * data in `dataDirectory`, which it removes in the end.
 */
export async function startServerOn(
  program: ServerProgram,
  port: number,
  dataDirectory: string,
): Promise<SpawnedServer> {
  const path = program.path ?? programPath(program.binary)
  if (path === null) throw new Error(`${program.binary} is not installed, expected it on PATH.`)
  const server = new ChildServer(program, path, port, dataDirectory)
  try {
    await server.restart()
    return server
  } catch (error) {
    await server.kill9()
    throw error
  }
}

class ChildServer implements SpawnedServer {
  readonly port: number
  readonly dataDirectory: string
  readonly #program: ServerProgram
  readonly #path: string
  #process: ChildProcess | null = null
  #output = ''

  constructor(program: ServerProgram, path: string, port: number, dataDirectory: string) {
    this.#program = program
    this.#path = path
    this.port = port
    this.dataDirectory = dataDirectory
  }

  get url(): string {
    return `${this.#program.scheme}://127.0.0.1:${this.port}`
  }

  get pid(): number {
    const pid = this.#process?.pid
    if (pid === undefined) throw new Error(`${this.#program.binary} is not running.`)
    return pid
  }

  get running(): boolean {
    const child = this.#process
    return child !== null && child.exitCode === null && child.signalCode === null
  }

  get output(): string {
    return this.#output
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  kill9(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async restart(): Promise<void> {
    await this.stop()
    this.#output = ''
    const child = spawn(this.#path, this.#program.arguments(this.port, this.dataDirectory), {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    const collect = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-4_000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', collect)
    const deadline = performance.now() + START_LIMIT_MS
    while (!(await accepts(this.port))) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
        throw new Error(`${this.#program.binary} did not come up on port ${this.port}: ${this.#output}`)
      }
      await sleep(10)
    }
    // Something else may have answered on the port while our process was failing to bind it.
    await sleep(20)
    if (child.exitCode !== null) throw new Error(`${this.#program.binary} ended: ${this.#output}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await rm(this.dataDirectory, { recursive: true, force: true, maxRetries: 3 })
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (child === null) return
    this.#process = null
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    child.kill(signal)
    const tooLate = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(tooLate)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = (result: boolean): void => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
