/** One attack on a router of its own, while somebody else goes on asking. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Program } from '@switchyard/lab'
import { createCertificate, waitFor } from '@switchyard/testkit'
import { huntedGraph } from '../ground/hunted-graph.ts'
import { type Attack, ATTACKER, SUBGRAPH_CA } from './attack.ts'
import type { AttackerSetUp } from './attacker-thread.ts'
import type { SubgraphSetUp } from './subgraph-thread.ts'
import { type AttackReport, underAttack } from './under-attack.ts'
import { turnReportEnvironment } from './watched-process.ts'

export type AttackOptions = {
  readonly seconds: number
  /** The number of object types of the graph. */
  readonly types: number
  /** Lines of the router's settings file besides those of the attack. */
  readonly settings?: string
  /** Options of Node.js for the router, such as the size of its heap. */
  readonly nodeOptions?: string
  /** Milliseconds after the attack within which memory has to go back. */
  readonly restMs: number
}

export async function runAttack(attack: Attack, options: AttackOptions): Promise<AttackReport> {
  await using parts = new AsyncDisposableStack()
  const subgraph = async (setUp: SubgraphSetUp): Promise<number> => {
    const worker = new Worker(new URL('subgraph-thread.ts', import.meta.url), { workerData: setUp })
    parts.defer(async () => void (await worker.terminate()))
    const [port] = (await once(worker, 'message')) as [number]
    return port
  }
  const certificate = createCertificate()
  const [a, b] = await Promise.all([
    subgraph({ attack: null, certificate }),
    subgraph({ attack: attack.name, certificate }),
  ])
  const urls = {
    a: `http://127.0.0.1:${a}/`,
    b: `${attack.isSecure === true ? 'https' : 'http'}://127.0.0.1:${b}/`,
  }
  const graph = huntedGraph(urls, options.types, true)
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-attack-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, SUBGRAPH_CA), certificate.cert)
  const settings = [options.settings, attack.settings].join('\n')
  const router = parts.use(await startRouter(folder, graph.supergraph, settings, options.nodeOptions))
  const port = portOf(router)
  const setUp: Omit<AttackerSetUp, 'name'> = { port, address: ATTACKER }
  const report = await underAttack({
    attack,
    thread: 'attacker-thread.ts',
    setUp,
    program: router,
    turns: join(folder, TURNS),
    port,
    seconds: options.seconds,
    restMs: options.restMs,
  })
  return { ...report, output: router.running ? '' : router.output.slice(-2000) }
}

/** The file that `turn-report.ts` writes. */
const TURNS = 'turns'

async function startRouter(
  folder: string,
  supergraph: string,
  settings: string,
  nodeOptions = '',
): Promise<Program> {
  const files = { supergraph: join(folder, 'supergraph.graphql'), settings: join(folder, 'router.yaml') }
  await writeFile(files.supergraph, supergraph)
  await writeFile(files.settings, `access_log: { enabled: false }\n${settings}`)
  const router = new Program('router', 'services/router/src/main.ts', [], {
    SWITCHYARD_HOST: '127.0.0.1',
    SWITCHYARD_PORT: '0',
    SWITCHYARD_SUPERGRAPH: files.supergraph,
    SWITCHYARD_CONFIG: files.settings,
    ...turnReportEnvironment(join(folder, TURNS), nodeOptions),
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
