/** The router as it is deployed: its main module in a process of its own, set up by variables. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { until } from './router.ts'

const MAIN = programFile('services/router/src/main.ts')

export type RouterMain = {
  readonly child: ChildProcess
  /** All it has written so far, to either stream. */
  readonly output: { text: string }
  readonly errors: { text: string }
  readonly exit: Promise<unknown[]>
}

/**
 * Nothing of this process's environment but the path and the folder of compiled code goes along; there are no
 * metrics unless `env` says so. `main`: the file that Node.js starts.
 */
export function runRouterMain(
  env: Readonly<Record<string, string>>,
  cwd: string,
  words: readonly string[] = [],
  main = MAIN,
): RouterMain {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...words], {
    env: bareEnvironment({ SWITCHYARD_METRICS_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  })
  const output = { text: '' }
  const errors = { text: '' }
  child.stdout.on('data', (chunk) => (output.text += String(chunk)))
  child.stderr.on('data', (chunk) => {
    output.text += String(chunk)
    errors.text += String(chunk)
  })
  return { child, output, errors, exit: once(child, 'exit') }
}

/** Rejects with what the router has written when it ends or does not listen in time. */
export async function listeningAt({ child, output }: RouterMain, withinMs?: number): Promise<string> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  try {
    const url = () => /"url":"([^"]+)"/.exec(output.text)?.[1] ?? (hasEnded() ? '' : null)
    const found = await until(url, 'the router listens', withinMs)
    if (found !== '') return found
  } catch (error) {
    throw new Error(`the router does not listen: ${output.text.slice(-4000)}`, { cause: error })
  }
  throw new Error(`the router has ended: ${output.text.slice(-4000)}`)
}
