/** Programs as real processes, with their output kept for the report of a failed test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { programFile } from '@switchyard/testkit'

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const KEPT_OUTPUT = 64 * 1024

/** A line of a log, by the name of its event. Lines of single requests are not kept: there are too many. */
export type LogEvent = Readonly<Record<string, unknown>> & { readonly event: string }

/** A program of a set-up, spawned or in a container. */
export interface ServiceProgram {
  readonly name: string
  readonly output: string
  /** The events that it logged so far, in order. */
  readonly events: readonly LogEvent[]
  readonly pid: number
  readonly running: boolean
  exited(): Promise<number | null>
  /** Kills the program with SIGKILL: no handler runs, and nothing is flushed. */
  kill9(): Promise<void>
  stop(): Promise<void>
  start(): void | Promise<void>
}

/** The end of what a program wrote, and the events in all of it. */
export class OutputOfProgram {
  readonly events: LogEvent[] = []
  text = ''
  #line = ''

  keep(chunk: Buffer): void {
    const text = chunk.toString('utf8')
    this.text = (this.text + text).slice(-KEPT_OUTPUT)
    const lines = (this.#line + text).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('{') || !line.includes('"event":') || line.includes('"event":"request.')) continue
      this.events.push(JSON.parse(line) as LogEvent)
    }
  }
}

/**
 * A program that is spawned. `command`: the program and its arguments. With `isGroup` everything that it
 * starts is stopped with it.
 */
export class SpawnedProgram implements ServiceProgram, AsyncDisposable {
  readonly name: string
  readonly #start: () => ChildProcess
  readonly #isGroup: boolean
  readonly #output = new OutputOfProgram()
  #child: ChildProcess

  constructor(
    name: string,
    [command = '', ...words]: readonly string[],
    environment: Readonly<Record<string, string>>,
    { isGroup = false }: { readonly isGroup?: boolean } = {},
  ) {
    this.name = name
    this.#isGroup = isGroup
    this.#start = () => {
      const child = spawn(command, words, {
        env: { ...cleanEnvironment(), ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: isGroup,
      })
      const keep = (chunk: Buffer): void => this.#output.keep(chunk)
      child.on('error', (error) => keep(Buffer.from(String(error))))
      child.stdout?.on('data', keep)
      child.stderr?.on('data', keep)
      return child
    }
    this.#child = this.#start()
  }

  get output(): string {
    return this.#output.text
  }
  get events(): readonly LogEvent[] {
    return this.#output.events
  }
  get pid(): number {
    return this.#child.pid ?? -1
  }
  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async exited(): Promise<number | null> {
    if (this.running) await once(this.#child, 'exit')
    return this.#child.exitCode
  }

  async kill9(): Promise<void> {
    if (!this.running) return
    this.#signal('SIGKILL')
    await this.exited()
  }

  async stop(): Promise<void> {
    if (!this.running) return
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), 15_000)
    await this.exited()
    clearTimeout(timer)
    if (this.#isGroup) this.#signal('SIGKILL')
  }

  start(): void {
    if (this.running) throw new Error(`${this.name} is running already`)
    this.#child = this.#start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(this.#isGroup ? -pid : pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * A program of this checkout. `launcher`: a command that becomes the program that is named after it, with the
 * same process id.
 */
export class Program extends SpawnedProgram {
  constructor(
    name: string,
    script: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    launcher: readonly string[] = [],
  ) {
    const node = [process.execPath, '--disable-warning=ExperimentalWarning']
    super(name, [...launcher, ...node, programFile(script), ...args], environment)
  }
}

export type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the command-line tool to its end, in a process of its own. */
export async function runSwitchyard(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Finished> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', programFile('services/cli/src/main.ts'), ...args],
    { cwd, env: { ...cleanEnvironment(), ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? -1, stdout, stderr }
}

export function cleanEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || /^(SWITCHYARD_|ENGINE_|DEV_MODE|VITEST|NODE_OPTIONS|INIT_CWD|npm_)/.test(name))
      continue
    kept[name] = value
  }
  // Starting a program without compiling it anew costs a third.
  return { NODE_COMPILE_CACHE: `${REPOSITORY}/.cache/compiled`, ...kept, NO_COLOR: '1' }
}
