import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { registrySubject, SYSTEM_SUBJECT } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { createHash } from 'node:crypto'
import { NoApiKeyError, startRegistry } from '../src/registry.ts'
import { faultyLog } from './faulty-log.ts'
import { clientOf, openStorage, outcome, problemOf, startClient } from './harness.ts'

const SUBJECT = registrySubject('default')
const quiet = createLogger({ name: 'registry', level: 'silent' })

describe('an append whose answer is lost', () => {
  it.each(['written', 'lost'] as const)(
    'is looked up before it is decided again (%s)',
    async (loseAnswer) => {
      await using storage = await openStorage()
      const log = faultyLog(storage.log)
      await using client = await startClient({ ...storage, log })
      log.loseAnswer = loseAnswer
      const reply = await client.post('/v1/graphs/default?wait=0', { name: 'g' })
      expect([reply.status, outcome(reply).changed]).toEqual([201, true])
      expect((await client.get('/v1/graphs/default')).body).toMatchObject({ graphs: [{ name: 'g' }] })
      const last = await storage.log.last({ kind: 'subject', subject: SUBJECT })
      expect(last?.sequence).toBe(outcome(reply).sequence)
    },
  )

  it('is reported as unknown when the log stays away, and told with the same key afterwards', async () => {
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    log.loseAnswer = 'written'
    log.beforeAppend = async () => {
      log.cut = true
    }
    const key = { 'idempotency-key': 'k-1' }
    const reply = await client.post('/v1/graphs/default?wait=0', { name: 'g' }, key)
    expect([reply.status, problemOf(reply).code]).toEqual([504, 'WRITE_OUTCOME_UNKNOWN'])
    log.cut = false
    expect((await client.post('/v1/graphs/default?wait=0', { name: 'g' }, key)).status).toBe(201)
  })
})

describe('a log that others write to all the time', () => {
  it('is given up after 20 conflicts, with nothing changed', async () => {
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    await using other = await startClient(storage)
    let written = 0
    log.beforeAppend = async () => {
      written += 1
      await other.post('/v1/graphs/default?wait=0', { name: `other-${written}` })
    }
    const reply = await client.post('/v1/graphs/default?wait=0', { name: 'g' })
    expect([reply.status, problemOf(reply).code]).toEqual([503, 'REGISTRY_BUSY'])
    expect(reply.headers.get('retry-after')).toBe('1')
    expect(written).toBe(21)
    const { body } = await other.get('/v1/graphs/default')
    expect(JSON.stringify(body)).not.toContain('"g"')
  })
})

describe('a log that cannot be reached', () => {
  it('makes the registry not ready, and it recovers by itself', async () => {
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    log.cut = true
    for (const reply of [
      await client.get('/v1/graphs/default'),
      await client.post('/v1/graphs/default?wait=0', { name: 'g' }),
    ]) {
      expect([reply.status, problemOf(reply).code]).toEqual([503, 'STORAGE_UNAVAILABLE'])
    }
    expect((await client.get('/v1/graphs/default?consistency=eventual')).status).toBe(200)
    await vi.waitFor(async () => {
      const ready = await client.get('/health/ready')
      expect(ready.status).toBe(503)
      expect(JSON.stringify(ready.body)).toContain('cut by the test')
    }, PATIENTLY)
    expect((await client.get('/health/live')).status).toBe(200)
    log.cut = false
    await vi.waitFor(async () => expect((await client.get('/health/ready')).status).toBe(200), PATIENTLY)
    expect((await client.post('/v1/graphs/default?wait=0', { name: 'g' })).status).toBe(201)
  })

  it('is in the log of the registry for every request that it costs', async () => {
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    const lines: unknown[] = []
    await using registry = await startRegistry({
      ...storage,
      log,
      logger: createLogger({
        name: 'registry',
        to: { write: (line: string) => void lines.push(JSON.parse(line)) },
      }),
      host: '127.0.0.1',
      port: 0,
      bootstrapApiKey: 'bootstrap-key-of-the-tests',
    })
    const client = clientOf(registry)
    await vi.waitFor(async () => expect((await client.get('/health/ready')).status).toBe(200), PATIENTLY)
    log.cut = true
    expect((await client.post('/v1/graphs/default?wait=0', { name: 'g' })).status).toBe(503)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'registry.request.unavailable',
        method: 'POST',
        path: '/v1/graphs/default',
        reason: expect.stringContaining('cut by the test'),
      }),
    )
    expect(JSON.stringify(lines)).not.toContain('bootstrap-key-of-the-tests')
  })

  it('does not keep a registry from starting: it answers that it is not ready until the log is there', async () => {
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    log.cut = true
    await using registry = await startRegistry({
      ...storage,
      log,
      logger: quiet,
      host: '127.0.0.1',
      port: 0,
      bootstrapApiKey: 'bootstrap-key-of-the-tests',
    })
    const client = clientOf(registry)
    const reply = await client.get('/v1/graphs/default')
    expect([reply.status, problemOf(reply).code]).toEqual([503, 'NOT_READY'])
    expect(problemOf(reply).detail).toMatch(/[^.]\.$/)
    log.cut = false
    await vi.waitFor(async () => expect((await client.get('/v1/graphs/default')).status).toBe(200), PATIENTLY)
  })
})

