/** A router with several workers, as it is deployed: its main module, real processes, real signals. */
import { VERSION } from '@switchyard/service-kit'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createCertificate, freePort } from '@switchyard/testkit'
import { type LogLine, send, until as untilWithin } from '../support/router.ts'
import { listeningAt, type RouterMain, runRouterMain } from '../support/router-main.ts'
import { type Shop, startShop } from '../support/shop.ts'

/** Several processes start at a time. */
const PATIENCE_MS = 90_000
const until: typeof untilWithin = (condition, what) => untilWithin(condition, what, PATIENCE_MS)

const stack = new AsyncDisposableStack()
let shop: Shop
let directory: string

beforeAll(async () => {
  shop = stack.use(await startShop())
  directory = await mkdtemp(join(tmpdir(), 'switchyard-workers-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
})
afterAll(() => stack.disposeAsync())

type Running = RouterMain & AsyncDisposable & { readonly url: string }

/** What V8 compiles is the same in every process. */
const COMPILED = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../.cache/compiled', import.meta.url)),
}

function run(env: Readonly<Record<string, string>>): RouterMain & AsyncDisposable {
  const main = runRouterMain(
    { SWITCHYARD_HOST: '127.0.0.1', SWITCHYARD_PORT: '0', ...COMPILED, ...env },
    directory,
  )
  return {
    ...main,
    async [Symbol.asyncDispose]() {
      main.child.kill('SIGKILL')
      await main.exit
    },
  }
}

/** All its workers serve. */
async function start(workers: number, settings = '', env: Record<string, string> = {}): Promise<Running> {
  const file = join(directory, 'config.json')
  const yaml = join(directory, 'router.yaml')
  await writeFile(file, JSON.stringify({ formatVersion: 1, base: shop.base.artifact, featureFlags: {} }))
  await writeFile(yaml, `workers: ${workers}\n${settings}`)
  // One that does not come up in time is ended, too.
  await using parts = new AsyncDisposableStack()
  const main = parts.use(run({ SWITCHYARD_EXECUTION_CONFIG: file, SWITCHYARD_CONFIG: yaml, ...env }))
  const graphqlUrl = await listeningAt(main, PATIENCE_MS)
  const running = { ...main, url: graphqlUrl.replace(/\/graphql$/, '') }
  await untilAllServe(running, workers)
  parts.move()
  return running
}

const linesOf = ({ output }: RouterMain): readonly LogLine[] =>
  output.text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line): LogLine => JSON.parse(line))
const logged = (main: RouterMain, event: string) => linesOf(main).filter((line) => line.event === event)

const untilAllServe = (main: RouterMain, times: number) =>
  until(() => logged(main, 'generation.built').length >= times, 'all workers serve')

/** A worker serves a moment before the primary hears of it; then connections go to all in turn. */
const untilAllHaveTheirTurn = ({ url }: Running) =>
  until(async () => {
    const { status, json } = await send(`${url}/health/ready`)
    return status === 200 && json.warning === undefined
  }, 'no worker is missing')

/** By number: of those that came up last. */
const pidsOf = (main: RouterMain) =>
  new Map(logged(main, 'worker.up').map((line) => [Number(line['worker']), Number(line['workerPid'])]))

const isThere = (pid: number): boolean => {
  try {
    // A process that has ended and was not asked about yet is there for the system, and does nothing.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

type Answer = {
  readonly trace: string
  readonly text: string
  readonly connection: number
  /** By `performance.now()`. */
  readonly at: number
}

/**
 * One request on a connection of its own, or on the one that the agent keeps. What went wrong is the text.
 */
function ask(url: string, trace: string, agent: Agent | false = false): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', traceparent: `00-${trace}-${'1'.repeat(16)}-01` }
    const options = { method: 'POST', agent, headers, timeout: 10_000 }
    const outgoing = httpRequest(`${url}/graphql`, options, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve(response.statusCode === 200 ? text : `${response.statusCode} ${text}`))
      response.on('error', (error) => resolve(`cut off: ${error.message}`))
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', (error) => resolve(`failed: ${error.message}`))
    outgoing.end('{"query":"{ version }"}')
  })
}

