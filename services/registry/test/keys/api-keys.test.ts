/** API keys over HTTP: made, shown once, used, deleted; by one registry and by another on the same log. */
import { ApiKeyList, CreatedApiKey, SYSTEM_SUBJECT } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { createHash } from 'node:crypto'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { faultyLog } from '../faulty-log.ts'
import {
  BOOTSTRAP_KEY,
  type Client,
  openStorage,
  problemOf,
  type Reply,
  SDL,
  setUpShop,
  startClient,
  type Storage,
} from '../harness.ts'

async function createKey(
  client: Client,
  name: string,
  ...scopes: readonly string[]
): Promise<z.infer<typeof CreatedApiKey>> {
  const reply = await client.post('/v1/api-keys', { name, scopes })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return CreatedApiKey.parse(reply.body)
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function remove(client: Client, id: string, headers: Record<string, string> = {}): Promise<Reply> {
  const json = { 'content-type': 'application/json', ...headers }
  return client.request('DELETE', `/v1/api-keys/${id}`, { body: '{}', headers: json })
}

function statusWith(client: Client, key: string): Promise<number> {
  return client.request('GET', '/v1/namespaces', { headers: bearer(key) }).then(({ status }) => status)
}

async function systemRecords(storage: Storage): Promise<unknown[]> {
  const records = []
  for await (const entry of storage.log.read({ kind: 'subject', subject: SYSTEM_SUBJECT }, 1))
    records.push(entry.record)
  return records
}

describe('API keys', () => {
  it('are shown once; the log keeps the hash of the whole text and who made them', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage, { now: () => Date.parse('2026-11-21T08:00:00.000Z') })
    const created = await createKey(client, 'ci', 'read', 'publish:default', 'read')
    expect(created.key).toMatch(new RegExp(`^swy_${created.id}_[0-9a-f]{64}$`))
    const view = {
      id: created.id,
      name: 'ci',
      scopes: ['publish:default', 'read'],
      createdAt: '2026-11-21T08:00:00.000Z',
      createdBy: 'bootstrap',
    }
    expect(created).toEqual({ ...view, key: created.key, warnings: [] })
    const list = await client.get('/v1/api-keys')
    expect(ApiKeyList.strict().parse(list.body)).toEqual({ apiKeys: [view] })
    const text = JSON.stringify(await systemRecords(storage))
    expect(text).toContain(createHash('sha256').update(created.key).digest('hex'))
    expect(text).toContain('"actor":"bootstrap"')
    expect(text).not.toContain(created.key.slice(-64))
    const second = await createKey(client, 'ci-2', 'read')
    expect(second.key.slice(-64)).not.toBe(created.key.slice(-64))
  })

  it('work until they are deleted, and answer the deletion of an unknown one with 404', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const { id, key } = await createKey(client, 'reader', 'read')
    expect(await statusWith(client, key)).toBe(200)
    const deleted = await remove(client, id)
    expect([deleted.status, deleted.body]).toMatchObject([200, { id, name: 'reader' }])
    expect(await statusWith(client, key)).toBe(401)
    expect(problemOf(await remove(client, id)).code).toBe('NOT_FOUND')
    expect(problemOf(await remove(client, 'constructor')).code).toBe('NOT_FOUND')
    expect(problemOf(await remove(client, key)).code).toBe('INVALID_REQUEST')
  })

  it('of a taken name are refused, and names are free again after deletion', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const { id } = await createKey(client, 'ci', 'read')
    const reply = await client.post('/v1/api-keys', { name: 'ci', scopes: ['admin'] })
    expect(problemOf(reply)).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' })
    await remove(client, id)
    await createKey(client, 'ci', 'read')
  })

  it('warn of scopes for namespaces that do not exist, and not of those that do', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const { warnings } = await createKey(
      client,
      'ci',
      'deploy:soon',
      'trace:later',
      'publish:default',
      'read',
    )
    expect(warnings).toEqual([
      'There is no namespace "soon" yet; the scope takes effect when it has been created.',
      'There is no namespace "later" yet; the scope takes effect when it has been created.',
    ])
  })

  it.each([
    ['no scope', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['write'] }],
    ['a scope of a malformed namespace', { name: 'x', scopes: ['deploy:Team'] }],
    ['a scope without its namespace', { name: 'x', scopes: ['trace'] }],
    ['an admin scope of one namespace', { name: 'x', scopes: ['admin:default'] }],
    ['no name', { scopes: ['read'] }],
    ['a key of the caller’s choice', { name: 'x', scopes: ['read'], key: 'swy_1_2' }],
  ])('with %s are refused as malformed', async (_, body) => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    expect(problemOf(await client.post('/v1/api-keys', body)).code).toBe('INVALID_REQUEST')
    expect(await systemRecords(storage)).toEqual([])
  })

  it('may delete themselves, but not the last administrator of a registry without a bootstrap key', async () => {
    await using storage = await openStorage()
    const made = await (async () => {
      await using client = await startClient(storage)
      return [await createKey(client, 'root', 'admin'), await createKey(client, 'root-2', 'admin')] as const
    })()
    const [root, second] = made
    await using client = await startClient(storage, { withoutBootstrapKey: true })
    expect(await statusWith(client, BOOTSTRAP_KEY)).toBe(401)
    expect((await remove(client, second.id, bearer(second.key))).status).toBe(200)
    expect(await statusWith(client, second.key)).toBe(401)
    const refused = await remove(client, root.id, bearer(root.key))
    expect(problemOf(refused)).toMatchObject({ status: 409, code: 'LAST_ADMIN_KEY' })
    expect(await statusWith(client, root.key)).toBe(200)
  })

  it('are made once for one idempotency key, and shown only by the first answer', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const headers = { 'idempotency-key': 'one' }
    const body = { name: 'ci', scopes: ['read'] }
    expect((await client.post('/v1/api-keys', body, headers)).status).toBe(201)
    expect(problemOf(await client.post('/v1/api-keys', body, headers)).code).toBe('API_KEY_SHOWN_ONCE')
    const other = await client.post('/v1/api-keys', { ...body, name: 'cd' }, headers)
    expect(problemOf(other).code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await systemRecords(storage)).toHaveLength(1)
  })

  it('deleted once for one idempotency key, also when it is asked twice', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const { id } = await createKey(client, 'ci', 'read')
    const headers = { 'idempotency-key': 'two' }
    const replies = [await remove(client, id, headers), await remove(client, id, headers)]
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies[1]?.body).toEqual(replies[0]?.body)
  })

  it.each(['written', 'lost'] as const)(
    'work when the log’s answer was lost and the record was %s',
    async (how) => {
      await using storage = await openStorage()
      const log = faultyLog(storage.log)
      await using client = await startClient({ ...storage, log })
      log.loseAnswer = how
      const { key } = await createKey(client, 'ci', 'read')
      expect(await statusWith(client, key)).toBe(200)
      expect(await systemRecords(storage)).toHaveLength(1)
    },
  )
})

