import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Jwks } from '@switchyard/contracts'
import type { ConfigWorld } from './config-world.ts'
import type { LogLine } from './router.ts'

export type ProcessSetUp = {
  readonly store: string
  readonly keys: Jwks
  readonly settings: string
  /** Where the router keeps its last-known-good copy. Null: nowhere. */
  readonly copies: string | null
}

/** Bytes, and microseconds of CPU. */
export type Memory = {
  readonly heap: number
  /** What the heap takes of the machine. */
  readonly heapTotal: number
  readonly external: number
  readonly buffers: number
  readonly resident: number
  /** What the router says that operations, their plans and introspections take. */
  readonly remembered: number
  readonly cpu: number
}

/** How late the event loop was, in milliseconds. */
export type Delays = { readonly p99: number; readonly max: number }

export type RouterProcess = AsyncDisposable & {
  readonly url: string
  readonly graphqlUrl: string
  readonly port: number
  readonly logs: readonly LogLine[]
  /** What it said that is no log line: nothing, unless it fell over. */
  readonly noise: readonly string[]
  readonly exitCode: number | null
  /** After two collections. */
  measure(): Promise<Memory>
  /** As it is. */
  look(): Promise<Memory>
  /** Since this was asked last. */
  delays(): Promise<Delays>
  /** Writes what is in its heap to a file, for the developer tools of browsers. */
  snapshot(file: string): Promise<void>
}

const MAIN = 'services/router/test/support/router-process-main.ts'
const HERE = new URL('../../../..', import.meta.url)

/**
 * `openFiles`: that the system lets the process have; `tree`: another version of the router, installed;
 * `keepsCopies`: whether it has the last-known-good copies of `world`; `node`: more options of Node.js.
 * Resolves when the router serves what `world` has published.
 */
export async function startRouterProcess(
  world: ConfigWorld,
  settings: string,
  options: {
    readonly openFiles?: number | null
    readonly tree?: URL
    readonly keepsCopies?: boolean
    readonly node?: readonly string[]
  } = {},
): Promise<RouterProcess> {
  const { openFiles = null, tree = HERE, keepsCopies = false, node: nodeOptions = [] } = options
  const copies = keepsCopies ? world.copies : null
  const setUp: ProcessSetUp = { store: join(world.directory, 'store'), keys: world.keys, settings, copies }
  const main = fileURLToPath(new URL(MAIN, tree))
  const node = [
    '--expose-gc',
    '--max-semi-space-size=16',
    ...nodeOptions,
    '--disable-warning=ExperimentalWarning',
    main,
    JSON.stringify(setUp),
  ]
  const limit = openFiles === null ? '' : `ulimit -n ${openFiles} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...node], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const logs: LogLine[] = []
  const noise: string[] = []
  for (const output of [child.stdout, child.stderr]) {
    if (output === null) continue
    createInterface(output).on('line', (line) => {
      if (line.startsWith('{')) logs.push(JSON.parse(line) as LogLine)
      else noise.push(line)
    })
  }
  const exit = once(child, 'exit')
  const { port } = (await answerOf(child, exit, noise)) as { readonly port: number }
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    graphqlUrl: `${url}/graphql`,
    port,
    logs,
    noise,
    get exitCode() {
      return child.exitCode
    },
    async measure() {
      child.send('measure')
      return (await answerOf(child, exit, noise)) as Memory
    },
    async look() {
      child.send('look')
      return (await answerOf(child, exit, noise)) as Memory
    },
    async delays() {
      child.send('delays')
      return (await answerOf(child, exit, noise)) as Delays
    },
    async snapshot(file) {
      child.send({ snapshot: file })
      await answerOf(child, exit, noise)
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.send('stop')
      await exit
    },
  }
}

async function answerOf(
  child: ChildProcess,
  exit: Promise<unknown>,
  noise: readonly string[],
): Promise<unknown> {
  const gone = exit.then(() => {
    throw new Error(`The router came to its end: ${noise.join('\n')}`)
  })
  const [answer] = (await Promise.race([once(child, 'message'), gone])) as unknown[]
  return answer
}
