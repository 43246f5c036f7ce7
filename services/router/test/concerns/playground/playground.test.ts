/** What a router serves to the playground: the page, its files, and what it says about itself. */
import { gunzipSync } from 'node:zlib'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openPage, type PlaygroundState } from '@switchyard/playground'
import { temporaryDirectory } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlaygroundRoute } from '../../../src/concerns/playground/playground-route.ts'
import { send } from '../../support/router.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { targetOf } from '../../../src/http/target.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'

const HTML = '<!doctype html><title>page</title>'
const SCRIPT = 'globalThis.ran = true'
const STATE: PlaygroundState = {
  waitingFor: null,
  graphqlPath: '/api/graphql',
  flags: ['a', 'b'],
  flagHeader: 'X-Feature-Flag',
  tracing: null,
}

/** A server of nothing but the playground. */
async function serve(use: AsyncDisposableStack, basePath: string, folder: string): Promise<string> {
  const route = createPlaygroundRoute({ basePath, page: openPage(folder), state: () => STATE })
  const server = createServer((request, response) => {
    if (!route(targetOf(request), request, response)) response.writeHead(404).end('other')
  })
  const port = await listenOnFreePort(server)
  use.defer(() => closeServer(server))
  return `http://127.0.0.1:${port}`
}

describe('the route', () => {
  const stack = new AsyncDisposableStack()
  let folder: string
  let url: string
  let below: string
  beforeAll(async () => {
    folder = stack.use(await temporaryDirectory()).path
    await mkdir(join(folder, 'playground/assets'), { recursive: true })
    await writeFile(join(folder, 'index.html'), HTML)
    await writeFile(join(folder, 'playground/assets/index-1.js'), SCRIPT)
    await writeFile(join(folder, 'playground/assets/gone-1.js'), SCRIPT)
    const { gzipSync } = await import('node:zlib')
    await writeFile(join(folder, 'playground/assets/index-1.js.gz'), gzipSync(SCRIPT))
    url = await serve(stack, '', folder)
    below = await serve(stack, '/api/v1', folder)
  })
  afterAll(() => stack.disposeAsync())

  it('has the page at /, which runs only what is served here and is shown nowhere else', async () => {
    const { status, headers, text } = await send(`${url}/`)
    expect([status, text]).toEqual([200, HTML])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(HTML.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const policy = headers['content-security-policy']
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule)
  })

  it('is below the base path, where the path without a slash leads to it', async () => {
    expect((await send(`${below}/api/v1/`)).text).toBe(HTML)
    expect((await send(`${below}/api/v1/playground/assets/index-1.js`)).text).toBe(SCRIPT)
    const { status, headers } = await send(`${below}/api/v1`)
    expect(status).toBe(308)
    expect(new URL(headers.location ?? '', `${below}/api/v1`).pathname).toBe('/api/v1/')
    expect((await send(`${below}/`)).text).toBe('other')
  })

  it('has files that browsers may keep for good, compressed for those that take it', async () => {
    const asset = `${url}/playground/assets/index-1.js`
    const plain = await send(asset)
    expect(plain.text).toBe(SCRIPT)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    const compressed = await new Promise<IncomingMessage>((resolve, reject) => {
      get(asset, { headers: { 'accept-encoding': 'br, gzip' } }, resolve).on('error', reject)
    })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(await buffer(compressed)).toString()).toBe(SCRIPT)
  })

  it('says what the router serves, and that nobody keeps it', async () => {
    const { headers, json } = await send(`${url}/playground/state.json`)
    expect(json).toEqual(STATE)
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each([
    '/playground/assets/index-1.js.gz',
    '/playground/assets/../../index.html',
    '/playground/assets/%2e%2e/%2e%2e/index.html',
    '/playground/assets/',
    '/playground/assets/__proto__',
    '/playground/assets/index-1.js/',
    '/playground',
    '/index.html',
    '//',
  ])('leaves %s to others', async (path) => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { path }, resolve).on('error', reject)
    })
    expect((await buffer(answer)).toString()).toBe('other')
  })

  it('answers HEAD without a body, and other methods with what it takes', async () => {
    const head = await send(`${url}/`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(HTML.length)])
    const posted = await send(`${url}/`, { method: 'POST', body: '{}' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(posted.json.errors?.[0]?.extensions['code']).toBe('METHOD_NOT_ALLOWED')
  })

  it('ends an answer whose file has gone away, and goes on answering', async () => {
    await rm(join(folder, 'playground/assets/gone-1.js'))
    await expect(send(`${url}/playground/assets/gone-1.js`)).rejects.toThrow(/hang up|aborted|reset/i)
    expect((await send(`${url}/`)).status).toBe(200)
  })

  it('says how it is built where it has not been built', async () => {
    await using stack = new AsyncDisposableStack()
    const empty = stack.use(await temporaryDirectory())
    const { status, text } = await send(`${await serve(stack, '', empty.path)}/`)
    expect([status, text]).toEqual([404, expect.stringContaining('make playground')])
  })
})

describe('a router', () => {
  const stateOf = async (settings: string) => {
    await using started = await startShopRouter({ settings })
    const { url, logs } = started.router
    return {
      page: (await send(`${url}/`)).status,
      state: await send(`${url}/playground/state.json`),
      events: logs.map(({ event }) => event),
    }
  }

  it('has no playground unless it is asked for', async () => {
    const { page, state, events } = await stateOf('')
    expect([page, state.status]).toEqual([404, 404])
    expect(state.json.errors?.[0]?.message).toContain('/graphql')
    expect(events.join(' ')).not.toContain('playground')
  })

  it.each([
    ['in dev mode', 'dev_mode: true', false],
    ['when it is switched on', 'playground: { enabled: true }', true],
  ])('has one %s, and says so', async (_, settings, needsToken) => {
    const { state, events } = await stateOf(settings)
    expect(state.json).toEqual({
      waitingFor: null,
      graphqlPath: '/graphql',
      flags: [],
      flagHeader: 'X-Feature-Flag',
      tracing: {
        header: 'X-VENDOR-Trace',
        tokenHeader: 'X-VENDOR-Token',
        standInHeader: 'X-VENDOR-Trace-As',
        needsToken,
      },
    })
    const built = openPage() === null ? 'router.playground-not-built' : 'router.playground'
    expect(events).toContain(built)
  })

  it('has none in dev mode when it is switched off', async () => {
    expect((await stateOf('{ dev_mode: true, playground: { enabled: false } }')).page).toBe(404)
  })

  it('tells that it gives no traces', async () => {
    const settings = '{ playground: { enabled: true }, engine: { enable_request_tracing: false } }'
    expect((await stateOf(settings)).state.json).toMatchObject({ tracing: null })
  })
})
