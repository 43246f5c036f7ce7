/** Signing in with OpenID Connect: at a real provider, and at one that lies. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenIdConnectSettings } from '../../src/openid-connect/settings.ts'
import { SessionKeys } from '../../src/sessions/session-keys.ts'
import { type Client, openStorage, startClient, type Storage } from '../harness.ts'
import { type Answer, Browser, codeOf } from './browser.ts'

const MINUTE_MS = 60_000
const clock = { offset: 0 }
const ROLES = new Map([
  ['admins', ['admin']],
  ['shop', ['deploy:shop', 'read']],
])

let storage: Storage
let client: Client
beforeAll(async () => {
  storage = await openStorage()
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

/** A registry that lets the users of this provider in, who has to know the address of the registry. */
async function startFor(issuer: string, port = 0, more: Partial<OpenIdConnectSettings> = {}): Promise<void> {
  const openIdConnect = {
    issuer,
    clientId: 'studio',
    clientSecret: 'secret-of-the-client',
    scopes: 'openid profile offline_access',
    name: 'Somebody',
    rolesClaim: 'groups',
    roles: ROLES,
    ...more,
  }
  const sessions = { keys: new SessionKeys(['s'.repeat(32)]), openIdConnect }
  client = await startClient(storage, { port, sessions, now: () => Date.now() + clock.offset })
}

/** Begins a sign-in, and returns the address of the provider. */
async function begin(browser: Browser, path = '/v1/oidc/start?return=/studio/graphs'): Promise<URL> {
  const { status, headers } = await browser.get(path)
  expect(status).toBe(302)
  return new URL(headers.location ?? '')
}

/** The provider sends the browser back, from another site. */
const comeBack = (browser: Browser, callback: URL): Promise<Answer> =>
  browser.get(`${callback.pathname}${callback.search}`, { 'sec-fetch-site': 'cross-site' })

