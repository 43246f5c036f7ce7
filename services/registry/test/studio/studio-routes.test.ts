/** Studio as the registry serves it: files, headers, and addresses of pages. */
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { emptyNamespace } from '@switchyard/domain'
import { openStudio } from '@switchyard/studio'
import { temporaryDirectory } from '@switchyard/testkit'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiEvents } from '../../src/http/api/api-events.ts'
import { installProblemReplies } from '../../src/http/api/problem-replies.ts'
import { installStudioRoutes } from '../../src/http/studio/studio-routes.ts'
import { PublicUrls } from '../../src/reading/public-urls.ts'
import { openStorage, startClient } from '../harness.ts'

const HTML = '<!doctype html><title>Studio</title>'
const SCRIPT = 'export const studio = 1'

const SILENT: ApiEvents = {
  requestAnswered() {},
  requestFailed() {},
  requestUnavailable() {},
  accessDenied() {},
  authenticationFailed() {},
  signInRefused() {},
}

const NO_URLS = new PublicUrls({ namespaces: () => [], state: emptyNamespace })

describe('the page of Studio', () => {
  const stack = new AsyncDisposableStack()
  let app: FastifyInstance
  beforeAll(async () => {
    const folder = stack.use(await temporaryDirectory()).path
    await mkdir(join(folder, 'assets'))
    for (const [name, text] of [
      ['index.html', HTML],
      ['assets/index-B7owSnv_.js', SCRIPT],
    ] as const) {
      await writeFile(join(folder, name), text)
      await writeFile(join(folder, `${name}.gz`), gzipSync(text))
    }
    app = fastify()
    stack.defer(() => app.close())
    installProblemReplies(app, SILENT)
    installStudioRoutes(app, openStudio(folder), NO_URLS)
  })
  afterAll(() => stack.disposeAsync())

  it.each(['/studio', '/studio/', '/studio/ns/default/graphs/shop', '/studio/ns/%3Cimg%3E/x.js'])(
    'is served at %s, so that every address can be shared',
    async (url) => {
      const answer = await app.inject({ url })
      expect([answer.statusCode, answer.body]).toEqual([200, HTML])
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
    },
  )

  it('runs only what the registry serves, and is shown in no other page', async () => {
    const { headers } = await app.inject({ url: '/studio' })
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('*')
    const directives = new Map(policy.split('; ').map((text) => text.split(' ') as [string, string]))
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    })
  })

  it('lets browsers keep its files, and sends them as they were compressed', async () => {
    const url = '/studio/assets/index-B7owSnv_.js'
    const plain = await app.inject({ url })
    expect(plain.body).toBe(SCRIPT)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(packed.rawPayload).toEqual(gzipSync(SCRIPT))
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(SCRIPT.length),
    ])
  })

  it.each(['assets/none.js', 'assets/..%2findex.html', 'assets/../../package.json', 'assets/%00'])(
    'has no file %s',
    async (path) => {
      const answer = await app.inject({ url: `/studio/${path}` })
      // An address outside is no address of Studio, and one inside is no file of it.
      expect(answer.statusCode).toBe(404)
    },
  )

  it('says how to build it where it was not built', async () => {
    const bare = fastify()
    installProblemReplies(bare, SILENT)
    installStudioRoutes(bare, null, NO_URLS)
    const answer = await bare.inject({ url: '/studio/ns/default/graphs/shop' })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({
      code: 'NOT_FOUND',
      detail: expect.stringContaining('"make studio"'),
    })
    await bare.close()
  })
})

it('is served by a registry to everybody, and takes nothing but GET', async () => {
  await using storage = await openStorage()
  await using client = await startClient(storage)
  const { registry } = client
  const refused = await fetch(`${registry.url}/studio/fleet`, { method: 'POST' })
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('GET, HEAD')
  const page = await fetch(`${registry.url}/studio`)
  // Built or not, it is an answer to a stranger.
  expect(page.status).toBe(openStudio() === null ? 404 : 200)
  expect(page.headers.get('cache-control')).toBe(openStudio() === null ? 'no-store' : 'no-cache')
  // A client that leaves in the middle of a file ends this answer and nothing else.
  await new Promise<void>((resolve) => {
    const asked = request(`${registry.url}/studio`, (response) => {
      response.destroy()
      resolve()
    })
    asked.end()
  })
  expect((await client.get('/v1/namespaces')).status).toBe(200)
})
