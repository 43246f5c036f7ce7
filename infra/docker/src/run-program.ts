/** Runs a program to its end and keeps its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type RunOptions = {
  /** Added to the environment of this process; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd }: RunOptions = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const [code]: unknown[] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : -1, stdout, stderr }
}
