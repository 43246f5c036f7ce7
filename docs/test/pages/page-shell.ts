/** A shell in which the commands of a page are typed one after the other, as they stand there. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../../shared/testkit/src/index.ts'
import { ROOT } from './commands.ts'
import { type Ports, withPorts } from './ports.ts'

export type PageShellOptions = {
  /** Where the commands are typed first. */
  readonly folder: string
  readonly ports?: Ports
  /**
   * What a page names, such as servers of the reader's or the time for which a load goes on, and what
   * stands for it here, with ports of pages.
   */
  readonly servers?: Readonly<Record<string, string>>
  /** The folder with `switchyard`; null: there is none yet. */
  readonly bin?: string | null
  readonly env?: Readonly<Record<string, string>>
  /** Whether the shell has a network of its own, in which every port is free, and which reaches nobody. */
  readonly isAlone?: boolean
}

export type Typed = {
  /** The exit code that the page expects; 0 if it says nothing of one. */
  readonly exitCode?: number | undefined
  /** What the reader answers at the terminal. */
  readonly answer?: string | undefined
  /** The command goes on until Ctrl-C, which is pressed as soon as the terminal shows this. */
  readonly interruptAfter?: string | undefined
}

/** Goes on until Ctrl-C: it is started in a terminal of its own, and stopped when the next such one is. */
const GOES_ON =
  /^(?:\w+=\S+ )*(?:(?:npx )?switchyard (?:up|router start)\b|make demo\b|infra\/docker\/compose\.sh run --rm customers\b|docker run (?!--rm))/
const STARTED = /Switchyard is up\.|"event":"router\.listening"|Ctrl-C stops (?:everything|them)\./
const MARK = '--- finished ---'
/** Of a command that should go on, and does not. */
const FAILED = /^error: |^demo: |^make: \*\*\*|"event":"process\.start-failed"/m
const WITHIN_MS = 600_000

export class PageShell implements AsyncDisposable {
  readonly #options: PageShellOptions
  readonly #scripts: Promise<string>
  readonly #shell: ChildProcess
  #output = ''
  #count = 0
  /** The process group of what goes on, as `kill` takes it. */
  #goesOn: number | null = null

