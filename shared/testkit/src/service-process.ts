/** A service as a process of its own, the way it runs in production. */
import { spawn } from 'node:child_process'
import { bareEnvironment } from './bare-environment.ts'
import { programFile } from './program-file.ts'
import { freePort } from './servers/free-port.ts'
import { waitFor } from './waiting/wait-for.ts'

export interface ServiceProcess extends AsyncDisposable {
  readonly port: number
  /** Standard output and error so far. */
  output(): string
  ready(): Promise<boolean>
  /** Resolves with the exit code; null after a kill. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/**
 * Starts a service. `main` is its main module, from the root of the checkout. Resolves when it answers its
 * liveness check.
 */
export async function startServiceProcess(
  main: string,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [programFile(main)], {
    env: bareEnvironment({ SWITCHYARD_PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  const answers = async (path: string): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the process ended: ${output}`)
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
    return response?.ok ?? false
  }
  const end = (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  // A process compiles a lot before it answers, and a busy machine may run dozens of them.
  await waitFor('the process to answer', () => answers('/health/live'), { withinMs: 120_000 }).catch(
    async (error: unknown) => {
      await end('SIGKILL')
      throw error
    },
  )
  return {
    port,
    output: () => output,
    ready: () => answers('/health/ready'),
    end,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL')
    },
  }
}