const RIGHT = '{"data":{"version":"products"}}'
let traces = 0
const newTrace = () => `a${(++traces).toString(16).padStart(31, '0')}`

/** Each connection one request after the other; `maySend` is asked before each of them. */
function startLoad(url: string, connections: number, maySend: () => boolean = () => true) {
  const answers: Answer[] = []
  const over = new AbortController()
  const loops = Array.from({ length: connections }, async (_, connection) => {
    // Half of the clients keep their connection, the others make a new one for each request.
    const agent = connection % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    while (!over.signal.aborted && maySend()) {
      const trace = newTrace()
      const text = await ask(url, trace, agent)
      answers.push({ trace, text, connection, at: performance.now() })
      await new Promise((resolve) => {
        setTimeout(resolve, 2)
      })
    }
    if (agent !== false) agent.destroy()
  })
  return {
    answers,
    async stop() {
      over.abort()
      await Promise.all(loops)
    },
  }
}

/** Which worker answered, by trace. */
const workersByTrace = (main: RouterMain) =>
  new Map(logged(main, 'request.answered').map((line) => [String(line['trace_id']), Number(line['worker'])]))

describe('a router with several workers', () => {
  it('serves on all of them behind one port, says in each line which one, and stops with 0 on SIGTERM', async () => {
    await using router = await start(3)
    await untilAllHaveTheirTurn(router)
    const asked = Array.from({ length: 9 }, newTrace)
    for (const trace of asked) expect(await ask(router.url, trace)).toBe(RIGHT)
    await until(() => logged(router, 'request.answered').length >= 9, 'the requests are logged')
    const workers = workersByTrace(router)
    expect(asked.map((trace) => workers.get(trace)).toSorted()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
    expect((await send(`${router.url}/health/ready`)).json).toEqual({ status: 'ok', version: VERSION })
    expect(logged(router, 'config.swapped')).toHaveLength(1)
    const pids = [...pidsOf(router).values()]
    router.child.kill('SIGTERM')
    expect((await router.exit)[0]).toBe(0)
    expect(pids.filter(isThere)).toEqual([])
    // One of the primary, and one of each worker.
    expect(logged(router, 'process.stopped').map((line) => line['worker'])).toEqual(
      expect.arrayContaining([1, 2, 3, undefined]),
    )
  })

  it('answers questions about flags on all of them', async () => {
    await using router = await start(2, 'ofrep: { enabled: true, flags: [next] }')
    await untilAllHaveTheirTurn(router)
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const flags = [{ key: 'next', value: false, variant: 'off', reason: 'DISABLED' }]
    for (let count = 0; count < 6; count++) {
      const url = `${router.url}/ofrep/v1/evaluate/flags`
      const reply = await send(url, { method: 'POST', headers, body: '{}' })
      expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { flags }])
    }
    const answering = () => new Set(logged(router, 'request.answered').map((line) => line['worker']))
    await until(() => answering().size === 2, 'both have answered')
  })

  it('loses a killed worker, and no request but those in progress on it', async () => {
    await using router = await start(3)
    const load = startLoad(router.url, 16)
    await until(() => load.answers.length > 200, 'there is load')
    const kills: number[] = []
    for (const victim of [2, 3]) {
      const pid = pidsOf(router).get(victim) ?? 0
      process.kill(pid, 'SIGKILL')
      kills.push(performance.now())
      await until(() => pidsOf(router).get(victim) !== pid, 'it is replaced')
    }
    await untilAllServe(router, 5)
    const replacedAt = load.answers.length
    await until(() => load.answers.length > replacedAt + 200, 'there is load')
    await load.stop()
    const failed = load.answers.filter(({ text }) => text !== RIGHT)
    // On each connection one request is in progress at most, and a third of the connections is on the one
    // that was killed.
    expect(failed.length).toBeLessThanOrEqual(16)
    for (const { text } of failed) expect(text).toMatch(/ECONNRESET|socket hang up|EPIPE/)
    await until(() => {
      const workers = workersByTrace(router)
      // A process that is killed loses the lines of its last tenth of a second.
      const mayBeLost = (at: number) => kills.some((kill) => Math.abs(at - kill) < 500)
      return load.answers.every(
        ({ trace, text, at }) => text !== RIGHT || workers.has(trace) || mayBeLost(at),
      )
    }, 'all requests are logged')
    const workers = workersByTrace(router)
    // Clients that keep their connection stay on one worker, so that a failure tells which one it was.
    for (const { trace, connection } of failed.filter((answer) => answer.connection % 2 === 0)) {
      const before = load.answers.findLast(
        (answer) => answer.connection === connection && answer.trace < trace && workers.has(answer.trace),
      )
      expect([2, 3]).toContain(workers.get(before?.trace ?? ''))
    }
    expect(logged(router, 'worker.ended').map((line) => line['worker'])).toEqual([2, 3])
    expect((await send(`${router.url}/health/ready`)).json).toEqual({ status: 'ok', version: VERSION })
  })

  it('tells Prometheus of all workers on one page, and of those that answer while one hangs', async () => {
    const port = await freePort()
    await using router = await start(2, '', { SWITCHYARD_METRICS_PORT: String(port) })
    await untilAllHaveTheirTurn(router)
    for (let request = 0; request < 6; request++) await ask(router.url, newTrace())
    const page = async () => (await send(`http://127.0.0.1:${port}/metrics`)).text
    const counted = (text: string, worker: number) =>
      Number(
        new RegExp(`^switchyard_router_requests_total\\{[^}]*worker="${worker}"\\} (\\d+)`, 'm').exec(
          text,
        )?.[1] ?? 0,
      )
    const text = await until(async () => {
      const read = await page()
      return counted(read, 1) + counted(read, 2) === 6 ? read : null
    }, 'all requests are counted')
    expect([counted(text, 1), counted(text, 2)]).toEqual([3, 3])
    for (const worker of ['primary', '1', '2'])
      expect(text).toMatch(new RegExp(`^process_memory_usage_bytes\\{worker="${worker}"\\} \\d{7}`, 'm'))
    expect(text.match(/^# TYPE switchyard_router_requests_total /gm)).toHaveLength(1)
    const hung = pidsOf(router).get(2) ?? 0
    process.kill(hung, 'SIGSTOP')
    const without = await page()
    process.kill(hung, 'SIGCONT')
    expect([counted(without, 1), counted(without, 2)]).toEqual([3, 0])
    expect(logged(router, 'workers.metrics-missing')).toMatchObject([{ workers: 1 }])
  })

  it('starts workers that are killed again and again later and later', async () => {
    await using router = await start(2)
    for (let kills = 1; kills <= 3; kills++) {
      const pid = pidsOf(router).get(1) ?? 0
      process.kill(pid, 'SIGKILL')
      await until(() => logged(router, 'worker.ended').length === kills, 'its end is noticed')
      if (kills < 3) await until(() => pidsOf(router).get(1) !== pid, 'it is replaced')
    }
    await until(() => logged(router, 'workers.ending-again').length > 0, 'it is told that it ends again')
    expect(logged(router, 'workers.ending-again')).toMatchObject([{ level: 'fatal', ends: 3, delay: 500 }])
    expect(await ask(router.url, newTrace())).toBe(RIGHT)
  })

  it('drains under load without a failed request', async () => {
    await using router = await start(2, 'shutdown: { pre_stop_delay: 1s, drain_timeout: 10s }\n')
    let isReady = true
    const load = startLoad(router.url, 12, () => isReady)
    await until(() => load.answers.length > 100, 'there is load')
    router.child.kill('SIGTERM')
    // As load balancers do.
    await until(async () => (await send(`${router.url}/health/ready`)).status === 503, 'it is not ready')
    expect(load.answers.length).toBeGreaterThan(0)
    isReady = false
    await load.stop()
    expect(load.answers.filter(({ text }) => text !== RIGHT)).toEqual([])
    expect((await router.exit)[0]).toBe(0)
    expect(logged(router, 'router.draining').map((line) => line['worker'])).toEqual(
      expect.arrayContaining([1, 2]),
    )
  })

  it('leaves no process behind when it is killed itself', async () => {
    await using router = await start(2)
    const pids = [...pidsOf(router).values()]
    expect(pids.filter(isThere)).toEqual(pids)
    router.child.kill('SIGKILL')
    await router.exit
    await until(() => pids.filter(isThere).length === 0, 'the workers end')
  })

  it('shows a renewed certificate on every worker after SIGHUP', async () => {
    const files = ['cert', 'key'].map((name) => join(directory, `${name}.pem`))
    const write = async (): Promise<string> => {
      const { cert, key } = createCertificate()
      await writeFile(files[0] ?? '', cert)
      await writeFile(files[1] ?? '', key)
      return cert
    }
    const shown = async (port: number): Promise<string> => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const { raw } = socket.getPeerCertificate()
      socket.destroy()
      return raw.toString('base64')
    }
    const bodyOf = (pem: string) => pem.split('\n').slice(1, -2).join('')
    const first = await write()
    const settings = `tls: { cert_file: ${files[0]}, key_file: ${files[1]}, reload_interval: 1h }\n`
    await using router = await start(3, settings)
    const port = Number(new URL(router.url).port)
    const all = () => Promise.all(Array.from({ length: 6 }, () => shown(port)))
    expect(new Set(await all())).toEqual(new Set([bodyOf(first)]))
    const second = await write()
    router.child.kill('SIGHUP')
    await until(() => logged(router, 'tls.certificate-renewed').length === 3, 'all have read it')
    expect(new Set(await all())).toEqual(new Set([bodyOf(second)]))
  })

  it('resumes a TLS session on whichever worker the client comes to', async () => {
    const { cert, key } = createCertificate()
    const files = [join(directory, 'r.crt'), join(directory, 'r.key')]
    await writeFile(files[0] ?? '', cert)
    await writeFile(files[1] ?? '', key)
    await using router = await start(2, `tls: { cert_file: ${files[0]}, key_file: ${files[1]} }\n`)
    const port = Number(new URL(router.url).port)
    const shake = async (session: Buffer | null) => {
      const options = { port, host: '127.0.0.1', ca: cert, ...(session === null ? {} : { session }) }
      const socket = connectTls(options)
      // A client has a ticket from its first handshake on.
      const given = session === null ? once(socket, 'session') : null
      await once(socket, 'secureConnect')
      const ticket = ((await given)?.[0] as Buffer | undefined) ?? session
      const isReused = socket.isSessionReused()
      socket.destroy()
      return { ticket, isReused }
    }
    const { ticket, isReused } = await shake(null)
    expect(isReused).toBe(false)
    const later = [await shake(ticket), await shake(ticket), await shake(ticket)]
    expect(later.map((again) => again.isReused)).toEqual([true, true, true])
  })

  it('does not start where a worker cannot, and says all that is wrong in lines for people', async () => {
    const settings = join(directory, 'wrong.yaml')
    await writeFile(settings, 'workers: 2\ntls: { cert_file: nowhere.crt, key_file: nowhere.key }\n')
    await using main = run({ SWITCHYARD_EXECUTION_CONFIG: 'x.json', SWITCHYARD_CONFIG: settings })
    const closed = once(main.child, 'close')
    expect((await main.exit)[0]).toBe(1)
    await closed
    expect(main.errors.text).toMatch(
      /^error: .*\n {2}1\. tls\.cert_file: the file cannot be read.*\n {2}2\. tls\.key_file: the file cannot be read.*\n$/,
    )
  })

  it('says that its port is taken as a router of one process does', async () => {
    await using router = await start(2)
    const { port } = new URL(router.url)
    await using main = run({
      SWITCHYARD_EXECUTION_CONFIG: 'x.json',
      SWITCHYARD_WORKERS: '2',
      SWITCHYARD_PORT: port,
    })
    const closed = once(main.child, 'close')
    expect((await main.exit)[0]).toBe(1)
    await closed
    expect(main.errors.text).toMatch(
      /^error: The router cannot listen on 127\.0\.0\.1, port \d+: the port is taken/,
    )
  })

  it('of one worker is the process that was started, and no other', async () => {
    await using router = await start(1)
    const parents = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '']
        } catch {
          return []
        }
      })
    expect(parents).not.toContain(String(router.child.pid))
    expect(logged(router, 'workers.starting')).toEqual([])
  })
})