describe('at a real provider', () => {
  let stop = async () => {}
  const started = async (refresh: string) => {
    // The registry's port is needed by the provider, and the provider's address by the registry.
    await startFor('http://127.0.0.1:1')
    const { port } = client.registry
    await client[Symbol.asyncDispose]()
    const program = programFile('services/registry/test/sessions/real-provider.ts')
    const words = [`http://localhost:${port}/v1/oidc/callback`, refresh]
    const provider = spawn(process.execPath, [program, ...words], {
      env: bareEnvironment({}),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exited = once(provider, 'exit')
    stop = async () => {
      provider.kill()
      await exited
    }
    const [issuer] = (await once(createInterface({ input: provider.stdout }), 'line')) as [string]
    await startFor(issuer, port)
    return issuer
  }

  /** Types a name into the pages of the provider, and returns where these send the browser. */
  async function throughProvider(address: URL, login: string): Promise<URL> {
    const cookies = new Map<string, string>()
    const go = async (url: URL, form?: Record<string, string>): Promise<URL> => {
      if (url.pathname === '/v1/oidc/callback') return url
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      const text = await response.text()
      if (location !== null) return go(new URL(location, url))
      const action = /action="([^"]+)"/.exec(text)?.[1]
      if (action === undefined) throw new Error(`no form (${response.status}): ${text.slice(0, 500)}`)
      const isLogin = text.includes('name="login"')
      return go(
        new URL(action, url),
        isLogin ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' },
      )
    }
    return go(address)
  }

  const signIn = async (login: string) => {
    const browser = new Browser(client.registry)
    const callback = await throughProvider(await begin(browser), login)
    return { browser, callback, answer: await comeBack(browser, callback) }
  }

  it('signs people in with the scopes of their roles, and reads the roles again', async () => {
    clock.offset = 0
    const issuer = await started('refresh')
    expect((await new Browser(client.registry).get('/v1/sign-in')).body).toMatchObject({
      openIdConnect: { name: 'Somebody', start: '/v1/oidc/start' },
    })
    const { browser, callback, answer } = await signIn('admins.others')
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<a href="/studio/graphs">')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/)
    const view = await browser.get('/v1/session')
    const actor = `oidc:${issuer}#admins.others`
    expect(view.body).toMatchObject({ actor, name: 'Name of admins.others', scopes: ['admin'] })
    const { csrf } = view.body as { csrf: string }
    browser.csrf = csrf
    const made = await browser.send('POST', '/v1/namespaces?wait=0', { body: { name: 'mine' } })
    expect(made.status).toBe(201)
    const log = await browser.get('/v1/log?namespace=mine')
    expect(log.body).toMatchObject({ records: [{ actor }] })
    // The same answer of the provider again, in this browser and in another one.
    expect((await comeBack(browser, callback)).status).toBe(400)
    expect((await comeBack(new Browser(client.registry), callback)).status).toBe(400)
    clock.offset = 16 * MINUTE_MS
    const several = await Promise.all([browser.get('/v1/session'), browser.get('/v1/namespaces')])
    expect(several.map(({ status }) => status)).toEqual([200, 200])
    // Who has no role that gives scopes is not signed in.
    const stranger = await signIn('others')
    expect(stranger.answer.status).toBe(400)
    expect(stranger.answer.text).toContain('none of the roles')
    expect(codeOf(await stranger.browser.get('/v1/session'))).toEqual([401, 'UNAUTHENTICATED'])
    // The provider is gone: nobody can say which roles its users have.
    await stop()
    clock.offset = 32 * MINUTE_MS
    await browser.get('/v1/namespaces', { 'sec-fetch-site': 'same-origin' })
    expect(codeOf(await browser.get('/v1/session'))).toEqual([503, 'OPENID_CONNECT_UNAVAILABLE'])
    await client[Symbol.asyncDispose]()
  })

  it('ends the session after 15 minutes where the provider gives no refresh token', async () => {
    clock.offset = 0
    await started('none')
    const { browser } = await signIn('shop')
    const { body } = await browser.get('/v1/session')
    const { expiresAt, signedInAt, scopes } = body as {
      expiresAt: number
      signedInAt: number
      scopes: string[]
    }
    expect(scopes).toEqual(['deploy:shop', 'read'])
    expect(expiresAt - signedInAt).toBeLessThanOrEqual(15 * MINUTE_MS)
    clock.offset = 15 * MINUTE_MS + 1
    expect(codeOf(await browser.get('/v1/session'))).toEqual([401, 'SESSION_EXPIRED'])
    await stop()
    await client[Symbol.asyncDispose]()
  })
})

