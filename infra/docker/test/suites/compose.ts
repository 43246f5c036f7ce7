/** `make compose`: what a person would ask the whole constellation, through the load balancer. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { freePort, freeSubnets, temporaryDirectory, waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, runProgram } from '../../src/index.ts'
import { BUILD_WITHIN_MS, engineWithImages, IMAGE_PREFIX, noEngine, ROOT } from './engine.ts'
import { expectFailingReleaseToAbort } from './failing-release.ts'

const PROJECT = `switchyard-test-${process.pid}`
/** Between an answer and the next request of a client: containers that start need the processors as well. */
const ASK_EVERY_MS = 20
const HEALTHY = { withinMs: 300_000, everyMs: 500 }
const JSON_HEADERS = { 'content-type': 'application/json' }

/** They come from this machine where their images cannot be pulled. */
const noProgram = ['nats-server', 'redis-server', 'haproxy', 'prometheus'].find(
  (name) => !['/usr/bin', '/usr/sbin', '/usr/local/bin'].some((folder) => existsSync(`${folder}/${name}`)),
)
/** Who builds one (scripts/collector.sh) has it tried as well. */
const hasCollector = existsSync(`${ROOT}/.tools/otelcol/otelcol`)
if (!hasCollector)
  process.stderr.write('There is no OpenTelemetry collector: it is left out of Compose here.\n')
/** Why there is no Compose here, or null. */
export const composeMissing = noEngine ?? (noProgram === undefined ? null : `${noProgram} is not installed`)
const reason = composeMissing

