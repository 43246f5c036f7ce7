/** A program in a process group of its own, ended with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from './gateways/gateway.ts'

const STOPS_WITHIN_MS = 5000

export type StartedProgram = AsyncDisposable & {
  readonly pid: number
  /** The exit code or the signal once it has ended, else null. */
  ended(): number | string | null
  /** The last lines that it wrote to stderr, and to stdout unless that is read. */
  lastWords(): string
}

/** Throws when there is no such program. */
export async function startProgram({ words, env = {} }: Command, log: string): Promise<StartedProgram> {
  const [program = '', ...args] = words
  const out = openSync(log, 'w')
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out],
    detached: true,
  })
  closeSync(out)
  await once(child, 'spawn')
  return started(child, log)
}

/** Resolves with its first line of output, too. */
export async function startAnnounced(
  words: readonly string[],
): Promise<{ readonly program: StartedProgram; readonly firstLine: string }> {
  const [name = '', ...args] = words
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const lines = createInterface({ input: child.stdout })
  const [firstLine]: unknown[] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${words.join(' ')} ended at once`))),
  ])
  return { program: started(child, null), firstLine: String(firstLine) }
}

function started(child: ChildProcess, log: string | null): StartedProgram {
  const { pid } = child
  if (pid === undefined) throw new Error('a program that was started has no process')
  const ended = (): number | string | null => child.exitCode ?? child.signalCode
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
  return {
    pid,
    ended,
    lastWords: () => (log === null ? '' : readFileSync(log, 'utf8').slice(-1000)),
    async [Symbol.asyncDispose]() {
      const over = ended() === null ? once(child, 'exit') : Promise.resolve()
      signal('SIGTERM')
      await Promise.race([over, sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
      signal('SIGKILL')
      await over
    },
  }
}
