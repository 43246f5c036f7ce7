/**
 * A running set-up with the users of Compose: who is nobody gets in nowhere, and nothing secret is where
 * others can read it.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { openRedisConfigStore, type StoredManifest } from '@switchyard/config-store'
import { GRAPH, Program, query, variantOf } from '@switchyard/e2e'
import { connectNats } from '@switchyard/event-log'
import {
  askRedis,
  natsServerAvailable,
  programFile,
  redisServerAvailable,
  waitFor,
} from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS } from '../src/world/programs.ts'
import { World } from '../src/world/world.ts'

const KEY = { namespace: 'default', graph: GRAPH }
const MANIFEST = `switchyard:{default/${GRAPH}}:manifest`

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('a running set-up', () => {
  let world: World
  beforeAll(async () => {
    world = await World.start('plain')
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
  })

  it.each([
    ['nobody', {}],
    ['a wrong password', { user: 'registry', pass: 'guessed' }],
    ['an unknown user', { user: 'operator', pass: 'guessed' }],
    ['a token', { auth_token: 'guessed' }],
  ])('lets %s into NATS no further than its greeting', async (_who, login) => {
    expect(await enterNats(world.nats.port, login)).toContain('Authorization Violation')
  })

  it('lets the right password of a user of NATS in, and of that user alone', async () => {
    const { registry, router } = world.passwords
    expect(await enterNats(world.nats.port, { user: 'registry', pass: registry })).toContain('PONG')
    expect(await enterNats(world.nats.port, { user: 'registry', pass: router })).toContain(
      'Authorization Violation',
    )
  })

  it('lets nobody into Redis without the right password', async () => {
    const ask = (command: string, ...args: readonly string[]) => askRedis(world.redis, {}, command, ...args)
    await expect(ask('HGETALL', MANIFEST)).rejects.toThrow(/NOPERM/)
    await expect(ask('PING')).resolves.toBe('PONG')
    for (const user of ['router', 'config-distribution', 'operator'])
      await expect(ask('AUTH', user, 'guessed'), user).rejects.toThrow(/WRONGPASS/)
    await expect(ask('AUTH', 'router', world.passwords['config-distribution'])).rejects.toThrow(/WRONGPASS/)
    await expect(ask('AUTH', 'router', world.passwords.router)).resolves.toBe('OK')
  })

  it('lets routers write nothing into Redis, and config-distribution nothing but its keys', async () => {
    const as = (user: 'router' | 'config-distribution', [command = '', ...args]: readonly string[]) =>
      askRedis(world.redis, { username: user, password: world.passwords[user] }, command, ...args)
    const before = await as('router', ['HMGET', MANIFEST, 'revision'])
    for (const words of [
      ['SET', MANIFEST, 'x'],
      ['DEL', MANIFEST],
      ['EVAL', "return redis.call('DEL', KEYS[1])", '1', MANIFEST],
      ['EVAL', "return redis.call('HSET', KEYS[1], 'manifest', 'x')", '1', MANIFEST],
      ['HMGET', 'of-somebody-else', 'revision'],
      ['KEYS', '*'],
      ['CONFIG', 'GET', '*'],
    ] as const)
      await expect(as('router', words), words.join(' ')).rejects.toThrow(/NOPERM|can't run this command/)
    for (const words of [
      ['FLUSHALL'],
      ['CONFIG', 'SET', 'save', ''],
      ['SET', 'other', 'x'],
      ['ACL', 'LIST'],
    ] as const)
      await expect(as('config-distribution', words), words.join(' ')).rejects.toThrow(/NOPERM/)
    expect(await as('router', ['HMGET', MANIFEST, 'revision'])).toEqual(before)
  })

  it('has routers that refuse a forged manifest, say so, and serve on, until the right one is put back', async () => {
    const { system } = world
    const user = 'config-distribution'
    const url = `redis://${user}:${world.passwords[user]}@127.0.0.1:${world.redis.port}`
    await using store = await openRedisConfigStore({ url })
    const right = await store.getManifest(KEY)
    if (right === null) throw new Error('there is no manifest')
    // Which would put the right one back before everybody has seen the forged one.
    world.wire('config-distribution', 'redis').cut()
    await store.replaceManifest(KEY, forged(right))
    await using link = await connectNats({ url: world.stores.natsUrl('admin'), name: 'stranger' })
    link.connection.publish(`config.default.${GRAPH}`, JSON.stringify(right.version))
    const reported = await waitFor('both routers to report it', async () => {
      const { body } = await system.manage('GET', '/v1/routers')
      const codes = [...JSON.stringify(body).matchAll(/"rejected":\{[^}]*"code":"(\w+)"/g)].map(
        ([, code]) => code,
      )
      return codes.length === 2 ? codes : null
    })
    expect(reported).toEqual(['MANIFEST_SIGNATURE_INVALID', 'MANIFEST_SIGNATURE_INVALID'])
    for (const [index, routerUrl] of system.routerUrls.entries()) {
      expect(variantOf(await query(routerUrl))).toBe('base')
      const { events } = world.program(index === 0 ? 'router-0' : 'router-1')
      await waitFor('the router to say why', () =>
        events.some(
          ({ event, code }) => event === 'config.rejected' && code === 'MANIFEST_SIGNATURE_INVALID',
        ),
      )
    }
    world.wire('config-distribution', 'redis').pass()
    const restored = await waitFor('config-distribution to put the right one back', async () => {
      const stored = await store.getManifest(KEY)
      return stored?.signature === right.signature && stored.version.revision === right.version.revision
    })
    expect(restored).toBe(true)
    // What a service says may arrive after what it did.
    const { events } = world.program('config-distribution')
    await waitFor('config-distribution to say so', () =>
      events.some(({ event }) => event === 'config.projection-repaired'),
    )
  })

  it('shows no secret in a log line or in the list of processes', async () => {
    const secrets = [...Object.values(world.passwords), world.system.apiKey, 'f'.repeat(32)]
    const output = world.system.report(Number.POSITIVE_INFINITY)
    expect(output.length).toBeGreaterThan(1000)
    const pids = [...PROGRAMS.map((name) => world.program(name).pid), world.nats.pid, world.redis.pid]
    const commands = pids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    expect(commands.join('\n')).toContain(programFile('services/registry/src/main.ts'))
    for (const secret of secrets) {
      expect(output).not.toContain(secret)
      expect(commands.join('\n')).not.toContain(secret)
    }
  })

  it('repeats no wrong password to whoever reads the log of a service that is not let in', async () => {
    const wrong = 'a-password-that-is-wrong'
    const program = new Program('stranger', 'services/config-distribution/src/main.ts', [], {
      SWITCHYARD_NATS_URL: `nats://registry:${wrong}@127.0.0.1:${world.nats.port}`,
      SWITCHYARD_REDIS_URL: `redis://router:${wrong}@127.0.0.1:${world.redis.port}`,
      SWITCHYARD_PORT: '0',
      SWITCHYARD_METRICS_PORT: '0',
      SWITCHYARD_LOG_LEVEL: 'trace',
      SWITCHYARD_SIGNING_KEY_FILE: `${world.system.folder}/signing-key.json`,
    })
    await using _stranger = program
    await waitFor(
      'it to say why',
      () => /credential|authori[sz]|refuse/i.test(program.output) || !program.running,
    )
    expect(program.output).toMatch(/credential|authori[sz]|refuse/i)
    expect(program.output).not.toContain(wrong)
  })
})

/** What NATS says to whoever sends this and asks for an answer. */
async function enterNats(port: number, login: object): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  socket.on('data', (piece) => (said += piece.toString('utf8')))
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    await waitFor('its greeting', () => said.startsWith('INFO '))
    socket.write(
      `CONNECT ${JSON.stringify({ verbose: false, lang: 'none', version: '0', ...login })}\r\nPING\r\n`,
    )
    await waitFor('an answer', () => said.includes('PONG\r\n') || said.includes('-ERR'))
    return said
  } finally {
    socket.destroy()
  }
}

/** The next revision by its words, with the signature of this one. */
function forged({ version, manifest, signature }: StoredManifest): StoredManifest {
  const revision = version.revision + 1
  const content: unknown = JSON.parse(Buffer.from(manifest).toString('utf8'))
  if (typeof content !== 'object') throw new Error('the manifest is no object')
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ ...content, revision })))
  return { version: { ...version, revision }, manifest: bytes, signature }
}