describe('two registries on one log', () => {
  it('know each other’s new keys with the next request, and forget deleted ones', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    for (let round = 0; round < 20; round += 1) {
      const { id, key } = await createKey(one, `ci-${round}`, 'read')
      expect(await statusWith(two, key)).toBe(200)
      expect((await remove(two, id)).status).toBe(200)
      await vi.waitFor(async () => expect(await statusWith(one, key)).toBe(401), PATIENTLY)
    }
  })

  it('let one of two create a name at the same moment', async () => {
    await using storage = await openStorage()
    await using one = await startClient(storage)
    await using two = await startClient(storage)
    const body = { name: 'ci', scopes: ['read'] }
    const replies = await Promise.all([one, two].map((client) => client.post('/v1/api-keys', body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})

describe('the audit trail', () => {
  it('names the actor in records and in log lines, with command and outcome, and never a key', async () => {
    await using storage = await openStorage()
    let lines = ''
    const logger = createLogger({
      name: 'registry',
      level: 'trace',
      to: { write: (line) => void (lines += line) },
    })
    await using client = await startClient(storage, { logger })
    await setUpShop(client)
    const publisher = await createKey(client, 'publisher', 'publish:default')
    const json = { 'content-type': 'application/json', ...bearer(publisher.key) }
    const send = (method: string, path: string, body: unknown) =>
      client.request(method, path, { body: JSON.stringify(body), headers: json })
    await send('PUT', '/v1/subgraphs/default/orders/schema?wait=0', { sdl: `${SDL} # 2` })
    await send('PUT', '/v1/subgraphs/default/ghost/schema?wait=0', { sdl: SDL })
    await send('POST', '/v1/graphs/default?wait=0', { name: 'g' })
    await client.request('GET', '/v1/namespaces', { headers: bearer(`${publisher.key.slice(0, -4)}0000`) })
    await client.request('GET', `/v1/graphs/${publisher.key}`, { headers: bearer(publisher.key) })
    await remove(client, publisher.key)
    await remove(client, publisher.key, bearer(publisher.key))
    await remove(client, publisher.key, bearer('wrong'))
    await remove(client, publisher.id)

    const events = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const actor = `key:${publisher.id}`
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'registry.command.applied', actor, command: 'publish-schema' }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'registry.command.refused',
        actor,
        command: 'publish-schema',
        code: 'NOT_FOUND',
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'registry.access.denied', actor, scope: 'deploy:default' }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'registry.authentication.failed', address: '127.0.0.1' }),
    )
    expect(events.filter(({ event }) => event === 'registry.command.refused')).toHaveLength(1)
    for (const command of ['create-api-key', 'delete-api-key']) {
      expect(events).toContainEqual(
        expect.objectContaining({
          event: 'registry.command.applied',
          actor: 'bootstrap',
          command,
          keyId: publisher.id,
        }),
      )
    }
    const secret = publisher.key.slice(-64)
    for (const hidden of [BOOTSTRAP_KEY, secret, secret.slice(0, 32)]) expect(lines).not.toContain(hidden)
    const actors = []
    for await (const { record } of storage.log.read({ kind: 'log', log: 'registry' }, 1))
      actors.push((record as { actor: string }).actor)
    expect(new Set(actors)).toEqual(new Set(['bootstrap', actor]))
  })
})
