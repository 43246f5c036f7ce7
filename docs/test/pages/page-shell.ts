/** A shell in which the commands of a page are typed one after the other, as they stand there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '../../../shared/testkit/src/index.ts'
import { ROOT } from './commands.ts'

/** Ports that pages name, and those that stand for them here. */
export type Ports = ReadonlyMap<string, number>

/** Goes on until Ctrl-C: it is started in a terminal of its own, and stopped when the next such one is. */
const GOES_ON = /^(?:\w+=\S+ )*switchyard (?:up|router start)\b/
const STARTED = /Switchyard is up\.|"event":"router\.listening"/
const MARK = '--- finished ---'
/** Of a command that should go on, and does not. */
const FAILED = /^error: |"event":"process\.start-failed"/m

export class PageShell implements AsyncDisposable {
  readonly #folder: string
  readonly #ports: Ports
  readonly #env: NodeJS.ProcessEnv
  readonly #shell: ChildProcess
  #output = ''
  #count = 0

  constructor(folder: string, ports: Ports, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder
    this.#ports = ports
    const clean = Object.entries(process.env).filter(
      ([name]) => !/^(?:SWITCHYARD_|ENGINE_|DEV_MODE|VITEST|npm_|NODE_OPTIONS)/.test(name),
    )
    this.#env = {
      ...Object.fromEntries(clean),
      PATH: `${join(ROOT, '.tools/bin')}:${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      SWITCHYARD_METRICS_PORT: '0',
      ...env,
    }
    this.#shell = this.#spawn('bash', ['--noprofile', '--norc'], ['pipe', 'pipe', 'pipe'])
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString('utf8')))
    this.#shell.stdin?.write('set -e -o pipefail\nGOES_ON=\n')
  }

  /** Rejects with the output where the command fails. */
  async run(command: string): Promise<string> {
    const text = this.#withPorts(command)
    const file = join(this.#folder, `.command-${++this.#count}.sh`)
    const goesOn = GOES_ON.test(text)
    await writeFile(file, goesOn ? text.replace(/^(?:\w+=\S+ )*/, '$&exec ') : text)
    if (goesOn)
      await this.#type('if [ -n "$GOES_ON" ]; then kill "$GOES_ON"; wait "$GOES_ON" || true; fi', text)
    this.#output = ''
    if (!goesOn) return this.#type(`. '${file}' < /dev/null`, text)
    this.#shell.stdin?.write(`(. '${file}' < /dev/null) & GOES_ON=$!\n`)
    await this.#until(STARTED, text, FAILED)
    return this.#output
  }

  async #type(line: string, command: string): Promise<string> {
    this.#output = ''
    this.#shell.stdin?.write(`${line}\necho '${MARK}'\n`)
    await this.#until(new RegExp(`${MARK}\n`), command)
    return this.#output.replace(`${MARK}\n`, '')
  }

  /** Waits for a text, or for the shell to end, which it does where a command fails. */
  async #until(text: RegExp, command: string, fails?: RegExp): Promise<void> {
    const isOver = () =>
      text.test(this.#output) ||
      (fails?.test(this.#output) ?? false) ||
      this.#shell.exitCode !== null ||
      undefined
    await waitFor(`"${command}" to go on`, isOver, { withinMs: 120_000, everyMs: 20 })
    if (!text.test(this.#output)) throw new PageError(command, this.#output)
  }

  /** In a process group of its own, which is stopped as a whole. */
  #spawn(command: string, words: readonly string[], stdio: ('pipe' | 'ignore')[]): ChildProcess {
    return spawn(command, words, { cwd: this.#folder, env: this.#env, stdio, detached: true })
  }

  #withPorts(command: string): string {
    return command.replaceAll(/\b\d{4}\b/g, (port) => String(this.#ports.get(port) ?? port))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stop(this.#shell)
  }
}

/** A command of a page that fails. */
export class PageError extends Error {
  override readonly name = 'PageError'
  constructor(command: string, output: string) {
    super(`The page shows a command that fails:\n${command}\n${output}`)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await exited
}
