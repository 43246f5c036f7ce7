/** Settings that change while a router runs, in a process of its own: nobody's request is dropped. */
import { Agent, request as httpRequest } from 'node:http'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, type Reply, until } from '../support/router.ts'
import { listeningAt, runRouterMain } from '../support/router-main.ts'
import { type Shop, startShop } from '../support/shop.ts'

const all = new AsyncDisposableStack()
let shop: Shop
let directory: string
let config: string

beforeAll(async () => {
  shop = all.use(await startShop())
  directory = await mkdtemp(join(tmpdir(), 'switchyard-reload-'))
  all.defer(() => rm(directory, { recursive: true, force: true }))
  config = join(directory, 'served.json')
  await writeFile(config, JSON.stringify({ formatVersion: 1, base: shop.base.artifact, featureFlags: {} }))
})
afterAll(() => all.disposeAsync())

let files = 0

type Serving = Awaited<ReturnType<typeof serving>>

async function serving(settings: string, more: { readonly path?: string } = {}) {
  const use = new AsyncDisposableStack()
  const path = more.path ?? join(directory, `router-${++files}.yaml`)
  let begun = 0
  let ignored = 0
  const write = (text: string) => writeFile(path, `host: 127.0.0.1\n${text}\n`)
  if (more.path === undefined) await write(settings)
  const env = { SWITCHYARD_EXECUTION_CONFIG: config, SWITCHYARD_CONFIG: path, SWITCHYARD_PORT: '0' }
  const running = runRouterMain({ ...env }, directory)
  use.defer(async () => {
    running.child.kill('SIGKILL')
    await running.exit
  })
  const graphqlUrl = await listeningAt(running)
  const lines = (event: string) =>
    running.output.text
      .slice(ignored)
      .split('\n')
      .filter((line) => line.includes(`"event":"${event}"`))
      .map((line): Record<string, unknown> => JSON.parse(line))
  const hangUp = () => running.child.kill('SIGHUP')
  const told = (event: string, times = 1) =>
    until(() => (lines(event).length >= times ? lines(event)[times - 1] : null), `${event}, ${times}`)
  return {
    graphqlUrl,
    path,
    write,
    lines,
    hangUp,
    told,
    /** Puts these settings in force, in place of what a test before this one left, and forgets its log. */
    async begin(text: string) {
      ignored = running.output.text.length
      await write(`${text}\ntraffic: { max_event_loop_delay: ${1000 + ++begun}s }`)
      hangUp()
      await told('settings.applied')
      ignored = running.output.text.length
    },
    ask: (query = '{ version }', headers = {}) => post({ graphqlUrl }, { query }, headers),
    [Symbol.asyncDispose]: () => use.disposeAsync(),
  }
}

/** Requests one after the other on each of some connections, until it is told to stop. */
function load(graphqlUrl: string, connections = 8) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const seen = { answered: 0, failed: [] as string[], sockets: new Set<unknown>() }
  const state = { isOver: false }
  const body = JSON.stringify({ query: '{ header(name: "x-team") slow(milliseconds: 5) }' })
  const one = () =>
    new Promise<void>((resolve) => {
      const headers = { 'content-type': 'application/json', 'x-team': 'blue' }
      const outgoing = httpRequest(graphqlUrl, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => {
          if (response.statusCode === 200 && !text.includes('errors')) seen.answered++
          else seen.failed.push(`${response.statusCode} ${text}`)
          resolve()
        })
      })
      outgoing.on('socket', (socket) => seen.sockets.add(socket))
      outgoing.on('error', (error) => {
        seen.failed.push(error.message)
        resolve()
      })
      outgoing.end(body)
    })
  const client = async () => {
    while (!state.isOver) await one()
  }
  const clients = Array.from({ length: connections }, client)
  return {
    seen,
    async stop() {
      state.isOver = true
      await Promise.all(clients)
      agent.destroy()
    },
  }
}

const header = ({ json }: Reply) => json.data?.['header']