  constructor(options: PageShellOptions) {
    this.#options = options
    this.#scripts = mkdtemp(join(tmpdir(), 'switchyard-page-'))
    const bash = ['bash', '--noprofile', '--norc']
    const [command = '', ...words] =
      options.isAlone === true ? ['unshare', '--map-root-user', '--net', ...bash] : bash
    // In a process group of its own, which is stopped as a whole.
    this.#shell = spawn(command, words, {
      cwd: options.folder,
      env: environmentOf(options),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString('utf8')))
    this.#shell.stdin?.write('set -e -o pipefail\n')
    if (options.isAlone === true) this.#shell.stdin?.write('ip link set lo up\n')
  }

  /** Resolves with the output; rejects with it where the command does not end as expected. */
  async run(command: string, typed: Typed = {}): Promise<string> {
    const text = this.#asHere(command)
    const file = join(await this.#scripts, `${++this.#count}.sh`)
    const goesOn = GOES_ON.test(text)
    await writeFile(file, goesOn ? text.replace(/^(?:\w+=\S+ )*/, '$&exec ') : text)
    if (goesOn) {
      await this.stop()
      return this.#start(file, text)
    }
    const { exitCode = 0 } = typed
    const line = typedInto(file, typed)
    return this.#type(exitCode === 0 ? line : `{ ${line}; } || [ $? = ${exitCode} ]`, text)
  }

  /** Stops what goes on. */
  async stop(): Promise<void> {
    if (this.#goesOn === null) return
    await endGroup(this.#goesOn)
    this.#goesOn = null
  }

  /** In a terminal of its own, so that what it logs is not among what other commands print. */
  async #start(file: string, command: string): Promise<string> {
    const log = `${file}.log`
    this.#output = ''
    await writeFile(log, '')
    // Job control gives it a process group of its own, as a terminal does, to which Ctrl-C goes as a whole.
    this.#shell.stdin?.write(
      `set -m; (. '${file}' < /dev/null) > '${log}' 2>&1 & GOES_ON=$!; set +m; echo "goes on: $GOES_ON"\n`,
    )
    const group = await waitFor(
      `"${command}" to be started`,
      () => /^goes on: (\d+)$/m.exec(this.#output)?.[1],
    )
    this.#goesOn = -Number(group)
    const shown = await waitFor(`"${command}" to be up`, () => this.#startedOrOver(log), {
      withinMs: WITHIN_MS,
      everyMs: 50,
    })
    if (!STARTED.test(shown)) throw new PageError(command, `${shown}${this.#output}`)
    return shown
  }

  async #startedOrOver(log: string): Promise<string | null> {
    const isGone = this.#goesOn === null || !isAlive(this.#goesOn)
    const shown = await readFile(log, 'utf8')
    return isGone || STARTED.test(shown) || FAILED.test(shown) ? shown : null
  }

  async #type(line: string, command: string): Promise<string> {
    this.#output = ''
    this.#shell.stdin?.write(`${line}\necho '${MARK}'\n`)
    await this.#until(new RegExp(`${MARK}\n`), command)
    return this.#output.replace(`${MARK}\n`, '')
  }

  /** Waits for a text, or for the shell to end, which it does where a command fails. */
  async #until(text: RegExp, command: string): Promise<void> {
    const isOver = () => text.test(this.#output) || this.#shell.exitCode !== null
    try {
      await waitFor(`"${command}" to go on`, isOver, { withinMs: WITHIN_MS, everyMs: 20 })
    } catch (cause) {
      throw new PageError(command, this.#output, { cause })
    }
    if (!text.test(this.#output))
      throw new PageError(command, `${this.#output}\nIt ended with exit code ${this.#shell.exitCode}.`)
  }

  /** With the servers and ports that stand for those of the page. What a container has inside stays. */
  #asHere(command: string): string {
    const { servers = {}, ports = new Map<string, number>() } = this.#options
    let text = command
    for (const [named, here] of Object.entries(servers)) text = text.replaceAll(named, here)
    return withPorts(text, ports)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    // A shell that failed has left what else it started beside it.
    if (this.#shell.pid !== undefined) await endGroup(-this.#shell.pid)
    await rm(await this.#scripts, { recursive: true, force: true })
  }
}

/**
 * How the shell runs the command in `file`: at a terminal where somebody has to press something. The exit
 * code comes by a file, since `script --return` may lose it: it asks for it without waiting, once the
 * terminal is closed, when the program may not have ended yet.
 */
function typedInto(file: string, { answer, interruptAfter }: Typed): string {
  const shown = `${file}.shown`
  const ended = `${file}.ended`
  // The terminal's Ctrl-C reaches the shell in it as well, which must live to tell the exit code.
  const inTerminal = `trap : INT; bash '${file}'; echo $? > '${ended}'`
  const atTerminal = `script --quiet --flush --command "${inTerminal.replaceAll('$', '\\$')}" '${shown}'`
  const exitCode = `until [ -s '${ended}' ]; do sleep 0.1; done; (exit "$(cat '${ended}')")`
  if (answer !== undefined) return `{ echo '${answer}' | ${atTerminal}; ${exitCode}; }`
  if (interruptAfter === undefined) return `. '${file}' < /dev/null`
  const wait = `until grep --quiet --no-messages '${interruptAfter}' '${shown}'; do sleep 0.1; done`
  return `{ { ${wait}; printf '\\003'; } | ${atTerminal}; ${exitCode}; }`
}

/** A command of a page that fails. */
export class PageError extends Error {
  override readonly name = 'PageError'
  constructor(command: string, output: string, options?: ErrorOptions) {
    super(`The page shows a command that fails:\n${command}\n${output}`, options)
  }
}

/**
 * The folders in which a reader's shell finds `switchyard` and Node.js. In a run of all tests, `switchyard`
 * is the bundled program, which starts with half of the processor time: see `programFile` of the testkit.
 */
function programFolders(): readonly string[] {
  const bundled = process.env['SWITCHYARD_TEST_PROGRAMS'] ?? ''
  return [...(bundled === '' ? [] : [join(bundled, 'bin')]), join(ROOT, '.tools/bin')]
}

/** Of a reader who has set nothing yet. */
function environmentOf({ bin, env }: PageShellOptions): NodeJS.ProcessEnv {
  const clean = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:SWITCHYARD_|OTEL_|ENGINE_|DEV_MODE|VITEST|npm_|NODE_OPTIONS|MAKEFLAGS|MAKELEVEL)/.test(name),
  )
  const folders = bin === undefined ? programFolders() : bin === null ? [] : [bin]
  // What `make` puts on the path of tests is not there.
  const path = (process.env['PATH'] ?? '').split(':').filter((part) => !part.startsWith(ROOT))
  return {
    ...Object.fromEntries(clean),
    PATH: [...folders, ...path].join(':'),
    NO_COLOR: '1',
    SWITCHYARD_METRICS_PORT: '0',
    ...env,
  }
}

async function endGroup(group: number): Promise<void> {
  if (isAlive(group)) process.kill(group, 'SIGTERM')
  await waitFor('all of a process group to end', () => !isAlive(group))
}

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}
