/**
 * Four ways to share one port among processes: what a connection costs, how evenly connections are shared,
 * and what becomes of those that are being made when a worker is killed.
 *
 *     node services/router/bench/workers/accepting.ts [workers]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@switchyard/testkit'
import type { Way } from './accepting-process.ts'

const WAYS: readonly Way[] = ['round-robin', 'shared-handle', 'reuse-port', 'handed']
const WORKERS = process.argv[2] ?? '4'
const MAIN = fileURLToPath(new URL('accepting-process.ts', import.meta.url))
const PATIENCE_MS = 5000

type Started = { readonly child: ChildProcess; readonly port: number; readonly pids: Map<number, number> }

for (const way of process.argv[3] === undefined ? WAYS : WAYS.filter((known) => known === process.argv[3])) {
  const started = await start(way)
  const { child, port } = started
  const primaryBefore = await cpuOf(child)
  const workersBefore = await cpuOfWorkers(port)
  const shares = await ask(port, 3000, 20, false)
  const primary = ((await cpuOf(child)) - primaryBefore) / 3000
  const workers = ((await cpuOfWorkers(port)) - workersBefore) / 3000
  const burst = await burstOf(port, 64)
  const kept = await ask(port, 3000, 32, true)
  const killed = await killsWhile(started)
  console.log(
    JSON.stringify({
      way,
      microsecondsPerConnection: { primary: Math.round(primary), workers: Math.round(workers) },
      newConnections: shares,
      burst,
      kept,
      killed,
    }),
  )
  child.disconnect()
  await once(child, 'exit')
}

async function start(way: Way): Promise<Started> {
  const port = await freePort()
  const child = fork(MAIN, [way, WORKERS, String(port)])
  const pids = new Map<number, number>()
  child.on('message', (message: { up?: number; pid?: number }) => {
    if (message.up !== undefined) pids.set(message.up, message.pid ?? 0)
  })
  while (pids.size < Number(WORKERS)) await delay(10)
  return { child, port, pids }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answered = Promise.withResolvers<number>()
  child.once('message', ({ cpu }: { readonly cpu: number }) => answered.resolve(cpu))
  child.send('cpu')
  return await answered.promise
}

/** Sums up the CPU time of the workers, once there are as many different answers as workers. */
async function cpuOfWorkers(port: number): Promise<number> {
  const seen = new Map<string, number>()
  for (let tries = 0; tries < 400 && seen.size < Number(WORKERS); tries++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const name = await get(port, agent, '/')
    seen.set(name, Number(await get(port, agent, '/cpu')))
    agent.destroy()
  }
  return [...seen.values()].reduce((sum, cpu) => sum + cpu, 0)
}

function get(port: number, agent: Agent | false, path = '/'): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent, timeout: PATIENCE_MS }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += String(chunk)))
      response.on('end', () => resolve(text))
      response.on('error', () => resolve('cut off'))
    })
    outgoing.on('timeout', () => {
      resolve('hung')
      outgoing.destroy()
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end()
  })
}

async function ask(port: number, requests: number, atOnce: number, keepAlive: boolean) {
  const agent = keepAlive ? new Agent({ keepAlive: true, maxSockets: atOnce }) : false
  const answers = new Map<string, number>()
  let left = requests
  const loop = async (): Promise<void> => {
    while (left-- > 0) count(answers, await get(port, agent))
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  if (agent !== false) agent.destroy()
  return sorted(answers)
}

/**
 * Opens so many connections at the same moment, as a load balancer does. Each reports the worker that it came
 * to.
 */
async function burstOf(port: number, connections: number) {
  const answers = new Map<string, number>()
  await Promise.all(Array.from({ length: connections }, async () => count(answers, await get(port, false))))
  return sorted(answers)
}

/** New connections all the time, while workers are killed: those that failed, by how. */
async function killsWhile({ port, pids }: Started) {
  const answers = new Map<string, number>()
  const over = new AbortController()
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) count(answers, await get(port, false))
  }
  const loops = Array.from({ length: 20 }, loop)
  for (let kill = 0; kill < 20; kill++) {
    await delay(100)
    const [name, pid] = [...pids][kill % pids.size] ?? []
    if (name === undefined || pid === undefined) continue
    process.kill(pid, 'SIGKILL')
    while (pids.get(name) === pid) await delay(10)
  }
  over.abort()
  await Promise.all(loops)
  const failed = [...answers].filter(([answer]) => Number.isNaN(Number(answer)) || answer === '')
  return { answered: [...answers.values()].reduce((a, b) => a + b, 0), failed: Object.fromEntries(failed) }
}

function sorted(answers: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...answers].toSorted(([a], [b]) => a.localeCompare(b)))
}

function count(answers: Map<string, number>, answer: string): void {
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
}
