/** The process behind the command line. Nothing else in this package touches `process`. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { addAbortSignal } from 'node:stream'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { say } from '@switchyard/service-kit/printable'
import { isNobodyReading, watchTerminal } from '@switchyard/service-kit/terminal'
import { runCli } from './cli.ts'
import type { CliWorld, InputStream, OutputStream, ServiceName } from './cli.ts'
import { EXIT } from './run/exit-codes.ts'
import { nodeArguments } from './node-flags.ts'

const SERVICES: Readonly<Record<ServiceName, string>> = {
  standalone: fileURLToPath(new URL('../../standalone/src/main.ts', import.meta.url)),
  router: fileURLToPath(new URL('../../router/src/main.ts', import.meta.url)),
}

/**
 * The package manager changes into the checkout before it runs the script, and leaves the user's folder here.
 */
function userFolder(): string {
  const byScript = process.env['npm_lifecycle_event'] === 'switchyard'
  return (byScript ? process.env['INIT_CWD'] : undefined) ?? process.cwd()
}

/**
 * The service takes this process over: same id, same terminal, and signals reach it with nobody in between.
 */
async function becomeService(
  service: ServiceName,
  env: CliWorld['env'],
  words: readonly string[] = [],
): Promise<number> {
  const args = [...nodeArguments(service, SERVICES[service]), ...words]
  const defined: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) defined[name] = value
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('SIGINT')
    process.removeAllListeners('SIGTERM')
    process.execve(process.execPath, [process.execPath, ...args], defined)
  }
  return runAsChild(args, defined)
}

function runAsChild(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  const forward = (signal: NodeJS.Signals) => void child.kill(signal)
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function output(stream: NodeJS.WriteStream & { fd: number }): OutputStream {
  return {
    isTTY: isatty(stream.fd),
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || undefined
    },
    get isClosed() {
      return stream.destroyed || stream.errored !== null
    },
    write: (text) => void stream.write(text),
    drained: async () => {
      if (!stream.writableNeedDrain || stream.destroyed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      // A pipe that was closed does not drain.
      for (const event of ['drain', 'close', 'error']) stream.once(event, resolve)
      await promise
      for (const event of ['drain', 'close', 'error']) stream.off(event, resolve)
    },
  }
}

const stdin: InputStream = {
  isTTY: isatty(0),
  async readLine(signal) {
    // Without an output of its own: the terminal keeps its line editing, and Ctrl-C stays a signal.
    const lines = createInterface({ input: process.stdin, terminal: false, signal })
    try {
      return await new Promise<string | null>((resolve, reject) => {
        lines.once('line', resolve)
        lines.once('close', () => (signal.aborted ? reject(signal.reason) : resolve(null)))
      })
    } finally {
      lines.close()
    }
  },
  async readAll(limit, signal) {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of addAbortSignal(signal, process.stdin)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) break
    }
    return Buffer.concat(chunks)
  },
  bytes: (signal) => addAbortSignal(signal, process.stdin),
}

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
process.once('SIGTERM', () => interrupt.abort())
// A command goes on, unless the terminal was closed at which it was started.
const terminalIsGone = watchTerminal()
process.on('SIGHUP', () => {
  if (terminalIsGone()) interrupt.abort()
})
// `switchyard … | head` closes the pipe early: there is nobody left to tell. On a full disk there is: what
// was asked may have been done, and its result is lost.
let lostOutput = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isNobodyReading(error)) return
    if (stream === process.stdout && !lostOutput) {
      say('stderr', `error: The result cannot be written: ${error.message}\n`)
    }
    lostOutput = true
    process.exitCode = EXIT.unknown
  })
}

// Set instead of exiting, so that output still in a pipe arrives.
const exitCode = await runCli(process.argv.slice(2), {
  stdin,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  env: process.env,
  cwd: userFolder(),
  signal: interrupt.signal,
  becomeService,
})
process.exitCode = lostOutput ? EXIT.unknown : exitCode
