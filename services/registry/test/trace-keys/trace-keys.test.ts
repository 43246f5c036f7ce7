import { readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreatedTraceKey, SYSTEM_SUBJECT } from '@switchyard/contracts'
import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { faultyLog } from '../faulty-log.ts'
import { problemOf, refusal } from '../harness.ts'
import { newTraceKey, printTraceKeys } from '../../src/trace-keys/trace-key.ts'
import {
  announced,
  askToken,
  createKey,
  listKeys,
  openTraceWorld,
  retireKey,
  statesOf,
  TOKENS,
  type TraceWorld,
} from './support.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let world: TraceWorld
beforeEach(async () => {
  world = await openTraceWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

async function textOfLog(): Promise<string> {
  let text = ''
  const { log } = world.storage
  for await (const { record } of log.read({ kind: 'subject', subject: SYSTEM_SUBJECT }, 1))
    text += JSON.stringify(record)
  return text
}

describe('a trace key', () => {
  it('is created into a file for its owner, and only its public half gets into the log', async () => {
    const client = await world.start()
    const { kid, made, state, createdAt, warnings } = await createKey(client)
    expect({ made, state, warnings }).toEqual({ made: true, state: 'signs', warnings: [] })
    expect(createdAt).toMatch(/^\d{4}-/)
    expect((await stat(world.file)).mode & 0o777).toBe(0o600)
    const { keys } = JSON.parse(await readFile(world.file, 'utf8'))
    expect(keys).toEqual([expect.objectContaining({ kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' })])
    expect(await announced(world)).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: keys[0].x, kid, alg: 'EdDSA', use: 'sig' },
    ])
    const visible = `${await textOfLog()}${JSON.stringify(world.logs)}${JSON.stringify(await listKeys(client))}`
    expect(visible).toContain(kid)
    expect(visible).not.toContain(keys[0].d)
  })

  it('signs when it is the newest, and the others still can', async () => {
    const client = await world.start()
    const one = await createKey(client)
    const two = await createKey(client)
    expect(await statesOf(client)).toEqual([`signs ${two.kid}`, `can-sign ${one.kid}`])
  })

  it('is made once for one idempotency key, however often that is sent', async () => {
    const client = await world.start()
    const headers = { 'idempotency-key': 'rotation-7' }
    const first = await client.post('/v1/trace-keys', {}, headers)
    const again = await client.post('/v1/trace-keys', {}, headers)
    const { kid } = CreatedTraceKey.parse(first.body)
    expect(again.body).toMatchObject({ kid, made: false, state: 'signs' })
    expect(JSON.parse(await readFile(world.file, 'utf8')).keys).toHaveLength(1)
    const other = await client.delete('/v1/trace-keys/x', headers)
    expect(refusal(other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  it('cannot be one of more than ten, and what is refused leaves no key behind', async () => {
    const client = await world.start()
    for (let count = 0; count < 10; count += 1) await createKey(client)
    const reply = await client.post('/v1/trace-keys', {})
    expect(refusal(reply)).toEqual([422, 'LIMIT_EXCEEDED'])
    expect(JSON.parse(await readFile(world.file, 'utf8')).keys).toHaveLength(10)
  })
})

describe('a registry that is killed between the key file and the log', () => {
  it('leaves a key that signs nothing, shows it, and announces it with the next create', async () => {
    const log = faultyLog(world.storage.log)
    const first = await world.start({ log })
    log.beforeAppend = async () => {
      throw new Error('killed here')
    }
    expect((await first.post('/v1/trace-keys', {})).status).toBe(500)
    await first[Symbol.asyncDispose]()
    const [{ kid }] = JSON.parse(await readFile(world.file, 'utf8')).keys

    const next = await world.start()
    await next.post('/v1/graphs/default?wait=0', { name: 'shop' })
    expect(await statesOf(next)).toEqual([`not-announced ${kid}`])
    const refused = await next.post(TOKENS, {})
    expect(refusal(refused)).toEqual([409, 'TRACE_KEY_UNAVAILABLE'])
    expect(await announced(world)).toEqual([])

    expect(await createKey(next)).toMatchObject({ kid, made: false, state: 'signs' })
    expect((await askToken(next)).kid).toBe(kid)
  })

  it('leaves the older key signing while there is one', async () => {
    const log = faultyLog(world.storage.log)
    const client = await world.start({ log })
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    const { kid } = await createKey(client)
    log.beforeAppend = async () => {
      throw new Error('killed here')
    }
    expect((await client.post('/v1/trace-keys', {})).status).toBe(500)
    log.beforeAppend = async () => {}
    expect((await askToken(client)).kid).toBe(kid)
    expect(await statesOf(client)).toEqual([expect.stringMatching(/^not-announced /), `signs ${kid}`])
  })

  it('leaves nothing that signs when it retired a key, and forgets it when it is retired again', async () => {
    const client = await world.start()
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    const { kid } = await createKey(client)
    const before = await readFile(world.file, 'utf8')
    await retireKey(client, kid)
    // As it would be had the file not been written any more.
    await writeFile(world.file, before)
    expect(await statesOf(client)).toEqual([`retired ${kid}`])
    expect(refusal(await client.post(TOKENS, {}))).toEqual([409, 'TRACE_KEY_UNAVAILABLE'])
    const { kid: next } = await createKey(client)
    expect(next).not.toBe(kid)
    await retireKey(client, kid)
    expect(await readFile(world.file, 'utf8')).not.toContain(kid)
    expect(await statesOf(client)).toEqual([`signs ${next}`, `retired ${kid}`])
  })
})

describe('retiring a key', () => {
  it('warns of tokens that may still be valid, and of there being no other key', async () => {
    let now = Date.parse('2026-11-21T08:00:00.000Z')
    const client = await world.start({ now: () => now })
    const one = await createKey(client)
    expect(one.tokensUntil).toBe('2026-11-22T08:00:00.000Z')
    now += DAY_MS
    const two = await createKey(client)
    now += 60_000
    const early = await retireKey(client, one.kid)
    expect(early).toMatchObject({ state: 'retired', retiredAt: '2026-11-22T08:01:00.000Z' })
    expect(early.warnings).toEqual([expect.stringContaining('2026-11-23T08:00:00.000Z')])
    const last = await retireKey(client, two.kid)
    expect(last.warnings).toEqual([
      expect.stringContaining('2026-11-23T08:01:00.000Z'),
      expect.stringContaining('no other trace key'),
    ])
  })

  it('warns when none of the other keys is in the key file', async () => {
    const client = await world.start()
    const one = await createKey(client)
    const onlyOne = await readFile(world.file, 'utf8')
    const two = await createKey(client)
    await writeFile(world.file, onlyOne)
    expect(await statesOf(client)).toEqual([`cannot-sign ${two.kid}`, `signs ${one.kid}`])
    expect((await retireKey(client, one.kid)).warnings).toContainEqual(
      expect.stringContaining('No other trace key is in the key file'),
    )
  })

  it('warns of nothing once another key has signed for a day', async () => {
    let now = Date.parse('2026-11-21T08:00:00.000Z')
    const client = await world.start({ now: () => now })
    const one = await createKey(client)
    await createKey(client)
    now += DAY_MS
    expect((await retireKey(client, one.kid)).warnings).toEqual([])
  })

  it('takes the private half out of the file, and for good', async () => {
    const client = await world.start()
    const { kid } = await createKey(client)
    const copy = await readFile(world.file, 'utf8')
    await retireKey(client, kid)
    expect(JSON.parse(await readFile(world.file, 'utf8'))).toEqual({ keys: [] })
    await writeFile(world.file, copy)
    // The one in the file is passed over: it was retired.
    expect(await createKey(client)).toMatchObject({ made: true, kid: expect.not.stringMatching(kid) })
  })

  it('does nothing to a key that is retired, and refuses one that never was', async () => {
    const client = await world.start()
    const { kid } = await createKey(client)
    await retireKey(client, kid)
    const before = await textOfLog()
    expect(await retireKey(client, kid)).toMatchObject({ state: 'retired', warnings: [] })
    expect(await textOfLog()).toBe(before)
    expect(refusal(await client.delete('/v1/trace-keys/unknown'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('a key file that several registries share', () => {
  it('holds every key that they make at the same time', async () => {
    const clients = await Promise.all([world.start(), world.start(), world.start()])
    const made = await Promise.all([...clients, ...clients].map((client) => createKey(client)))
    const held = JSON.parse(await readFile(world.file, 'utf8')).keys.map(({ kid }: { kid: string }) => kid)
    expect(new Set(held)).toEqual(new Set(made.map(({ kid }) => kid)))
    expect(new Set((await announced(world)).map(({ kid }) => kid))).toEqual(new Set(held))
    const [one, ...others] = await Promise.all(clients.map(statesOf))
    for (const other of others) expect(other).toEqual(one)
  })

  it('is not kept locked by a process that was killed while it wrote', async () => {
    const client = await world.start()
    await writeFile(`${world.file}.lock`, '')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(`${world.file}.lock`, longAgo, longAgo)
    expect(await createKey(client)).toMatchObject({ made: true })
  })

  it('is given up, and not waited for for ever, when its lock stays', async () => {
    const client = await world.start()
    const file = `${world.file}.lock`
    await writeFile(file, '')
    const later = new Date(Date.now() + 3_600_000)
    await utimes(file, later, later)
    {
      // A second at each look at the clock, so that 15 of them do not pass while others wait for this test.
      const real = performance.now.bind(performance)
      let looks = 0
      using _clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + 1000 * looks++)
      expect(problemOf(await client.post('/v1/trace-keys', {}))).toMatchObject({
        code: 'TRACE_KEY_FILE_UNUSABLE',
        detail: expect.stringContaining('holds the lock'),
      })
      expect(looks).toBeGreaterThan(10)
    }
    await rm(file)
    expect(await createKey(client)).toMatchObject({ made: true })
  })

  it('is followed through a link, which stays one', async () => {
    const real = join(world.folder, 'mounted.json')
    await writeFile(real, printTraceKeys([]))
    await symlink(real, world.file)
    const { kid } = await createKey(await world.start())
    expect(await readFile(real, 'utf8')).toContain(kid)
  })

  it('may be a mounted secret: a key that is added outside is announced by create, without a restart', async () => {
    const client = await world.start()
    const key = await newTraceKey()
    await writeFile(world.file, printTraceKeys([key]))
    expect(await statesOf(client)).toEqual([`not-announced ${key.kid}`])
    expect(await createKey(client)).toMatchObject({ kid: key.kid, made: false, state: 'signs' })
  })

  it('gets no key whose id a command line would take for an option', async () => {
    const keys = await Promise.all(Array.from({ length: 500 }, newTraceKey))
    expect(keys.filter(({ kid }) => kid.startsWith('-'))).toEqual([])
  })

  it('may be a single key, whose id is its thumbprint whatever the file calls it', async () => {
    const { kid, privateJwk } = await newTraceKey()
    await writeFile(world.file, JSON.stringify({ ...privateJwk, kid: 'of-somebody-else' }))
    expect(await statesOf(await world.start())).toEqual([`not-announced ${kid}`])
  })
})

describe('a key file that is no use', () => {
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I'
  it.each([
    ['no JSON', `{"keys":[{"kty":"OKP","d":"${secret}" oops`],
    ['no key set', `{"d":"${secret}"}`],
    ['a key of another kind', `{"keys":[{"kty":"EC","crv":"P-256","x":"${secret}","d":"${secret}"}]}`],
    ['halves that differ', `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${secret}","d":"${secret}"}]}`],
    ['a public key only', `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${secret}"}]}`],
  ])('stops what needs it, and shows nothing of it: %s', async (_, text) => {
    await writeFile(world.file, text)
    const client = await world.start()
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    for (const reply of [await client.post('/v1/trace-keys', {}), await client.post(TOKENS, {})]) {
      expect(refusal(reply)).toEqual([409, 'TRACE_KEY_FILE_UNUSABLE'])
      expect(JSON.stringify(reply.body)).not.toContain(world.file)
    }
    expect((await listKeys(client)).warnings).toEqual([expect.stringContaining('no use')])
    expect(world.logs).toContainEqual(
      expect.objectContaining({ event: 'registry.trace-key-file.unusable', path: world.file }),
    )
    const visible = JSON.stringify(world.logs)
    expect(visible).not.toContain(secret.slice(0, 8))
    expect(await readFile(world.file, 'utf8')).toBe(text)
  })

  it('is named as such when it cannot be written', async () => {
    const client = await world.start({ keyFile: join(world.folder, 'missing', 'keys.json') })
    const reply = await client.post('/v1/trace-keys', {})
    expect(problemOf(reply)).toMatchObject({
      code: 'TRACE_KEY_FILE_UNUSABLE',
      detail: expect.stringContaining('ENOENT'),
    })
    expect(await announced(world)).toEqual([])
  })

  it('keeps nobody from retiring a key: the answer says that its private half is still there', async () => {
    const client = await world.start()
    const { kid } = await createKey(client)
    await writeFile(world.file, 'spoilt')
    const retired = await retireKey(client, kid)
    expect(retired.state).toBe('retired')
    expect(retired.warnings).toContainEqual(expect.stringContaining('could not be removed'))
  })

  it('is a problem of the registry that has none', async () => {
    const client = await world.start({ keyFile: null })
    expect(refusal(await client.post('/v1/trace-keys', {}))).toEqual([409, 'TRACE_KEY_UNAVAILABLE'])
    expect(await listKeys(client)).toEqual({
      traceKeys: [],
      warnings: [expect.stringContaining('SWITCHYARD_TRACE_KEY_FILE')],
    })
  })
})