describe('an identity provider, or somebody in its place, that lies', () => {
  type Lie = {
    readonly claims?: Readonly<Record<string, unknown>>
    readonly key?: 'other' | 'none'
    readonly iss?: string
  }
  let lie: Lie = {}
  let nonce = ''
  let server: Server
  let issuer: string
  let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }
  let otherKey: CryptoKey

  const idToken = async () => {
    const now = Math.floor(Date.now() / 1000)
    const right = {
      iss: issuer,
      aud: 'studio',
      sub: 'eve',
      nonce,
      iat: now,
      exp: now + 60,
      groups: ['admins'],
    }
    const claims = { ...right, ...lie.claims }
    if (lie.key === 'none') return new UnsecuredJWT(claims).encode()
    const key = lie.key === 'other' ? otherKey : keys.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key)
  }

  beforeAll(async () => {
    clock.offset = 0
    keys = await generateKeyPair('RS256')
    otherKey = (await generateKeyPair('RS256')).privateKey
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
    server = createServer((request, response) => {
      const documents: Record<string, () => unknown> = {
        '/.well-known/openid-configuration': () => ({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        }),
        '/keys': () => ({ keys: [jwk] }),
        '/token': async () => ({ access_token: 'a', token_type: 'bearer', id_token: await idToken() }),
      }
      void Promise.resolve(documents[request.url ?? '']?.()).then((document) => {
        response.setHeader('content-type', 'application/json')
        response.writeHead(document === undefined ? 404 : 200).end(JSON.stringify(document))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await startFor(issuer)
  })
  afterAll(() => server.close())

  const callbackOf = (address: URL): URL => {
    nonce = address.searchParams.get('nonce') ?? ''
    const callback = new URL(address.searchParams.get('redirect_uri') ?? '')
    callback.searchParams.set('code', 'code')
    callback.searchParams.set('state', address.searchParams.get('state') ?? '')
    callback.searchParams.set('iss', lie.iss ?? issuer)
    return callback
  }
  const now = Math.floor(Date.now() / 1000)

  it('is believed as long as it says the truth', async () => {
    lie = {}
    const browser = new Browser(client.registry)
    const address = await begin(browser)
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    expect((await comeBack(browser, callbackOf(address))).status).toBe(200)
    expect((await browser.get('/v1/session')).body).toMatchObject({ scopes: ['admin'] })
  })

  const LIES: readonly (readonly [string, Lie])[] = [
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer in the token', { claims: { iss: 'https://evil.example' } }],
    ['another issuer in the address', { iss: 'https://evil.example' }],
    ['another audience', { claims: { aud: 'another' } }],
    ['several audiences, for another program', { claims: { aud: ['studio', 'other'], azp: 'other' } }],
    ['another program', { claims: { azp: 'other' } }],
    ['a time that is over', { claims: { exp: now - 3600, iat: now - 7200 } }],
    ['no end', { claims: { exp: undefined } }],
    ['no signature', { key: 'none' }],
    ['the signature of another key', { key: 'other' }],
    ['no subject', { claims: { sub: '' } }],
    ['a subject that breaks lines', { claims: { sub: 'eve\nadmin' } }],
    ['no role', { claims: { groups: 'nothing' } }],
  ]
  it.each(LIES)('signs nobody in with %s', async (_, told) => {
    lie = told
    const browser = new Browser(client.registry)
    const answer = await comeBack(browser, callbackOf(await begin(browser)))
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('<script')
    expect(browser.jar.size).toBe(0)
  })

  it('signs nobody in with a code or a state of another browser, or without a state', async () => {
    lie = {}
    const [victim, attacker] = [new Browser(client.registry), new Browser(client.registry)]
    const own = await begin(victim)
    const stolen = callbackOf(await begin(attacker))
    expect((await comeBack(victim, stolen)).status).toBe(400)
    expect(victim.jar.size).toBe(0)
    const without = callbackOf(own)
    without.searchParams.delete('state')
    const third = new Browser(client.registry)
    await begin(third)
    expect((await comeBack(third, without)).status).toBe(400)
  })

  it('sends nobody elsewhere', async () => {
    const browser = new Browser(client.registry)
    const elsewhere = [
      'https://evil.example/studio',
      '//evil.example/studio',
      '/v1/session',
      '/studio/../v1/x',
    ]
    for (const path of [...elsewhere, '/studio\\evil', '/studiox', '\t/studio', '/studio/%2e%2e/v1']) {
      const answer = await browser.get(`/v1/oidc/start?return=${encodeURIComponent(path)}`)
      expect(codeOf(answer), path).toEqual([400, 'INVALID_REQUEST'])
    }
    const marked = encodeURIComponent('/studio/"><script>alert(1)</script>')
    const answer = await comeBack(
      browser,
      callbackOf(await begin(browser, `/v1/oidc/start?return=${marked}`)),
    )
    expect(answer.text).not.toContain('<script>alert')
  })

  it('begins no sign-in for a page of somebody else, or at a name that is not listed', async () => {
    const browser = new Browser(client.registry)
    const foreign = await browser.get('/v1/oidc/start', { 'sec-fetch-site': 'cross-site' })
    expect(codeOf(foreign)).toEqual([403, 'SESSION_FOREIGN_SITE'])
    const rebound = await browser.get('/v1/oidc/start', { host: 'evil.example' })
    expect(codeOf(rebound)).toEqual([403, 'SESSION_HOST_UNKNOWN'])
  })
})