describe('a record that this version cannot understand', () => {
  it('stops the registry from answering, with the sequence as the reason', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await client.post('/v1/graphs/default?wait=0', { name: 'g' })
    const last = await storage.log.last({ kind: 'subject', subject: SUBJECT })
    const sequence = await storage.log.append(SUBJECT, { v: 2, something: 'new' }, last?.sequence ?? 0)
    await vi.waitFor(async () => {
      const ready = await client.get('/health/ready')
      expect(ready.status).toBe(503)
      expect(JSON.stringify(ready.body)).toContain(`sequence ${sequence}`)
    }, PATIENTLY)
    const reply = await client.post('/v1/graphs/default?wait=0', { name: 'h' })
    expect([reply.status, problemOf(reply).code]).toEqual([503, 'NOT_READY'])
  })
})

describe('API keys', () => {
  const key = (name: string) => `swy_${name}_0123456789abcdef0123456789abcdef`
  const authorized = (name: string) => ({
    authorization: `Bearer ${key(name)}`,
    'content-type': 'application/json',
  })

  it('come from the log and may do what their scopes say', async () => {
    await using storage = await openStorage()
    const created = (id: string, scopes: string[]) => ({
      type: 'api-key.created',
      id,
      name: id,
      sha256: createHash('sha256').update(key(id)).digest('hex'),
      scopes,
    })
    await storage.log.append(
      SYSTEM_SUBJECT,
      {
        v: 1,
        commandId: 'keys',
        actor: 'system',
        time: '2026-11-21T08:00:00.000Z',
        after: 0,
        events: [
          created('reader', ['read']),
          created('publisher', ['publish:default']),
          created('deployer', ['deploy:default']),
        ],
      },
      0,
    )
    const { bootstrapApiKey: _, ...without } = { bootstrapApiKey: '', ...storage, logger: quiet }
    await using registry = await startRegistry({ ...without, host: '127.0.0.1', port: 0 })
    const client = clientOf(registry)
    const status = async (name: string, method: string, path: string, body?: unknown) => {
      const init = {
        headers: authorized(name),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      return (await client.request(method, path, init)).status
    }
    const graph = (name: string) => ['POST', '/v1/graphs/default?wait=0', { name }] as const
    const publish = (name: string, more = {}) =>
      [
        'PUT',
        `/v1/subgraphs/default/${name}/schema?wait=0`,
        { sdl: 'type Query { a: Int }', ...more },
      ] as const
    const creating = { routingUrl: 'http://localhost/' }

    expect(await status('reader', 'GET', '/v1/namespaces')).toBe(200)
    expect(await status('reader', ...graph('a'))).toBe(403)
    expect(await status('reader', ...publish('s'))).toBe(403)
    expect(await status('publisher', ...publish('s', creating))).toBe(403)
    expect(await status('deployer', ...publish('s', creating))).toBe(201)
    expect(await status('publisher', ...publish('s'))).toBe(200)
    expect(await status('publisher', ...graph('a'))).toBe(403)
    expect(await status('publisher', 'GET', '/v1/graphs/default')).toBe(200)
    expect(await status('publisher', 'GET', '/v1/namespaces')).toBe(403)
    expect(await status('deployer', ...graph('a'))).toBe(201)
    expect(await status('deployer', 'POST', '/v1/namespaces', { name: 'team' })).toBe(403)
    expect(await status('unknown', 'GET', '/v1/namespaces')).toBe(401)
  })

  it('are needed: without one in the log or the environment nothing starts', async () => {
    await using storage = await openStorage()
    await expect(startRegistry({ ...storage, logger: quiet, host: '127.0.0.1', port: 0 })).rejects.toThrow(
      NoApiKeyError,
    )
  })
})

describe('a port that is taken', () => {
  it('is named in the error', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const { port } = client.registry
    const second = startClient(storage, { port })
    await expect(second).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
    await expect(second).rejects.toThrow(String(port))
  })
})
