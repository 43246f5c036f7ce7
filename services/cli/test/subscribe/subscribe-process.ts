/** `switchyard subscribe` as a process, as users start it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnvironment, programFile, waitFor } from '@switchyard/testkit'
import { onTestFinished } from 'vitest'

const MAIN = programFile('services/cli/src/main.ts')

export type SubscribeProcess = {
  stdout: string
  stderr: string
  /** The lines of standard output so far. */
  readonly lines: readonly string[]
  /** Waits until standard output has so many lines. */
  printed(count: number): Promise<unknown>
  /** Waits until standard error has this text. */
  told(text: string): Promise<unknown>
  /** Sends Ctrl-C. */
  interrupt(): void
  /** Closes its standard output, as `head` does. */
  stopReading(): void
  /** Resolves with the exit code. */
  readonly end: Promise<number | null>
}

export function startSubscribe(
  words: readonly string[],
  { cwd, input }: { readonly cwd?: string; readonly input?: string } = {},
): SubscribeProcess {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'subscribe', ...words],
    {
      ...(cwd === undefined ? {} : { cwd }),
      env: bareEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  child.stdin.on('error', () => {}).end(input ?? '')
  const running: SubscribeProcess = {
    stdout: '',
    stderr: '',
    get lines() {
      return running.stdout.split('\n').slice(0, -1)
    },
    printed: (count) => waitFor(`${count} lines on stdout`, () => running.lines.length >= count),
    told: (text) => waitFor(`"${text}" on stderr`, () => running.stderr.includes(text)),
    interrupt: () => void child.kill('SIGINT'),
    stopReading: () => child.stdout.destroy(),
    end: closed.then(() => child.exitCode),
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (running.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (running.stderr += text))
  return running
}
