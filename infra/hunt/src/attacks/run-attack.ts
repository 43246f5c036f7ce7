/** One attack on a router of its own, while somebody else goes on asking. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Program } from '@switchyard/e2e'
import { waitFor } from '@switchyard/testkit'
import { huntedGraph } from '../ground/hunted-graph.ts'
import type { Attack, Tally } from './attack.ts'
import { Attacker } from './attacker.ts'
import type { AttackerSetUp } from './attacker-thread.ts'
import { type ProcessUse, processUse } from './process-use.ts'
import { askQuietly, type Experience } from './quiet-client.ts'
import type { SubgraphSetUp } from './subgraph-thread.ts'

export type AttackReport = {
  readonly attack: string
  readonly tally: Tally
  readonly quiet: Experience
  readonly before: ProcessUse
  /** Null: the router ended. */
  readonly after: ProcessUse | null
  /** The last that it said, where it ended. */
  readonly output: string
}

export type AttackOptions = {
  readonly seconds: number
  /** Of the graph. */
  readonly types: number
}

export const QUIET = { address: '127.0.0.3', every: 20 }
const ATTACKER = '127.0.0.2'
/** So many requests before, so that what starting costs is not taken for the attack. */
export const WARM_UP_MS = 500

export async function runAttack(attack: Attack, { seconds, types }: AttackOptions): Promise<AttackReport> {
  await using parts = new AsyncDisposableStack()
  const subgraph = async (setUp: SubgraphSetUp): Promise<number> => {
    const worker = new Worker(new URL('subgraph-thread.ts', import.meta.url), { workerData: setUp })
    parts.defer(async () => void (await worker.terminate()))
    const [port] = (await once(worker, 'message')) as [number]
    return port
  }
  const [a, b] = await Promise.all([subgraph({ attack: null }), subgraph({ attack: attack.name })])
  const graph = huntedGraph({ a: `http://127.0.0.1:${a}/`, b: `http://127.0.0.1:${b}/` }, types)
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-attack-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const router = parts.use(await startRouter(folder, graph.supergraph, attack.settings ?? ''))
  const port = portOf(router)

  await askQuietly({ port, ...QUIET }, AbortSignal.timeout(WARM_UP_MS))
  const before = processUse(router.pid)
  const stop = new AbortController()
  const quiet = askQuietly({ port, ...QUIET }, stop.signal)
  const data: AttackerSetUp = { name: attack.name, port, address: ATTACKER }
  const attacker = parts.use(await Attacker.start('attacker-thread.ts', data))
  await delay(seconds * 1000)
  const tally = attacker.stop()
  stop.abort()
  return {
    attack: attack.name,
    quiet: await quiet,
    tally: await tally,
    before,
    after: router.running ? processUse(router.pid) : null,
    output: router.running ? '' : router.output.slice(-2000),
  }
}

async function startRouter(folder: string, supergraph: string, settings: string): Promise<Program> {
  const files = { supergraph: join(folder, 'supergraph.graphql'), settings: join(folder, 'router.yaml') }
  await writeFile(files.supergraph, supergraph)
  await writeFile(files.settings, `access_log: { enabled: false }\n${settings}`)
  const router = new Program('router', 'services/router/src/main.ts', [], {
    SWITCHYARD_HOST: '127.0.0.1',
    SWITCHYARD_PORT: '0',
    SWITCHYARD_SUPERGRAPH: files.supergraph,
    SWITCHYARD_CONFIG: files.settings,
  })
  await waitFor('the router to listen', () => {
    if (!router.running) throw new Error(`The router ended: ${router.output}`)
    return router.events.some(({ event }) => event === LISTENING)
  })
  return router
}

const LISTENING = 'router.listening'

function portOf(router: Program): number {
  const url = router.events.find(({ event }) => event === LISTENING)?.['url']
  return Number(new URL(String(url)).port)
}