export function testCompose(): void {
  describe.skipIf(reason !== null)(`compose${reason === null ? '' : ` (${reason})`}`, () => {
    let engine: Engine
    let env: Record<string, string>
    let url: string
    /** What `up` printed. */
    let printed: string

    beforeAll(async () => {
      engine = await engineWithImages()
      const [router, registry] = [await freePort(), await freePort()]
      const [edge = '', subgraphs = ''] = freeSubnets(2)
      env = {
        ...engine.env,
        IMAGE_PREFIX,
        SKIP_BUILD: 'true',
        COMPOSE_PROJECT_NAME: PROJECT,
        ROUTER_PORT: String(router),
        REGISTRY_PORT: String(registry),
        // Others than by default, which somebody may use who tries Compose on this machine.
        EDGE_SUBNET: edge,
        SUBGRAPHS_SUBNET: subgraphs,
      }
      url = `http://127.0.0.1:${router}/graphql`
      printed = await compose('up')
      // One router that has the shop is not enough: the next request may go to the other one.
      await waitFor('all routers to serve the shop', () => bothHealthy('router'), HEALTHY)
      await waitFor('the load balancer to pass requests on', async () => (await ask('{ __typename }')).ok)
    }, BUILD_WITHIN_MS)

    afterAll(async () => {
      await compose('down', '--volumes', '--timeout', '5')
      const mine = ['--filter', `label=com.docker.compose.project=${PROJECT}`]
      expect(await engine.docker('ps', '--all', '--quiet', ...mine)).toBe('')
      expect(await engine.docker('volume', 'ls', '--quiet', ...mine)).toBe('')
    })

    async function compose(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await runProgram('infra/docker/compose.sh', args, { cwd: ROOT, env })
      if (code === 0) return stdout.trim()
      const logs = await runProgram('infra/docker/compose.sh', ['logs', '--tail', '20'], { cwd: ROOT, env })
      throw new Error(`compose ${args.join(' ')} ended with ${code}:\n${stderr}\n${stdout}\n${logs.stdout}`)
    }

    const switchyard = (...args: readonly string[]) => compose('run', '--rm', '-T', 'cli', ...args)

    function ask(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
      return fetch(url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...headers },
        body: JSON.stringify({ query }),
      })
    }

    /** Those of this project that run, in the order of the engine. Compose takes a second to say the same. */
    const containers = async (service?: string) => {
      const of = service === undefined ? [] : [`service=${service}`, 'oneoff=False']
      const labels = [`project=${PROJECT}`, ...of].map((label) => `label=com.docker.compose.${label}`)
      const filters = labels.flatMap((label) => ['--filter', label])
      const ids = await engine.docker('ps', '--quiet', '--no-trunc', ...filters)
      return ids.split('\n').filter((id) => id !== '')
    }
    const container = async (service: string) => {
      const [first] = await containers(service)
      if (first === undefined) throw new Error(`no container of ${service}`)
      return first
    }

    async function bothHealthy(service: string): Promise<boolean> {
      const states = await Promise.all(
        (await containers(service)).map((id) =>
          engine.docker('inspect', '--format', '{{.State.Health.Status}}', id),
        ),
      )
      return states.length > 1 && states.every((state) => state.trim() === 'healthy')
    }

    it('serves the base graph, and the flag to who names it', async () => {
      const query = '{ products(first: 1) { name price } }'
      const base = await (await ask(query)).json()
      expect(base).toEqual({ data: { products: [{ name: 'Two-person tent', price: 24_900 }] } })
      const flagged = await (await ask(query, { 'x-feature-flag': 'new-pricing' })).json()
      expect(flagged).toEqual({ data: { products: [{ name: 'Two-person tent', price: 22_410 }] } })
    })

    it('passes on the parts of a deferred answer as they come', async () => {
      const query = '{ products(first: 1) { name ... @defer { deliveryDays } } }'
      const response = await ask(query, { accept: 'multipart/mixed' })
      expect(response.headers.get('content-type')).toContain('multipart/mixed')
      // The subgraph thinks for two seconds about the second part: whoever held the first back would show
      // both at once.
      const decoder = new TextDecoder()
      const reads: string[] = []
      for await (const chunk of response.body ?? []) reads.push(decoder.decode(chunk, { stream: true }))
      const first = reads.findIndex((text) => text.includes('Two-person tent'))
      const second = reads.findIndex((text) => text.includes('deliveryDays'))
      expect(first).toBeGreaterThanOrEqual(0)
      expect(second).toBeGreaterThan(first)
      expect(reads.join('')).toContain('"hasNext":false')
    })

    it('passes on the events of subscriptions, over event streams and WebSockets', async () => {
      const query = 'subscription { productOrdered { name price } }'
      const leave = new AbortController()
      const stream = await fetch(url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, accept: 'text/event-stream' },
        body: JSON.stringify({ query }),
        signal: leave.signal,
      })
      expect(stream.status).toBe(200)
      let told = ''
      for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        told += piece
        if (told.split('event: next').length > 2) break
      }
      leave.abort()
      expect(told).toMatch(/"productOrdered":\{"name":"[^"]+","price":\d+\}/)

      const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws')
      const next = new Promise((resolve, reject) => {
        socket.addEventListener('open', () => socket.send('{"type":"connection_init"}'))
        socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)))
        socket.addEventListener('message', ({ data }) => {
          const message = JSON.parse(String(data)) as { readonly type: string; readonly payload: unknown }
          if (message.type === 'next') resolve(message.payload)
          if (message.type === 'connection_ack')
            socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
        })
      })
      expect(await next).toMatchObject({ data: { productOrdered: { name: expect.any(String) } } })
      socket.close()
    })

    it('passes on what is published to NATS in the account for events', async () => {
      const leave = new AbortController()
      const stream = await fetch(url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { productRestocked { name price } }' }),
        signal: leave.signal,
      })
      expect(stream.status).toBe(200)
      let told = ''
      const reading = (async () => {
        for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          told += piece
          if (told.includes('event: next')) break
        }
        leave.abort()
      })()
      // The first may be published before NATS knows of the subscription.
      await waitFor('an event', async () => {
        expect(await compose('run', '--rm', '-T', 'event', 'shop.restocked', '{"upc":"stove"}')).toContain(
          'Published to shop.restocked.',
        )
        return told.includes('event: next') || undefined
      })
      await reading
      expect(told).toMatch(/"productRestocked":\{"name":"[^"]+","price":\d+\}/)
    })

    it('lets the account for events neither hear nor write what services tell each other', async () => {
      const talk = (service: string, args: readonly string[]) =>
        compose('run', '--rm', '-T', '--no-deps', '--entrypoint', 'node', service, '--eval', TALK, ...args)
      const [service, events] = await Promise.all([
        talk('registry', ['/run/switchyard/env', 'router.status.>']),
        talk('event', ['/run/events/env', '>']),
      ])
      // Routers say every few seconds that they are there.
      expect(service).toMatch(/^MSG router\.status\.default\.shop\./m)
      expect(service).not.toMatch(/^forged|^MSG \S+\.forged/m)
      expect(events).toContain('"stream not found"')
      expect(events.match(/^MSG \S+/gm)?.filter((line) => !/ (?:_INBOX|\$JS|router)\./.test(line))).toEqual(
        [],
      )
      expect(events.match(/^MSG router\.\S+/gm)).toEqual(['MSG router.status.default.shop.forged'])
    })

    it('traces a request for who has a token, and for nobody else', async () => {
      await switchyard('registry', 'trace-key', 'create')
      const token = await switchyard('router', 'trace-token', 'shop')
      const query = '{ products(first: 1) { averageRating } }'
      const traced = async (headers: Readonly<Record<string, string>>) => {
        const answer = (await (await ask(query, { 'x-vendor-trace': 'true', ...headers })).json()) as {
          extensions?: { trace?: { fetches?: unknown } }
        }
        return answer.extensions?.trace
      }
      // Both routers have to have heard of the key.
      await waitFor('a trace', async () => (await traced({ 'x-vendor-token': token })) && true)
      expect(await traced({})).toBeUndefined()
    })

    it(
      'aborts a release by itself once its subgraph fails, by the commands that it printed',
      () =>
        expectFailingReleaseToAbort({
          printed,
          env,
          askBase: () => ask('{ product(upc: "stove") { price } }', { 'cache-control': 'no-cache' }),
        }),
      600_000,
    )

    it('keeps the key for ramps when it is started again', async () => {
      const key = () => compose('run', '--rm', '-T', '--entrypoint', 'node', 'ramp-key', '--eval', READ_KEY)
      const before = await key()
      expect(before).toMatch(/^swy_/)
      await compose('up', 'ramp-key')
      await waitFor('the key to be looked at', async () =>
        (await compose('logs', 'ramp-key')).includes('is there already; nothing was changed'),
      )
      expect(await key()).toBe(before)
      expect(await switchyard('api-key', 'list')).toMatch(/^ramps-of-compose\t\w+\trollout:default\t/)
    })

    it('gives each registry a place for the file of an import', async () => {
      for (const registry of await containers('registry')) {
        await engine.docker('exec', registry, 'node', '--eval', KEEP_FILE)
        const outside = await engine.tryDocker(
          'exec',
          registry,
          'node',
          '--eval',
          "fs.mkdirSync('/elsewhere')",
        )
        expect(outside.stderr).toContain('EROFS')
      }
    })

    it('has Prometheus ask every service, with the alerts, of which none fires', async () => {
      const prometheus = await container('prometheus')
      const asked = async (path: string) => {
        const url = `http://127.0.0.1:9090/api/v1/${path}`
        return JSON.parse(await engine.docker('exec', prometheus, 'wget', '-q', '-O', '-', url)) as Answered
      }
      await waitFor('every service to be asked', async () => {
        const { activeTargets = [] } = (await asked('targets?state=active')).data
        const services = activeTargets.filter((target) => target.labels['job'] === 'switchyard')
        const healthy = services.filter((target) => target.health === 'up')
        if (healthy.length < ASKED.length) throw new Error(JSON.stringify(activeTargets))
        expect(healthy.map((target) => target.labels['service']).sort()).toEqual(ASKED)
        expect(new Set(healthy.map((target) => target.labels['instance'])).size).toBe(ASKED.length)
        return true
      })
      const rules = (await asked('rules')).data.groups?.flatMap((group) => group.rules) ?? []
      expect(rules.map((rule) => rule.name)).toContain('SwitchyardRouterNotReady')
      expect(rules.filter((rule) => rule.health !== 'ok' || rule.state === 'firing')).toEqual([])
    })

    it.skipIf(!hasCollector)('sends the spans of a publish and of a request to the collector', async () => {
      const sampled = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
      await ask('{ __typename }', sampled)
      const collector = await container('otel-collector')
      await waitFor('the spans', async () => {
        const spans = await engine.docker('exec', collector, 'cat', '/var/lib/otelcol/traces.jsonl')
        if (!spans.includes('0af7651916cd43dd8448eb211c80319c')) throw new Error(spans.slice(-2000))
        for (const name of ['POST /graphql', 'config swap']) expect(spans).toContain(`"name":"${name}"`)
        return true
      })
    })

    it('publishes router and registry through the load balancer, on loopback, and nothing else', async () => {
      const all = await containers()
      expect(all.length).toBeGreaterThanOrEqual(11)
      const ports = (await Promise.all(all.map((id) => engine.docker('port', id)))).filter(
        (text) => text !== '',
      )
      expect(ports).toHaveLength(1)
      const published = (ports[0] ?? '').split('\n').sort()
      expect(published).toEqual([
        `4000/tcp -> 127.0.0.1:${env['ROUTER_PORT'] ?? ''}`,
        `4100/tcp -> 127.0.0.1:${env['REGISTRY_PORT'] ?? ''}`,
      ])
    })

    it('serves Studio through the load balancer, with a session that both registries know', async () => {
      const registry = `http://127.0.0.1:${env['REGISTRY_PORT'] ?? ''}`
      const page = await fetch(`${registry}/studio`)
      const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
      const loaded = await fetch(new URL(script, `${registry}/studio/`))
      expect([page.status, loaded.status, loaded.headers.get('content-type')]).toEqual([
        200,
        200,
        expect.stringContaining('javascript'),
      ])
      const [apiKey] =
        /swy_\w+/.exec(await switchyard('api-key', 'create', 'studio', '--scope', 'read')) ?? []
      const browser = { 'sec-fetch-site': 'same-origin' }
      const signedIn = await fetch(`${registry}/v1/session`, {
        method: 'POST',
        headers: { ...JSON_HEADERS, ...browser },
        body: JSON.stringify({ apiKey }),
      })
      expect(await signedIn.json()).toMatchObject({ name: 'studio', scopes: ['read'] })
      const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
      for (let asked = 0; asked < 6; asked++) {
        const session = await fetch(`${registry}/v1/session`, { headers: { ...browser, cookie } })
        expect([session.status, await session.json()]).toMatchObject([200, { name: 'studio' }])
      }
    })

    it('limits memory, processes and the log of every container, and the processors of all but routers', async () => {
      const routers = await containers('router')
      for (const id of await containers()) {
        const [inspected] = JSON.parse(await engine.docker('inspect', id)) as Inspected[]
        const { Memory, PidsLimit, NanoCpus, LogConfig } = inspected?.HostConfig ?? {}
        expect(Memory, inspected?.Name).toBeGreaterThanOrEqual(512 * 1024 * 1024)
        expect(PidsLimit, inspected?.Name).toBe(256)
        expect(LogConfig?.Config, inspected?.Name).toEqual({ 'max-file': '5', 'max-size': '10m' })
        expect(NanoCpus, inspected?.Name).toBe(routers.includes(id) ? 0 : 1_000_000_000)
      }
    })

    it('asks routers that all are too slow to say that they are ready, and answers when they do', async () => {
      const routers = await containers('router')
      // Not `docker pause`: some kernels cannot freeze the control group of a busy container.
      const signal = (name: 'STOP' | 'CONT') => engine.docker('kill', `--signal=${name}`, ...routers)
      try {
        await signal('STOP')
        // Longer than a check of the load balancer takes that nobody answers at once.
        await setTimeout(4000)
        const answered = ask('{ __typename }')
        await setTimeout(4000)
        await signal('CONT')
        expect((await answered).status).toBe(200)
      } finally {
        await signal('CONT')
      }
    })

    it('replaces routers one after the other by new ones, and no request fails', async () => {
      const before = await containers('router')
      const asking = { isOver: false }
      const statuses: number[] = []
      const clients = ['{ __typename }', '{ products(first: 1) { name } }'].map(async (query) => {
        while (!asking.isOver) {
          statuses.push((await ask(query)).status)
          await setTimeout(ASK_EVERY_MS)
        }
      })
      try {
        await compose('roll', 'router')
      } finally {
        asking.isOver = true
        await Promise.all(clients)
      }
      const after = await containers('router')
      expect(after).toHaveLength(before.length)
      expect(after.filter((id) => before.includes(id))).toEqual([])
      expect(statuses.filter((status) => status !== 200)).toEqual([])
    })

    it('is restored from a backup by the commands of docs/restore.md, under routers that go on', async () => {
      await using folder = await temporaryDirectory()
      const follow = async (line: string) => {
        const words = line.replaceAll('backup.ndjson', `${folder.path}/backup.ndjson`)
        const run = await runProgram('bash', ['-c', words], { cwd: ROOT, env })
        if (run.code !== 0) throw new Error(`${line}\n${run.stdout}\n${run.stderr}`)
        return run.stdout
      }
      const newestEpoch = async () => {
        const { result } = JSON.parse(await switchyard('config', 'history', 'shop', '--json'))
        return (result as { revisions: { epoch: number }[] }).revisions[0]?.epoch ?? 0
      }
      const price = async () => {
        const response = await ask('{ products(first: 1) { price } }', { 'x-feature-flag': 'new-pricing' })
        return JSON.stringify(await response.json())
      }
      const [backup = [], emptying = [], restore = []] = restoreOnCompose()
      for (const line of backup) await follow(line)
      // What the backup does not have, and routers serve.
      await switchyard('feature-flag', 'disable', 'new-pricing')
      await waitFor('the flag to be gone', async () => (await price()).includes('24900') || undefined)
      const before = await newestEpoch()

      for (const line of emptying) await follow(line)
      expect(await price()).toContain('24900')
      await waitFor('the registries to be healthy', () => bothHealthy('registry'), HEALTHY)
      const [imported, history, routers] = [
        await follow(restore[0] ?? ''),
        await follow(restore[1] ?? ''),
        await follow(restore[2] ?? ''),
      ]
      expect(restore).toHaveLength(3)
      expect(imported).toContain('Imported')
      expect(history).toContain('restored')
      expect(routers.trim()).not.toBe('')
      expect(await newestEpoch()).toBeGreaterThan(before)
      await waitFor('the flag of the backup', async () => (await price()).includes('22410') || undefined)
      await waitFor('every router to serve the newest', async () => {
        const { result } = JSON.parse(await switchyard('router', 'list', '--json'))
        const { routers } = result as { routers: { serves: string }[] }
        if (routers.length < 2 || routers.some(({ serves }) => serves !== 'newest'))
          throw new Error(JSON.stringify(routers))
        return true
      })
      // And it goes on.
      await switchyard('feature-flag', 'disable', 'new-pricing')
      await waitFor('what was published', async () => (await price()).includes('24900') || undefined)
    })

    it('shows no secret in what the engine knows of a container, and lets no stranger into NATS and Redis', async () => {
      const router = await container('router')
      const secrets = await engine.docker('exec', router, 'node', '--eval', READ_SECRETS)
      const values = JSON.parse(secrets) as string[]
      expect(values.length).toBeGreaterThanOrEqual(3)
      const known = await engine.docker('inspect', router)
      const logs = await engine.tryDocker('logs', router)
      for (const value of values) {
        expect(known).not.toContain(value)
        expect(logs.stdout + logs.stderr).not.toContain(value)
      }
      const answers = await engine.docker('exec', router, 'node', '--eval', STRANGER)
      expect(answers).toContain('Authorization Violation')
      expect(answers).toContain('NOPERM')
    })

    // Last, since each router more is one more to be replaced and restored above.
    it('sends requests to as many routers as Compose is told to run', async () => {
      const before = await containers('router')
      await compose('up', '--scale', 'router=3')
      const added = (await containers('router')).filter((id) => !before.includes(id))
      expect(added).toHaveLength(1)
      const answeredBy = () => engine.docker('exec', added[0] ?? '', 'node', '--eval', COUNT_REQUESTS)
      await waitFor('the third router to be asked', async () => {
        await Promise.all(Array.from({ length: 6 }, () => ask('{ __typename }')))
        return Number(await answeredBy()) > 0 || undefined
      })
    })
  })
}

