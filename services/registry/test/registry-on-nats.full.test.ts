import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreatedTraceKey, TraceToken } from '@switchyard/contracts'
import { openNatsStorage } from '@switchyard/event-log'
import { describe, expect, it } from 'vitest'
import { startDownstream } from './downstream.ts'
import { BOOTSTRAP_KEY, type Client, clientOf, outcome, problemOf, setUpShop } from './harness.ts'
import {
  bareEnvironment,
  freePort,
  natsServerAvailable,
  startNatsServer,
  waitFor,
  programFile,
} from '@switchyard/testkit'

const MAIN = programFile('services/registry/src/main.ts')

type RegistryProcess = AsyncDisposable & {
  readonly client: Client
  output(): string
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** An answer without `use` of flags: that is what one registry heard since it started. */
async function logged(client: Client, path: string): Promise<unknown> {
  const { body } = await client.get(`/v1/${path}`)
  return JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'use' ? undefined : value)))
}

async function startProcess(env: Record<string, string>): Promise<RegistryProcess> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: bareEnvironment({ SWITCHYARD_PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  const client = clientOf({
    url: `http://127.0.0.1:${port}`,
    port,
    ready: () => ({ ok: true }),
    studioLink: () => null,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL')
    },
  })
  return { client, output: () => output, end, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() }
}

const isOpen = (client: Client) =>
  client.get('/health/live').then(
    (reply) => reply.status === 200,
    () => false,
  )
const isReady = (client: Client) =>
  client.get('/health/ready').then(
    (reply) => reply.status === 200,
    () => false,
  )

