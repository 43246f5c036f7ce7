/** What wrong keys cost, and how many are looked at. */
import { CreatedApiKey, SYSTEM_SUBJECT } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { BOOTSTRAP_KEY, type Client, openStorage, problemOf, type Reply, startClient } from '../harness.ts'

const UNKNOWN = `swy_0123456789abcdef_${'0'.repeat(64)}`

function ask(client: Client, key: string, headers: Record<string, string> = {}): Promise<Reply> {
  return client.request('GET', '/v1/namespaces', { headers: { authorization: `Bearer ${key}`, ...headers } })
}

/** Counts looks at the system log. */
function watched(log: EventLog): EventLog & { looks: number } {
  const counting = {
    looks: 0,
    append: (...args: Parameters<EventLog['append']>) => log.append(...args),
    read: (...args: Parameters<EventLog['read']>) => log.read(...args),
    follow: (...args: Parameters<EventLog['follow']>) => log.follow(...args),
    subjects: (...args: Parameters<EventLog['subjects']>) => log.subjects(...args),
    async last(filter: Parameters<EventLog['last']>[0]) {
      if (filter.kind === 'subject' && filter.subject === SYSTEM_SUBJECT) counting.looks += 1
      return log.last(filter)
    },
    async [Symbol.asyncDispose]() {},
  }
  return counting
}

describe('wrong API keys', () => {
  it('cost the same look at the log whether their id is known or not, and good ones cost none', async () => {
    await using storage = await openStorage()
    const log = watched(storage.log)
    await using client = await startClient({ ...storage, log })
    const reply = await client.post('/v1/api-keys', { name: 'ci', scopes: ['read'] })
    const { id, key } = CreatedApiKey.parse(reply.body)
    const looksOf = async (text: string, status: number) => {
      const before = log.looks
      expect((await ask(client, text)).status).toBe(status)
      return log.looks - before
    }
    expect(await looksOf(UNKNOWN, 401)).toBe(1)
    expect(await looksOf(`swy_${id}_${'0'.repeat(64)}`, 401)).toBe(1)
    expect(await looksOf('anything else', 401)).toBe(1)
    expect(await looksOf(key, 200)).toBe(0)
    expect(await looksOf(BOOTSTRAP_KEY, 200)).toBe(0)
  })

  it('are answered 429 unseen once there were too many, while valid keys of the same address work', async () => {
    await using storage = await openStorage()
    const log = watched(storage.log)
    const clock = { now: 1_000_000 }
    let lines = ''
    const logger = createLogger({ name: 'registry', to: { write: (line) => void (lines += line) } })
    await using client = await startClient({ ...storage, log }, { monotonicNow: () => clock.now, logger })
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await ask(client, UNKNOWN)).status).toBe(401)
    const { looks } = log
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const reply = await ask(client, `${UNKNOWN.slice(0, -2)}${attempt + 10}`)
      expect(problemOf(reply)).toMatchObject({ status: 429, code: 'TOO_MANY_FAILED_AUTHENTICATIONS' })
      expect(reply.headers.get('retry-after')).toBe('3')
    }
    expect(log.looks).toBe(looks)
    expect(lines.match(/registry\.authentication\.failed/g)).toHaveLength(20)
    expect(lines.match(/"blockedForMs":3000/g)).toHaveLength(1)

    expect((await ask(client, BOOTSTRAP_KEY)).status).toBe(200)
    const made = await client.post('/v1/api-keys', { name: 'ci', scopes: ['read'] })
    expect((await ask(client, CreatedApiKey.parse(made.body).key)).status).toBe(200)
    expect((await fetch(`${client.registry.url}/v1/namespaces`)).status).toBe(401)

    clock.now += 2999
    expect((await ask(client, UNKNOWN)).headers.get('retry-after')).toBe('1')
    clock.now += 1
    expect((await ask(client, UNKNOWN)).status).toBe(401)
    expect((await ask(client, UNKNOWN)).status).toBe(429)
    clock.now += 60_000
    expect((await ask(client, UNKNOWN)).status).toBe(401)
  })

  it('that come at the same moment are limited, too', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage, { monotonicNow: () => 0 })
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(client, UNKNOWN)))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40)
  })

  it('are counted for the address that a trusted proxy names, and for the proxy’s when nobody trusts it', async () => {
    const statuses = async (trustedProxies: readonly string[]) => {
      await using storage = await openStorage()
      await using client = await startClient(storage, { monotonicNow: () => 0, trustedProxies })
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await ask(client, UNKNOWN, { 'x-forwarded-for': '198.51.100.7' })
      }
      const replies = []
      for (const address of ['198.51.100.7', '198.51.100.8', '203.0.113.1, 198.51.100.7']) {
        replies.push((await ask(client, UNKNOWN, { 'x-forwarded-for': address })).status)
      }
      return replies
    }
    expect(await statuses(['127.0.0.0/8'])).toEqual([429, 401, 429])
    expect(await statuses([])).toEqual([429, 429, 429])
    expect(await statuses(['10.0.0.0/8'])).toEqual([429, 429, 429])
  })
})
