/** A subgraph as a process of its own, on a port of its own, stopped by whoever started it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@switchyard/testkit'
import type { SubgraphProgram } from './framework-subgraphs.ts'
import { SHOP_DATA_FILE } from './shop-data.ts'

const START_LIMIT_MS = 120_000
const KEPT_OUTPUT = 16 * 1024

export class SubgraphProcess implements AsyncDisposable {
  readonly program: SubgraphProgram
  readonly port: number
  readonly url: string
  #output = ''
  #child: ChildProcess

  private constructor(program: SubgraphProgram, port: number) {
    this.program = program
    this.port = port
    this.url = `http://127.0.0.1:${port}${program.path}`
    this.#child = this.#spawn()
  }

  /** Resolves when the subgraph answers. */
  static async start(program: SubgraphProgram, port: number): Promise<SubgraphProcess> {
    const started = new SubgraphProcess(program, port)
    try {
      await started.#answers()
      return started
    } catch (error) {
      await started.stop()
      throw error
    }
  }

  /** Asks for the SDL, as `rover subgraph introspect` and other tools of users do. */
  async sdl(): Promise<string> {
    const { body } = await this.ask({ query: '{ _service { sdl } }' })
    const sdl = (body as { data?: { _service?: { sdl?: unknown } } }).data?._service?.sdl
    if (typeof sdl !== 'string') throw new Error(`${this.program.name} gave no SDL: ${JSON.stringify(body)}`)
    return sdl
  }

  async ask(
    request: object,
  ): Promise<{ readonly status: number; readonly type: string; readonly body: unknown }> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
      },
      body: JSON.stringify(request),
    })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      body: await response.json(),
    }
  }

  /** Stops the process by its own pid. */
  async stop(): Promise<void> {
    if (!this.#running) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  /** Starts it again on the same port. */
  async restart(): Promise<void> {
    await this.stop()
    this.#child = this.#spawn()
    await this.#answers()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  get #running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  #spawn(): ChildProcess {
    const { command, arguments: args } = this.program
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const child = spawn(command, args, {
      env: {
        PATH,
        HOME,
        PORT: String(this.port),
        SHOP_DATA: fileURLToPath(SHOP_DATA_FILE),
        PYTHONDONTWRITEBYTECODE: '1',
        ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-KEPT_OUTPUT)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => keep(Buffer.from(String(error))))
    return child
  }

  async #answers(): Promise<void> {
    await waitFor(
      `the subgraph ${this.program.name} to answer`,
      async () => {
        if (!this.#running) return true
        const answer = await this.ask({ query: '{ __typename }' }).catch(() => null)
        return answer?.status === 200
      },
      { withinMs: START_LIMIT_MS },
    )
    if (!this.#running) throw new Error(`The subgraph ${this.program.name} ended: ${this.#output}`)
  }
}
