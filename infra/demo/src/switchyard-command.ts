/** Runs `switchyard` commands as a user would: each a process of its own, its output as the only channel. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DemoError } from './settings.ts'

/** Commands are run there, so that their paths are short and can be typed again. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = fileURLToPath(new URL('../../../services/cli/src/main.ts', import.meta.url))

export type CommandEnvironment = Readonly<Record<string, string | undefined>>

/** Resolves with what the command printed; rejects with it when the command failed. */
export async function runCommand(
  args: readonly string[],
  env: CommandEnvironment,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
    env,
    signal,
    cwd: CHECKOUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, code] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    exitCode(child),
  ])
  if (code === 0) return stdout.trim()
  throw new DemoError(
    `"switchyard ${args.join(' ')}" failed with exit code ${code}.\n${stderr.trim()}\n${stdout.trim()}`.trim(),
  )
}

export type Up = AsyncDisposable & {
  readonly registryUrl: string
  readonly routerUrl: string
  /** Resolves when the process ends by itself or by being stopped. */
  readonly ended: Promise<number>
}

export type StartUpOptions = {
  readonly env: CommandEnvironment
  readonly logFile: string
  /** Aborting it stops a start that is under way. */
  readonly signal: AbortSignal
}

/** `switchyard up`, until it says where it listens. Its log goes to `logFile`. */
export async function startUp(
  args: readonly string[],
  { env, logFile, signal }: StartUpOptions,
): Promise<Up> {
  const log = await open(logFile, 'w')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, 'up', '--json', ...args],
    {
      env,
      stdio: ['ignore', 'pipe', log.fd],
      // Its own group: Ctrl-C in the terminal reaches the demo, which then stops this in order.
      detached: true,
    },
  )
  const ended = exitCode(child)
  const giveUp = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', giveUp, { once: true })
  const started = await Promise.race([readDocument(child), ended.then((code) => code)])
  signal.removeEventListener('abort', giveUp)
  await log.close()
  if (typeof started === 'number') {
    throw new DemoError(`"switchyard up" ended with exit code ${started}; ${logFile} says why.`)
  }
  const { registryUrl, routerUrl } = started
  return {
    registryUrl,
    routerUrl,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const stopped = await Promise.race([ended.then(() => true), sleep(15_000, false, { ref: false })])
      if (!stopped) child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * The JSON document that `up --json` prints once it serves: pretty-printed, so it ends with a line that is
 * `}`.
 */
async function readDocument(child: ChildProcess): Promise<{ registryUrl: string; routerUrl: string }> {
  if (child.stdout === null) throw new DemoError('"switchyard up" has no output.')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line === '}') break
  }
  // Nothing more is expected there, but a full pipe would block the process.
  child.stdout.resume()
  const document: unknown = lines.length === 0 ? null : JSON.parse(lines.join('\n'))
  const result = member(document, 'result')
  const registryUrl = member(result, 'registryUrl')
  const routerUrl = member(result, 'routerUrl')
  if (typeof registryUrl === 'string' && typeof routerUrl === 'string') return { registryUrl, routerUrl }
  // The process is about to end: its exit code is the better message.
  return new Promise(() => {})
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  stream.setEncoding('utf8')
  for await (const chunk of stream) text += String(chunk)
  return text
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}
