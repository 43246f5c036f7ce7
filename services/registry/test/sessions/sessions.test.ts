/** Sessions of pages in a browser, as their owners use them and as strangers would try to. */
import { CreatedApiKey, CSRF_HEADER, SessionLink } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SessionKeys } from '../../src/sessions/session-keys.ts'
import { BOOTSTRAP_KEY, type Client, openStorage, problemOf, startClient, type Storage } from '../harness.ts'
import { Browser, codeOf } from './browser.ts'

const SECRET = 's'.repeat(32)
const STUDIO = 'https://studio.example'
const MINUTE_MS = 60_000
const clock = { now: 0 }

let storage: Storage
let client: Client
beforeAll(async () => {
  clock.now = Date.parse('2026-11-30T12:00:00Z')
  storage = await openStorage()
  client = await start()
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

function start(secrets = [SECRET], more: Parameters<typeof startClient>[1] = {}): Promise<Client> {
  const sessions = { keys: new SessionKeys(secrets), studioUrl: STUDIO, links: true }
  return startClient(storage, { sessions, now: () => clock.now, ...more })
}

async function createKey(name: string, scopes: readonly string[]): Promise<CreatedApiKey> {
  return CreatedApiKey.parse((await client.post('/v1/api-keys', { name, scopes })).body)
}

async function signedIn(apiKey = BOOTSTRAP_KEY, host?: string): Promise<Browser> {
  const browser = new Browser(client.registry, host)
  expect((await browser.signIn({ apiKey })).status).toBe(201)
  return browser
}

const create = (browser: Browser, name: string, headers: Record<string, string | null> = {}) =>
  browser.send('POST', '/v1/namespaces?wait=0', { body: { name }, headers })

describe('a session', () => {
  it('is begun with an API key, acts as that key, and is told by its view', async () => {
    const { id, key } = await createKey('ci', ['deploy:shop'])
    const browser = new Browser(client.registry)
    const begun = await browser.signIn({ apiKey: key })
    expect(begun.body).toEqual({
      actor: `key:${id}`,
      name: 'ci',
      scopes: ['deploy:shop'],
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      signedInAt: clock.now,
      expiresAt: clock.now + 8 * 60 * MINUTE_MS,
      idleAt: clock.now + 30 * MINUTE_MS,
    })
    expect((await browser.get('/v1/session')).body).toEqual(begun.body)
    expect((await create(browser, 'shop')).status).toBe(201)
    expect(codeOf(await create(browser, 'other'))).toEqual([403, 'FORBIDDEN'])
    const log = await client.get('/v1/log?namespace=shop')
    expect(log.body).toMatchObject({ records: [{ actor: `key:${id}` }] })
  })

  it('lies in a cookie that scripts cannot read, of this port and path on loopback', async () => {
    const { port } = client.registry
    const { headers } = await new Browser(client.registry).signIn({ apiKey: BOOTSTRAP_KEY })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^switchyard_session_${port}=[\\w-]+; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=28800$`,
        ),
      ),
    ])
  })

  it('lies in a cookie of this host alone, and only of https, at the public address', async () => {
    for (const host of ['studio.example', 'studio.example:443']) {
      const { headers } = await new Browser(client.registry, host).signIn({ apiKey: BOOTSTRAP_KEY })
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-switchyard_session=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=28800$/,
        ),
      ])
    }
  })

  it('tells nothing about itself in its cookie', async () => {
    const browser = await signedIn()
    const [value = ''] = browser.jar.values()
    expect(Buffer.from(value, 'base64url').toString('latin1')).not.toMatch(/bootstrap|csrf|signedInAt/)
    expect((await browser.get('/v1/session')).text).not.toContain(BOOTSTRAP_KEY)
  })

  it('ends after 30 minutes without use, and after 8 hours in any case', async () => {
    const browser = await signedIn()
    for (let minutes = 0; minutes < 8 * 60 - 20; minutes += 20) {
      expect((await browser.get('/v1/namespaces')).status).toBe(200)
      clock.now += 20 * MINUTE_MS
    }
    clock.now += 20 * MINUTE_MS
    expect(codeOf(await browser.get('/v1/namespaces'))).toEqual([401, 'SESSION_EXPIRED'])
    const idle = await signedIn()
    clock.now += 30 * MINUTE_MS
    expect(codeOf(await idle.get('/v1/namespaces'))).toEqual([401, 'SESSION_EXPIRED'])
  })

  it('ends at once when its API key is deleted', async () => {
    const { id, key } = await createKey('short-lived', ['read'])
    const browser = await signedIn(key)
    expect((await browser.get('/v1/namespaces')).status).toBe(200)
    await client.delete(`/v1/api-keys/${id}`)
    expect(codeOf(await browser.get('/v1/namespaces'))).toEqual([401, 'SESSION_EXPIRED'])
  })

  it('outlasts a restart, but not another bootstrap key', async () => {
    const browser = await signedIn()
    const moved = async (bootstrapApiKey: string) => {
      const { port } = client.registry
      await client[Symbol.asyncDispose]()
      client = await start([SECRET], { port, bootstrapApiKey })
      return codeOf(await browser.get('/v1/namespaces'))
    }
    expect(await moved(BOOTSTRAP_KEY)).toEqual([200, undefined])
    expect(await moved('another-bootstrap-key')).toEqual([401, 'SESSION_EXPIRED'])
    expect(await moved(BOOTSTRAP_KEY)).toEqual([200, undefined])
  })

  it('is over when its owner signs out, also for a copy of its cookie', async () => {
    const browser = await signedIn()
    const copy = new Browser(client.registry)
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    const ended = await browser.send('DELETE', '/v1/session')
    expect(ended.status).toBe(204)
    expect(ended.headers['set-cookie']?.[0]).toMatch(/^switchyard_session_\d+=; .*Max-Age=0$/)
    expect(codeOf(await browser.get('/v1/session'))).toEqual([401, 'UNAUTHENTICATED'])
    expect(codeOf(await copy.get('/v1/session'))).toEqual([401, 'SESSION_EXPIRED'])
  })

  it('goes on while its key is the older of two, and ends when that is gone', async () => {
    const browser = await signedIn()
    const under = async (secrets: string[]) => {
      const { port } = client.registry
      await client[Symbol.asyncDispose]()
      client = await start(secrets, { port })
      return codeOf(await browser.get('/v1/namespaces'))
    }
    expect(await under(['n'.repeat(32), SECRET])).toEqual([200, undefined])
    expect(await under(['n'.repeat(32)])).toEqual([401, 'SESSION_EXPIRED'])
    expect(await under([SECRET])).toEqual([200, undefined])
  })

  it('does not matter to a request that carries an API key', async () => {
    const browser = await signedIn()
    const authorization = `Bearer ${BOOTSTRAP_KEY}`
    const foreign = { authorization, 'sec-fetch-site': null, [CSRF_HEADER]: null }
    expect((await create(browser, 'program', foreign)).status).toBe(201)
    expect((await browser.get('/v1/namespaces', { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  it('makes no keys, and takes nothing out or in, when its sign-in is more than 5 minutes old', async () => {
    const browser = await signedIn()
    const guarded = async () => [
      codeOf(await browser.send('POST', '/v1/api-keys', { body: { name: 'mine', scopes: ['read'] } })),
      codeOf(await browser.send('DELETE', '/v1/api-keys/unknown')),
      codeOf(await browser.send('POST', '/v1/trace-keys', { body: {} })),
      codeOf(await browser.send('DELETE', '/v1/trace-keys/unknown')),
      codeOf(await browser.get('/v1/export')),
      codeOf(
        await browser.send('POST', '/v1/import', { headers: { 'content-type': 'application/x-ndjson' } }),
      ),
    ]
    clock.now += 5 * MINUTE_MS
    expect((await guarded()).map(([, code]) => code)).not.toContain('SIGN_IN_AGAIN')
    clock.now += 1
    expect(await guarded()).toEqual(Array.from({ length: 6 }, () => [403, 'SIGN_IN_AGAIN']))
    expect((await browser.get('/v1/api-keys')).status).toBe(200)
    expect((await browser.signIn({ apiKey: BOOTSTRAP_KEY })).status).toBe(201)
    expect((await guarded()).map(([, code]) => code)).not.toContain('SIGN_IN_AGAIN')
  })
})

describe('a page of somebody else', () => {
  it.each([null, 'cross-site', 'same-site', 'none', 'same-origin, same-origin', ''])(
    'reads and writes nothing with the session, where Sec-Fetch-Site is %s',
    async (site) => {
      const browser = await signedIn()
      const headers = { 'sec-fetch-site': site }
      expect(codeOf(await browser.get('/v1/namespaces', headers))).toEqual([403, 'SESSION_FOREIGN_SITE'])
      expect(codeOf(await create(browser, 'evil', headers))).toEqual([403, 'SESSION_FOREIGN_SITE'])
      const other = new Browser(client.registry)
      const begun = await other.signIn({ apiKey: BOOTSTRAP_KEY }, headers)
      expect(codeOf(begun)).toEqual([403, 'SESSION_FOREIGN_SITE'])
      expect(other.jar.size).toBe(0)
    },
  )

  it.each([null, '', 'wrong', 'ü'])('writes nothing where the CSRF header is %s', async (value) => {
    const browser = await signedIn()
    const before = (await browser.get('/v1/namespaces')).body
    const headers = { [CSRF_HEADER]: value }
    expect(codeOf(await create(browser, 'evil', headers))).toEqual([403, 'CSRF_TOKEN_WRONG'])
    expect(codeOf(await browser.send('DELETE', '/v1/session', { headers }))).toEqual([
      403,
      'CSRF_TOKEN_WRONG',
    ])
    expect((await browser.get('/v1/namespaces')).body).toEqual(before)
  })

  it('does not write with the CSRF value of another session', async () => {
    const browser = await signedIn()
    const { csrf } = await signedIn()
    expect(codeOf(await create(browser, 'evil', { [CSRF_HEADER]: csrf }))).toEqual([403, 'CSRF_TOKEN_WRONG'])
  })

  it.each([
    'evil.example',
    'localhost.evil.example:4100',
    'studio.example.evil',
    'studio.example:444',
    '[::2]:1',
  ])('gets nowhere by a name that resolves to the registry: %s', async (host) => {
    const browser = await signedIn()
    expect(codeOf(await browser.get('/v1/namespaces', { host }))).toEqual([403, 'SESSION_HOST_UNKNOWN'])
    const begun = await new Browser(client.registry, host).signIn({ apiKey: BOOTSTRAP_KEY })
    expect(codeOf(begun)).toEqual([403, 'SESSION_HOST_UNKNOWN'])
  })

  it('cannot hand its own session to somebody: of two cookies none counts', async () => {
    const browser = await signedIn()
    const [[name, value] = ['', '']] = browser.jar
    const own = [...(await signedIn()).jar.values()][0]
    const cookie = `${name}=${own}; ${name}=${value}`
    expect(codeOf(await browser.get('/v1/session', { cookie }))).toEqual([401, 'UNAUTHENTICATED'])
  })
})

describe('a cookie that somebody made', () => {
  it('ends nowhere: changed, cut off, sealed by another key, or for another purpose', async () => {
    const browser = await signedIn()
    const [[name, value] = ['', '']] = browser.jar
    const now = clock.now
    const who = { kind: 'key', id: null, fingerprint: '0'.repeat(64) }
    const content = { id: 'x', csrf: 'x', signedInAt: now, usedAt: now, who }
    const flipped = Buffer.from(value, 'base64url')
    flipped[20] = (flipped[20] ?? 0) ^ 1
    const made = [
      flipped.toString('base64url'),
      value.slice(0, -4),
      'x',
      '%00',
      'A'.repeat(6000),
      new SessionKeys(['o'.repeat(32)]).seal('session', content),
      new SessionKeys([SECRET]).seal('openid-connect', content),
      new SessionKeys([SECRET]).seal('session', content),
      new SessionKeys([SECRET]).seal('session', { ...content, who: { kind: 'everybody' } }),
    ]
    for (const text of made) {
      const cookie = `${name}=${text}`
      expect(codeOf(await browser.get('/v1/namespaces', { cookie })), text).toEqual([401, 'SESSION_EXPIRED'])
    }
  })
})

describe('a one-time link', () => {
  const linkOf = async (headers: Record<string, string> = {}) => {
    const { status, body } = await client.post('/v1/session/links', {}, headers)
    expect(status).toBe(201)
    const { url } = SessionLink.parse(body)
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${client.registry.port}/studio#t=[\\w-]{43}$`))
    return { link: url.slice(url.indexOf('=') + 1) }
  }

  it('begins one session as its API key, whoever of several browsers comes first', async () => {
    const { id, key } = await createKey('links', ['read'])
    const link = await linkOf({ authorization: `Bearer ${key}` })
    const racers = Array.from({ length: 5 }, () => new Browser(client.registry))
    const answers = await Promise.all(racers.map((racer) => racer.signIn(link)))
    expect(answers.filter(({ status }) => status === 401).map(codeOf)).toEqual(
      Array.from({ length: 4 }, () => [401, 'LINK_UNKNOWN']),
    )
    expect(answers.find(({ status }) => status === 201)?.body).toMatchObject({
      actor: `key:${id}`,
      scopes: ['read'],
    })
  })

  it('is of no use after 5 minutes, or when its API key was deleted', async () => {
    const { id, key } = await createKey('gone', ['read'])
    const [old, orphan] = [await linkOf(), await linkOf({ authorization: `Bearer ${key}` })]
    await client.delete(`/v1/api-keys/${id}`)
    const browser = new Browser(client.registry)
    expect(codeOf(await browser.signIn(orphan))).toEqual([401, 'LINK_UNKNOWN'])
    clock.now += 5 * MINUTE_MS
    expect(codeOf(await browser.signIn(old))).toEqual([401, 'LINK_UNKNOWN'])
  })

  it('is made for API keys only, and only where a registry is the only one', async () => {
    const browser = await signedIn()
    const bySession = await browser.send('POST', '/v1/session/links', { body: {} })
    expect(codeOf(bySession)).toEqual([401, 'UNAUTHENTICATED'])
    const { port } = client.registry
    await client[Symbol.asyncDispose]()
    client = await start([SECRET], { port, sessions: { keys: new SessionKeys([SECRET]), studioUrl: STUDIO } })
    expect((await browser.get('/v1/sign-in')).body).toMatchObject({ link: false, apiKey: true })
    const refused = await client.post('/v1/session/links', {})
    expect([refused.status, problemOf(refused).code]).toEqual([403, 'LINKS_OFF'])
    await client[Symbol.asyncDispose]()
    client = await start([SECRET], { port })
    expect((await browser.get('/v1/sign-in')).body).toMatchObject({ link: true })
  })
})

describe('signing in', () => {
  it('is possible with an API key, where the registry has a key for sessions', async () => {
    const ways = { openIdConnect: null }
    const browser = new Browser(client.registry)
    expect((await browser.get('/v1/sign-in')).body).toEqual({ ...ways, apiKey: true, link: true })
    const { port } = client.registry
    await client[Symbol.asyncDispose]()
    client = await startClient(storage, { port })
    expect((await browser.get('/v1/sign-in')).body).toEqual({ ...ways, apiKey: false, link: false })
    expect(codeOf(await browser.signIn({ apiKey: BOOTSTRAP_KEY }))).toEqual([403, 'SESSIONS_OFF'])
    expect(codeOf(await browser.get('/v1/session'))).toEqual([401, 'UNAUTHENTICATED'])
    await client[Symbol.asyncDispose]()
    client = await start([SECRET], { port })
  })

  it('takes no other body than one key', async () => {
    const browser = new Browser(client.registry)
    for (const body of [{}, { apiKey: '' }, { apiKey: 'x'.repeat(1001) }, { apiKey: 'x', link: 'y' }, []]) {
      expect(codeOf(await browser.signIn(body))).toEqual([400, 'INVALID_REQUEST'])
    }
    expect(codeOf(await browser.signIn({ apiKey: 'x'.repeat(9000) }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const typed = { 'content-type': 'text/plain' }
    expect(codeOf(await browser.signIn({ apiKey: BOOTSTRAP_KEY }, typed))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
  })

  it('counts wrong keys as those of programs, and answers 429 after too many', async () => {
    const browser = new Browser(client.registry)
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(codeOf(await browser.signIn({ apiKey: `wrong-${attempt}` }))).toEqual([401, 'UNAUTHENTICATED'])
    }
    const refused = await browser.signIn({ apiKey: 'wrong' })
    expect(codeOf(refused)).toEqual([429, 'TOO_MANY_FAILED_AUTHENTICATIONS'])
    expect((await browser.get('/v1/namespaces', { authorization: 'Bearer wrong' })).status).toBe(429)
    expect((await browser.signIn({ apiKey: BOOTSTRAP_KEY })).status).toBe(201)
  })
})
