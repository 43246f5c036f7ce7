/** Where keys are from, and what happens while they change or are away. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import {
  inSeconds,
  newSigningKey,
  sign,
  type SigningKey,
  startKeyServer,
} from '../../support/token-issuer.ts'
import { opened, settingsOf } from './opened.ts'

const stack = new AsyncDisposableStack()
let one: SigningKey
let two: SigningKey
let folder: string
beforeAll(async () => {
  one = await newSigningKey('one')
  two = await newSigningKey('two')
  folder = await mkdtemp(join(tmpdir(), 'switchyard-keys-'))
  stack.defer(() => rm(folder, { recursive: true }))
})
afterAll(() => stack.disposeAsync())

const SELDOM = { refresh_interval: '1h', refresh_cooldown: '1h' }

describe('keys that change', () => {
  it('are found by the first token with a new one, and those of old ones are refused then', async () => {
    await using server = await startKeyServer(one.publicJwk)
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }, SELDOM))
    const old = await sign(one)
    expect(await gate.askWith(old)).toBe('ann')
    server.publish(two.publicJwk)
    expect(await gate.askWith(await sign(two))).toBe('ann')
    // It was remembered as a good one.
    expect(await gate.askWith(old)).toMatch(/does not publish/)
    expect(server.calls()).toBe(2)
  })

  it('are looked for once, however many tokens have keys that nobody knows', async () => {
    await using server = await startKeyServer(one.publicJwk)
    let now = Date.now()
    using gate = await opened(
      settingsOf({ jwks: [{ url: server.url }] }, { refresh_interval: '1h', refresh_cooldown: '30s' }),
      () => now,
    )
    const tokens = await Promise.all(
      Array.from({ length: 50 }, (_, index) => sign(one, {}, { kid: `made-up-${index}` })),
    )
    const answers = await Promise.all(tokens.map((token) => gate.askWith(token)))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/does not publish/)
    await gate.askWith(tokens[0] ?? '')
    expect(server.calls()).toBe(2)
    now += 31_000
    await gate.askWith(tokens[0] ?? '')
    expect(server.calls()).toBe(3)
  })

  it('are read again from time to time', async () => {
    await using server = await startKeyServer(one.publicJwk)
    const often = { refresh_interval: '20ms', refresh_cooldown: '1h' }
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }, often))
    server.publish(two.publicJwk)
    await until(() => gate.logs.length === 2, 'the new keys are read')
    expect(await gate.askWith(await sign(one))).toMatch(/does not publish/)
    expect(gate.logs.at(-1)).toMatchObject({ event: 'authentication.keys-read', provider: 'shop', keys: 1 })
  })

  it('are read from a file that changes, and kept when it is broken', async () => {
    const path = join(folder, 'changing.json')
    const write = async (text: string): Promise<void> => {
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    }
    await write(JSON.stringify({ keys: [one.publicJwk] }))
    const often = { refresh_interval: '20ms', refresh_cooldown: '20ms' }
    using gate = await opened(settingsOf({ jwks: [{ file: path }] }, often))
    expect(await gate.askWith(await sign(one))).toBe('ann')
    await write('{"keys":')
    await until(() => gate.logs.some(({ event }) => event === 'authentication.keys-not-read'), 'it is told')
    expect(await gate.askWith(await sign(one))).toBe('ann')
    await write(JSON.stringify({ keys: [two.publicJwk] }))
    await until(async () => (await gate.askWith(await sign(two))) === 'ann', 'the new key is known')
    expect(await gate.askWith(await sign(one))).toMatch(/does not publish/)
  })

  it('may be in several sets', async () => {
    const path = join(folder, 'two.json')
    await writeFile(path, JSON.stringify({ keys: [two.publicJwk] }))
    await using server = await startKeyServer(one.publicJwk)
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }, { file: path }] }))
    expect(await gate.askWith(await sign(one))).toBe('ann')
    expect(await gate.askWith(await sign(two))).toBe('ann')
  })
})

describe('keys that are away', () => {
  it('are waited for: 503 for their tokens, and nothing for others', async () => {
    const server = createServer()
    const port = await listenOnFreePort(server)
    await closeServer(server)
    const often = { refresh_interval: '20ms', refresh_cooldown: '20ms' }
    using gate = await opened(settingsOf({ jwks: [{ url: `http://127.0.0.1:${port}/` }] }, often))
    expect(await gate.askWith(await sign(one))).toMatch(/^AUTHENTICATION_UNAVAILABLE/)
    expect(await gate.askWith('garbage')).toMatch(/^TOKEN_INVALID/)
    expect(await gate.ask({})).toBe('nobody')
    expect(gate.logs[0]).toMatchObject({ event: 'authentication.keys-missing', provider: 'shop' })
    const late = createServer((_, response) => {
      response.end(JSON.stringify({ keys: [one.publicJwk] }))
    })
    late.listen(port, '127.0.0.1')
    await until(async () => (await gate.askWith(await sign(one))) === 'ann', 'the keys are there')
    await closeServer(late)
  })

  type Answer = (request: IncomingMessage, response: ServerResponse) => void
  it.each<[string, Answer, RegExp]>([
    ['an error', (_, response) => response.writeHead(500).end(), /status 500/],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/jwks' }).end(), /status 302/],
    ['HTML', (_, response) => response.end('<html>'), /not JSON/],
    ['another document', (_, response) => response.end('{"issuer":"x"}'), /no JWKS/],
    ['keys that are none', (_, response) => response.end('{"keys":[1]}'), /no JWKS/],
    [
      'too many keys',
      (_, response) => response.end(JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) })),
      /more than 100/,
    ],
    ['2 MB', (_, response) => response.end('a'.repeat(2_000_000)), /larger than 1048576 bytes/],
    ['nothing', () => {}, /abort|timeout/i],
    ['half of it', (_, response) => void response.writeHead(200).write('{"keys":['), /abort|timeout/i],
    ['a broken connection', (request) => request.socket.destroy(), /closed|hang up|other side/i],
  ])('are kept when what comes in their place is %s', async (_, answer, reason) => {
    await using server = await startKeyServer(one.publicJwk)
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }, { ...SELDOM, timeout: '200ms' }))
    // The first fetch may take longer than that on a busy machine.
    await until(async () => {
      await gate.authentication.refresh()
      return (await gate.askWith(await sign(one))) === 'ann'
    }, 'the keys')
    server.answer(answer)
    await gate.authentication.refresh()
    expect(await gate.askWith(await sign(one))).toBe('ann')
    expect(gate.logs.at(-1)).toMatchObject({ event: 'authentication.keys-not-read', count: 1 })
    expect(String(gate.logs.at(-1)?.['reason'])).toMatch(reason)
  })

  it('are not asked for at addresses that the settings do not allow', async () => {
    await using server = await startKeyServer(one.publicJwk)
    const jwt = { ...SELDOM, allowed_networks: ['public'] }
    using gate = await opened(settingsOf({ jwks: [{ url: `${server.url}?key=secret` }] }, jwt))
    expect(server.calls()).toBe(0)
    expect(gate.logs[0]).toMatchObject({ event: 'authentication.keys-missing', source: server.url })
    expect(gate.logs[0]?.['reason']).toMatch(
      /authentication: \{ jwt: \{ allowed_networks: \[public, loopback\]/,
    )
  })
})

describe('a key of a set', () => {
  it('is left out when it cannot verify anything', async () => {
    const secret = { kty: 'oct', kid: 'one', k: 'a'.repeat(60) }
    const short = { ...(await newSigningKey('short', 'RS256')).publicJwk, n: 'a'.repeat(100) }
    const broken = { ...one.publicJwk, x: 'AAAA' }
    await using server = await startKeyServer(
      secret,
      short,
      broken,
      { kty: 'new' },
      { ...one.publicJwk, use: 'enc' },
      two.publicJwk,
    )
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }))
    expect(gate.logs[0]).toMatchObject({ event: 'authentication.keys-read', keys: 1, unusable: 5 })
    expect(await gate.askWith(await sign(two))).toBe('ann')
    expect(await gate.askWith(await sign(one))).toMatch(/does not publish/)
  })

  it('may have no name, as long as it is clear which one is meant', async () => {
    const nameless = ({ publicJwk }: SigningKey): JWK => {
      const { kty = 'EC', crv = '', x = '', y = '' } = publicJwk
      return { kty, crv, x, y }
    }
    await using server = await startKeyServer(nameless(one))
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }))
    const unnamed = await sign(one, {}, { kid: undefined })
    expect(await gate.askWith(unnamed)).toBe('ann')
    server.publish(nameless(one), nameless(two))
    await gate.authentication.refresh()
    expect(await gate.askWith(unnamed)).toMatch(/which of several keys/)
  })
})

describe('a good token', () => {
  it('is remembered until it expires', async () => {
    await using server = await startKeyServer(one.publicJwk)
    let now = Date.now()
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }, SELDOM), () => now)
    const token = await sign(one, { exp: inSeconds(600, now) })
    const identify = () =>
      gate.authentication.identify({ authorization: `Bearer ${token}` }, () => ({ address: '', name: '' }))
    expect(identify()).toBeInstanceOf(Promise)
    await identify()
    expect(identify()).not.toBeInstanceOf(Promise)
    now += 606_000
    expect(await gate.askWith(token)).toMatch(/has expired/)
  })

  it('is verified once for all who send it at the same time', async () => {
    await using server = await startKeyServer(one.publicJwk)
    using gate = await opened(settingsOf({ jwks: [{ url: server.url }] }))
    const token = await sign(one)
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        gate.authentication.identify({ authorization: `Bearer ${token}` }, () => ({
          address: `192.0.2.${index}`,
          name: '',
        })),
      ),
    )
    expect(new Set(all).size).toBe(1)
  })
})