describe('SIGHUP', () => {
  let router: Serving
  beforeAll(async () => {
    router = await serving('')
  })
  afterAll(() => router[Symbol.asyncDispose]())

  it('puts settings in force under load, and no request fails and no connection ends', async () => {
    // As it was started: what changes is told exactly.
    const running = load(router.graphqlUrl)
    const teamOf = async () => header(await router.ask('{ header(name: "x-team") }', { 'x-team': 'blue' }))
    expect(await teamOf()).toBe(null)
    const rule = 'headers: { request: [{ propagate: x-team }] }'
    for (let round = 1; round <= 5; round++) {
      await router.write(`${rule}\nlimits: { max_depth: ${10 + round} }`)
      router.hangUp()
      await router.told('settings.applied', round)
      const { answered } = running.seen
      await until(() => running.seen.answered > answered + 20, 'requests go on')
    }
    expect(await teamOf()).toBe('blue')
    await running.stop()
    expect(running.seen.failed).toEqual([])
    expect(running.seen.sockets.size).toBe(8)
    expect(router.lines('settings.applied')[0]).toMatchObject({
      settings: ['headers.request', 'limits.max_depth'],
    })
  })

  it('puts rate limits, origins of pages, limits and introspection in force', async () => {
    await router.begin('')
    await router.write(`
rate_limits: { rules: [{ name: few, limit: 2, per: 1h, key: [{ header: x-who }], when_absent: skip }] }
cors: { origins: ['https://pages.example'] }
limits: { max_root_fields: 1 }
introspection: { enabled: false }
`)
    router.hangUp()
    await router.told('settings.applied')
    const who = { 'x-who': 'me' }
    const statuses = async () => (await router.ask('{ version }', who)).status
    expect([await statuses(), await statuses(), await statuses()]).toEqual([200, 200, 429])
    const { headers } = await router.ask('{ version }', { origin: 'https://pages.example' })
    expect(headers['access-control-allow-origin']).toBe('https://pages.example')
    expect((await router.ask('{ version again: version }')).json.errors).toHaveLength(1)
    expect((await router.ask('{ __schema { queryType { name } } }')).json.errors).toHaveLength(1)
    // What was counted stays counted while only other settings change, or other rules.
    await router.write(`
rate_limits: { rules: [{ name: few, limit: 2, per: 1h, key: [{ header: x-who }], when_absent: skip }, { name: many, limit: 1000, per: 1s }] }
`)
    router.hangUp()
    await router.told('settings.applied', 2)
    expect(await statuses()).toBe(429)
    expect((await router.ask('{ version again: version }')).json.errors).toBe(undefined)
  })

  it('changes nothing by a file that cannot be used, and says each time why', async () => {
    await router.begin('limits: { max_root_fields: 1 }')
    await router.write('limits: { max_root_feilds: 5 }')
    router.hangUp()
    const refused = await router.told('settings.refused')
    expect(JSON.stringify(refused['problems'])).toContain('did you mean \\"limits.max_root_fields\\"?')
    expect((await router.ask('{ version again: version }')).json.errors).toHaveLength(1)
    // Its settings are right, and what they name is not there.
    await router.write('subgraphs: { tls: { ca_file: no.pem } }')
    router.hangUp()
    expect(JSON.stringify((await router.told('settings.refused', 2))['problems'])).toContain('no.pem')
    expect((await router.ask()).status).toBe(200)
    await router.write('limits: { max_root_fields: 2 }')
    router.hangUp()
    await router.told('settings.applied')
    expect((await router.ask('{ version again: version }')).json.errors).toBe(undefined)
  })

  it('names the settings that need a restart, and applies the others', async () => {
    await router.begin('')
    await router.write('port: 1\nplanning: { threads: 1 }\nlimits: { max_root_fields: 1 }')
    router.hangUp()
    const told = await router.told('settings.need-restart')
    // The port is given by a variable, which wins over the file.
    expect(told).toMatchObject({ settings: ['planning.threads'], level: 'warn' })
    expect((await router.ask('{ version again: version }')).json.errors).toHaveLength(1)
  })
})