/** The commands of the page, by block: the backup, what empties the storage, the restore. */
function restoreOnCompose(): readonly (readonly string[])[] {
  const page = readFileSync(`${ROOT}/docs/restore.md`, 'utf8')
  const section = page.split(/^#{2,3} /m).find((part) => part.startsWith('On Compose\n')) ?? ''
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)```/gm)]
  return blocks.map(([, block = '']) => block.trim().split('\n'))
}

const ASKED = ['composer', 'composer', 'config-distribution', 'registry', 'registry', 'router', 'router']

/** What `docker inspect` tells of a container, as far as it is looked at. */
type Inspected = {
  readonly Name: string
  readonly HostConfig: {
    readonly Memory: number
    readonly PidsLimit: number
    readonly NanoCpus: number
    readonly LogConfig: { readonly Config: Readonly<Record<string, string>> }
  }
}

/** The number of GraphQL requests that a router has answered, by its own metrics. */
const COUNT_REQUESTS = `
fetch('http://127.0.0.1:9464/metrics').then((response) => response.text()).then((text) => {
  const counts = [...text.matchAll(/^http_server_request_duration\\w*_count\\{[^}]*\\} (\\d+)/gm)]
  console.log(counts.reduce((sum, [, count]) => sum + Number(count), 0))
})
`

/** Of https://prometheus.io/docs/prometheus/latest/querying/api/. */
type Answered = {
  readonly data: {
    readonly activeTargets?: readonly { health: string; labels: Readonly<Record<string, string>> }[]
    readonly groups?: readonly { rules: { name: string; health: string; state: string }[] }[]
  }
}

const READ_SECRETS = `
const text = require('fs').readFileSync('/run/switchyard/env', 'utf8')
console.log(JSON.stringify([...text.matchAll(/:([\\w-]{43})@|FLEET_KEY=([\\w-]{43})/g)].map(([, a, b]) => a ?? b)))
`

const READ_KEY = "console.log(fs.readFileSync('/keys/ramps/api-key', 'utf8'))"

/** Where the registry keeps it, in the way in which it does. */
const KEEP_FILE = `
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchyard-import-'))
fs.writeFileSync(path.join(folder, 'export.ndjson'), '{}')
fs.rmSync(folder, { recursive: true })
`

/**
 * Publishes as a router would, asks for the log of the registry, and prints what comes to a subject. Words:
 * the file with the address of NATS, and the subject.
 */
const TALK = `
const [file, subject] = process.argv.slice(1)
const [, user, pass] = /nats:\\/\\/(.+):(.+)@/.exec(fs.readFileSync(file, 'utf8'))
const socket = net.connect(4222, 'nats').setEncoding('utf8').on('data', (text) => console.log(text))
socket.write('CONNECT ' + JSON.stringify({ user, pass, verbose: false, headers: true }) + '\\r\\n')
socket.write('SUB ' + subject + ' 1\\r\\nPUB router.status.default.shop.forged 6\\r\\nforged\\r\\n')
socket.write('PUB $JS.API.STREAM.INFO.registry _INBOX.registry.x 0\\r\\n\\r\\n')
setTimeout(() => process.exit(), 15000)
`

/** What NATS and Redis say to who has no password. */
const STRANGER = `
const net = require('net')
const say = (host, port, text) => net.connect(port, host).on('data', (data) => console.log(String(data))).on('error', () => {}).write(text)
say('nats', 4222, 'CONNECT {}\\r\\nPING\\r\\n')
say('redis', 6379, 'GET switchyard:x\\r\\n')
setTimeout(() => process.exit(), 2000)
`
