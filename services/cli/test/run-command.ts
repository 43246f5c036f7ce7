/** Runs a command in this process, as `main.ts` would, and collects what it wrote. */
import { PATIENTLY } from '@switchyard/testkit'
import { expect, vi } from 'vitest'
import { runCli } from '../src/cli.ts'
import type { ServiceName } from '../src/cli.ts'

export type Run = {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** The service that the command became, with its environment. */
  readonly became: {
    readonly service: ServiceName
    readonly env: Record<string, string | undefined>
    words?: readonly string[]
  } | null
  /** stdout as the one JSON document it must be. */
  json(): Record<string, unknown>
}

export type RunOptions = {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly terminal?: boolean
  readonly columns?: number
  /** What the user types when asked; without it the input has ended. */
  readonly typed?: string
  /** All of standard input, for what reads a file from there. */
  readonly piped?: string | Uint8Array
  readonly signal?: AbortSignal
  readonly onStdout?: (text: string) => void
  readonly onStderr?: (text: string) => void
}

export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { cwd = '/nonexistent', env = {}, terminal = false } = options
  let stdout = ''
  let stderr = ''
  let became: Run['became'] = null
  const exitCode = await runCli(args, {
    stdin: {
      isTTY: terminal,
      readLine: async () => options.typed ?? null,
      readAll: async () => Buffer.from(options.piped ?? ''),
      async *bytes() {
        yield Buffer.from(options.piped ?? '')
      },
    },
    stdout: {
      isTTY: terminal,
      columns: options.columns,
      write: (text) => {
        stdout += text
        options.onStdout?.(text)
      },
    },
    stderr: {
      isTTY: terminal,
      columns: options.columns,
      write: (text) => {
        stderr += text
        options.onStderr?.(text)
      },
    },
    env,
    cwd,
    signal: options.signal ?? new AbortController().signal,
    becomeService: async (service, serviceEnv, words) => {
      became = { service, env: { ...serviceEnv }, ...(words === undefined ? {} : { words }) }
      return 0
    },
  })
  return { exitCode, stdout, stderr, became, json: () => JSON.parse(stdout) }
}

/** Splits a line into words as a shell would: single quotes keep spaces together. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/**
 * Commands wait for the first revision of a graph only where a router follows it. `graph`: the arguments of
 * `graph get`.
 */
export async function waitUntilServed(run: (line: string) => Promise<Run>, graph: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await run(`graph get ${graph} --json`)).json()).toMatchObject({
      result: { revision: expect.any(Number) },
    })
  }, PATIENTLY)
}