describe('a settings file that is changed', () => {
  const SOON = 'settings: { reload_interval: 50ms }'
  const depth = (count: number) => `host: 127.0.0.1\n${SOON}\nlimits: { max_root_fields: ${count} }\n`
  const isLimited = async (router: { ask: (query: string) => Promise<Reply> }) =>
    (await router.ask('{ version again: version }')).json.errors !== undefined

  let router: Serving
  beforeAll(async () => {
    router = await serving(SOON)
  })
  afterAll(() => router[Symbol.asyncDispose]())

  it('is found when it is written, and when another takes its place', async () => {
    await router.begin(SOON)
    await router.write(`${SOON}\nlimits: { max_root_fields: 1 }`)
    await router.told('settings.applied')
    expect(await isLimited(router)).toBe(true)
    const other = join(directory, 'other.yaml')
    await writeFile(other, depth(2))
    await rename(other, router.path)
    await router.told('settings.applied', 2)
    expect(await isLimited(router)).toBe(false)
  })

  it('is found behind the links that Kubernetes swaps', async () => {
    const mount = join(directory, 'mount')
    const at = (version: string) => join(mount, version)
    const publish = async (version: string, text: string) => {
      await mkdir(at(version), { recursive: true })
      await writeFile(join(at(version), 'router.yaml'), text)
      await symlink(version, at('..data_tmp'))
      await rename(at('..data_tmp'), at('..data'))
    }
    await publish('..2026_1', depth(2))
    await symlink(join('..data', 'router.yaml'), at('router.yaml'))
    await using router = await serving('', { path: at('router.yaml') })
    expect(await isLimited(router)).toBe(false)
    await publish('..2026_2', depth(1))
    await rm(at('..2026_1'), { recursive: true })
    await router.told('settings.applied')
    expect(await isLimited(router)).toBe(true)
  })

  it('is taken when it stays the same, however often it was written', async () => {
    await router.begin(SOON)
    for (let count = 0; count < 200; count++) {
      await router.write(`${SOON}\nlimits: { max_root_fields: ${1 + (count % 2)}, max_depth: ${count + 10} }`)
      await new Promise((resolve) => {
        setTimeout(resolve, 5)
      })
    }
    await router.write(`${SOON}\nlimits: { max_root_fields: 1 }`)
    await until(() => isLimited(router), 'the last one is in force')
    expect(router.lines('settings.applied').length).toBeLessThanOrEqual(3)
    expect(router.lines('settings.refused')).toEqual([])
  })

  it('is taken once it is there again, and what was in force stays meanwhile', async () => {
    await router.begin(`${SOON}\nlimits: { max_root_fields: 1 }`)
    await rm(router.path)
    const told = await router.told('settings.refused')
    expect(JSON.stringify(told['problems'])).toContain('ENOENT')
    expect(await isLimited(router)).toBe(true)
    await router.write(SOON)
    await router.told('settings.applied')
    expect(await isLimited(router)).toBe(false)
    expect(router.lines('settings.refused')).toHaveLength(1)
  })
})

describe('a router with several workers', () => {
  it('puts settings in force in each of them', async () => {
    await using router = await serving('workers: 2')
    const running = load(router.graphqlUrl)
    await router.write('workers: 2\nlimits: { max_aliases: 0 }')
    router.hangUp()
    await router.told('settings.applied')
    const limited = async () => (await router.ask('{ version again: version }')).json.errors !== undefined
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, limited))
      return answers.every(Boolean)
    }, 'all of them')
    await running.stop()
    expect(running.seen.failed).toEqual([])
    expect(running.seen.sockets.size).toBe(8)
  })

  it('puts nothing in force where workers cannot, and tries again', async () => {
    const manifest = join(directory, 'late.json')
    const limited = 'workers: 2\nlimits: { max_aliases: 0 }'
    await using router = await serving('workers: 2\nsettings: { reload_interval: 100ms }')
    const aliased = async () => (await router.ask('{ again: version }')).json.errors !== undefined
    await router.write(`${limited}\ndocuments: { mode: allow, manifests: [{ file: ${manifest} }] }`)
    const refused = await router.told('settings.refused')
    expect(refused['problems']).toEqual([expect.stringContaining('late.json')])
    expect(router.lines('settings.applied')).toEqual([])
    const answers = await Promise.all(Array.from({ length: 10 }, aliased))
    expect(answers).not.toContain(true)
    await writeFile(manifest, '{}')
    await router.told('settings.applied')
    await until(async () => {
      const all = await Promise.all(Array.from({ length: 10 }, aliased))
      return all.every(Boolean)
    }, 'all of them')
  })
})