describe.skipIf(!natsServerAvailable())('registries on NATS', () => {
  it('say that they wait for the others, then decide together, survive kill -9 and stop in order', async () => {
    await using server = await startNatsServer()
    const env = { SWITCHYARD_NATS_URL: server.url, SWITCHYARD_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY }
    await using one = await startProcess(env)
    await waitFor('the first registry to listen', () => isOpen(one.client))
    expect(await isReady(one.client)).toBe(false)
    expect(problemOf(await one.client.get('/v1/namespaces')).code).toBe('NOT_READY')

    await using others = await openNatsStorage({
      url: server.url,
      name: 'others',
      owns: ['compositions', 'configs'],
      ownsBlobs: false,
    })
    await using _downstream = startDownstream(others.log)
    await using two = await startProcess(env)
    await waitFor('both to be ready', async () => (await isReady(one.client)) && (await isReady(two.client)))
    await setUpShop(one.client)
    for (let round = 0; round < 10; round += 1) {
      const body = { name: `flag-${round}`, featureSubgraphs: ['orders-next'], enabled: true }
      const replies = await Promise.all([
        one.client.post('/v1/feature-flags/default', body),
        two.client.post('/v1/feature-flags/default', body),
      ])
      expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
      const winner = replies.find((reply) => reply.status === 201)
      if (winner === undefined) throw new Error('nobody won')
      expect(outcome(winner)).toMatchObject({ pending: false })
      expect(outcome(winner).compositions.map((report) => report.featureFlag)).toContain(body.name)
    }
    await one.end('SIGKILL')
    await using three = await startProcess(env)
    await waitFor('the third to be ready', () => isReady(three.client))
    const flags = await logged(two.client, 'feature-flags/default')
    expect(await logged(three.client, 'feature-flags/default')).toEqual(flags)
    expect(await two.end('SIGTERM')).toBe(0)
    expect(two.output()).not.toContain(BOOTSTRAP_KEY)
  })

  it('sign trace tokens with the keys of the file that they share, whichever made them and whichever is killed', async () => {
    await using server = await startNatsServer()
    await using files = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'shared-keys-'))
    files.defer(() => rm(folder, { recursive: true, force: true }))
    const keyFile = join(folder, 'keys.json')
    const env = {
      SWITCHYARD_NATS_URL: server.url,
      SWITCHYARD_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
      SWITCHYARD_TRACE_KEY_FILE: keyFile,
    }
    await using one = await startProcess(env)
    await waitFor('the first registry to listen', () => isOpen(one.client))
    await using _others = await openNatsStorage({
      url: server.url,
      name: 'others',
      owns: ['compositions', 'configs'],
      ownsBlobs: false,
    })
    await using two = await startProcess(env)
    await waitFor('both to be ready', async () => (await isReady(one.client)) && (await isReady(two.client)))
    await one.client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    const kidOf = async (client: Client) =>
      TraceToken.parse((await client.post('/v1/graphs/default/shop/trace-tokens', {})).body).kid
    expect(problemOf(await two.client.post('/v1/graphs/default/shop/trace-tokens', {})).code).toBe(
      'TRACE_KEY_UNAVAILABLE',
    )
    const first = CreatedTraceKey.parse((await one.client.post('/v1/trace-keys', {})).body).kid
    expect([await kidOf(one.client), await kidOf(two.client)]).toEqual([first, first])

    // As a secret is filled from outside: without a registry, and announced by one of them.
    const made = spawn(process.execPath, [MAIN, 'create-trace-key', keyFile], { stdio: 'ignore' })
    expect(await once(made, 'exit')).toEqual([0, null])
    expect(await kidOf(two.client)).toBe(first)
    const announced = CreatedTraceKey.parse((await two.client.post('/v1/trace-keys', {})).body)
    expect(announced).toMatchObject({ made: false, state: 'signs' })
    await two.end('SIGKILL')
    expect(await kidOf(one.client)).toBe(announced.kid)
    const { keys } = JSON.parse(await readFile(keyFile, 'utf8'))
    expect(keys).toHaveLength(2)
    for (const { d } of keys) expect(one.output() + two.output()).not.toContain(d)
  })

  it('tell history, execution config and outcomes alike, whichever is asked', async () => {
    await using server = await startNatsServer()
    const env = { SWITCHYARD_NATS_URL: server.url, SWITCHYARD_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY }
    await using one = await startProcess(env)
    await waitFor('the first registry to listen', () => isOpen(one.client))
    await using others = await openNatsStorage({
      url: server.url,
      name: 'others',
      owns: ['compositions', 'configs'],
      ownsBlobs: false,
    })
    await using _downstream = startDownstream(others.log, others.blobs)
    await using two = await startProcess(env)
    await waitFor('both to be ready', async () => (await isReady(one.client)) && (await isReady(two.client)))
    await setUpShop(one.client)
    const flag = { name: 'new', featureSubgraphs: ['orders-next'], enabled: true }
    await one.client.post('/v1/feature-flags/default', flag)
    await one.client.put('/v1/subgraphs/default/orders/schema', { sdl: 'type Query { third: Int }' })
    const revisionsOf = async (client: Client) => (await client.get('/v1/graphs/default/shop/revisions')).body
    await waitFor('three revisions', async () =>
      JSON.stringify(await revisionsOf(two.client)).includes('"revision":3'),
    )
    expect(await revisionsOf(two.client)).toMatchObject({
      revisions: [
        { revision: 3, actor: 'bootstrap', featureFlags: ['new'] },
        { revision: 2, actor: 'bootstrap', featureFlags: ['new'] },
        { revision: 1, actor: 'bootstrap', featureFlags: [] },
      ],
    })
    const absent = await two.client.put('/v1/graphs/default/shop/pin', { revision: 4 })
    expect(problemOf(absent).detail).toContain('the revisions 1 to 3')
    const key = { 'idempotency-key': 'pin' }
    const pinned = outcome(await two.client.put('/v1/graphs/default/shop/pin', { revision: 1 }, key))
    expect(outcome(await one.client.get('/v1/commands/default/pin'))).toEqual(pinned)
    await waitFor('the fourth', async () =>
      JSON.stringify(await revisionsOf(one.client)).includes('"revision":4'),
    )

    for (const path of [
      '',
      '/execution-config',
      '/execution-config?revision=3',
      '/revisions?limit=2',
      '/errors',
    ]) {
      const [left, right] = await Promise.all(
        [one, two].map(({ client }) => client.get(`/v1/graphs/default/shop${path}`)),
      )
      expect(left?.status).toBe(200)
      expect(left?.body).toEqual(right?.body)
    }
    for (const path of [
      'subgraphs/default/orders/schema',
      'namespaces/default/snapshot',
      'feature-flags/default/new',
    ]) {
      expect(await logged(one.client, path)).toEqual(await logged(two.client, path))
    }
    expect(outcome(await two.client.delete('/v1/graphs/default/shop'))).toMatchObject({
      compositions: [],
      pending: false,
    })
    expect((await one.client.get('/v1/graphs/default/shop')).status).toBe(404)
  })

  it('recover by themselves when the server comes back', async () => {
    await using server = await startNatsServer()
    const env = { SWITCHYARD_NATS_URL: server.url, SWITCHYARD_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY }
    await using _others = await openNatsStorage({
      url: server.url,
      name: 'others',
      owns: ['registry', 'compositions', 'configs'],
      ownsBlobs: true,
    })
    await using registry = await startProcess(env)
    await waitFor('it to be ready', () => isReady(registry.client))
    expect((await registry.client.post('/v1/graphs/default?wait=0', { name: 'a' })).status).toBe(201)
    await server.kill9()
    const refused = await registry.client.post('/v1/graphs/default?wait=0', { name: 'b' })
    expect([refused.status, problemOf(refused).code]).toEqual([503, 'STORAGE_UNAVAILABLE'])
    await waitFor('it to say that it is not ready', async () => !(await isReady(registry.client)))
    await server.restart()
    await waitFor('it to be ready again', () => isReady(registry.client))
    expect((await registry.client.post('/v1/graphs/default?wait=0', { name: 'b' })).status).toBe(201)
    expect((await registry.client.get('/v1/graphs/default')).body).toMatchObject({
      graphs: [{ name: 'a' }, { name: 'b' }],
    })
  })

  it('do not start when nobody could use them, and say so in one line', async () => {
    await using server = await startNatsServer()
    await using _others = await openNatsStorage({
      url: server.url,
      name: 'others',
      owns: ['registry', 'compositions', 'configs'],
      ownsBlobs: true,
    })
    await using registry = await startProcess({ SWITCHYARD_NATS_URL: server.url })
    await waitFor('it to end', () => registry.output().includes('SWITCHYARD_BOOTSTRAP_API_KEY'))
    expect(
      registry
        .output()
        .trim()
        .split('\n')
        .filter((line) => line.includes('"fatal"')),
    ).toHaveLength(1)

    // Once there is a key in the log, it starts without one in the environment.
    await using first = await startProcess({
      SWITCHYARD_NATS_URL: server.url,
      SWITCHYARD_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
    })
    await waitFor('one with a first key to be ready', () => isReady(first.client))
    const created = await first.client.post('/v1/api-keys', { name: 'root', scopes: ['admin'] })
    const { key } = created.body as { key: string }
    await first.end('SIGTERM')
    await using second = await startProcess({ SWITCHYARD_NATS_URL: server.url })
    await waitFor('one without to be ready', () => isReady(second.client))
    const headers = { authorization: `Bearer ${key}` }
    expect((await second.client.request('GET', '/v1/namespaces', { headers })).status).toBe(200)
    expect((await second.client.get('/v1/namespaces')).status).toBe(401)
    expect(first.output() + second.output()).not.toContain(key)
  })
})

describe('the environment of a registry', () => {
  it('is checked before anything starts, and secrets are not printed', async () => {
    await using registry = await startProcess({ SWITCHYARD_BOOTSTRAP_API_KEY: 'short', SWITCHYARD_PORT: 'x' })
    await waitFor('it to end', () => registry.output().includes('ENVIRONMENT_INVALID'))
    for (const name of ['SWITCHYARD_NATS_URL', 'SWITCHYARD_PORT', 'SWITCHYARD_BOOTSTRAP_API_KEY']) {
      expect(registry.output()).toContain(name)
    }
    expect(registry.output()).not.toContain('"short"')
  })
})
