/** Processes whose CPU time is measured from outside. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@switchyard/testkit'

export class MeasuredProcess implements AsyncDisposable {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  /** Resolves when it listens on `SWITCHYARD_PORT`. `--cpu-prof` of this process is passed on. */
  static async start(main: URL, env: Readonly<Record<string, string>> = {}): Promise<MeasuredProcess> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = fork(fileURLToPath(main), {
      env: { ...env, PATH: process.env['PATH'], SWITCHYARD_HOST: '127.0.0.1', SWITCHYARD_PORT: String(port) },
      execArgv: [...process.execArgv, '--import', new URL('report-cpu.ts', import.meta.url).href],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const started = new MeasuredProcess(url, child)
    while (!(await started.#isReady())) {
      if (child.exitCode !== null) throw new Error(`${fileURLToPath(main)} ended before it was ready.`)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
    return started
  }

  /** Microseconds so far, of all its threads. */
  async cpu(): Promise<number> {
    return Number(await this.tell('cpu'))
  }

  /** Sends a message, one at a time, and waits for the answer. */
  async tell(message: string | object): Promise<unknown> {
    const answered = once(this.#child, 'message')
    this.#child.send(message)
    return (await answered)[0]
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/health/ready`).catch(() => null)
    return response?.ok ?? false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
  }
}
