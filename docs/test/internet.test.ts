/**
 * docs/internet.md: its settings file is accepted before and after each step, and a router with it answers
 * the requests of the page's table as the table says.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../services/router/src/config/router-config.ts'
import { ConfigWorld } from '../../services/router/test/support/config-world.ts'
import { startGuardedShop } from '../../services/router/test/support/guarded-shop.ts'
import {
  createManifestFolder,
  type ManifestFolder,
  manifestOf,
} from '../../services/router/test/support/manifests.ts'
import { post, routerOn, send, type TestRouter } from '../../services/router/test/support/router.ts'
import { newSigningKey, sign } from '../../services/router/test/support/token-issuer.ts'

const page = readFileSync(new URL('../internet.md', import.meta.url), 'utf8')
const file = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
const steps = [...page.matchAll(/^\| (\d) \| .* \| `([^`|]+)` \| `([^`|]+)` \|$/gm)].map(
  ([, step = '', from = '', to = '']) => ({ step, from, to }),
)
/** The settings file after all steps up to this one. */
const fileAfter = (last: string): string =>
  steps
    .filter(({ step }) => step <= last)
    .reduce((text, { from, to }) => text.replaceAll(` ${from} `, ` ${to} `), file)
const table = new Map(
  [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, request = '', now = '', later = '']) => [request, { now, later }],
  ),
)

const LISTED = '{ users { name } }'
const PROTECTED = '{ me { name role } }'
const COSTLY = `{ ${Array.from({ length: 45 }, (_, index) => `u${index}: users { boss { boss { name } } }`).join(' ')} }`

const stack = new AsyncDisposableStack()
let files: ManifestFolder
let world: ConfigWorld
let token: string

beforeAll(async () => {
  const shop = stack.use(await startGuardedShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  const key = await newSigningKey('one', 'RS256')
  token = await sign(key, { iss: 'https://accounts.example.com/', aud: 'shop', scope: 'profile:read' })
  files = stack.use(
    await createManifestFolder({
      'jwks.json': { keys: [key.publicJwk] },
      'web.json': manifestOf(LISTED, PROTECTED, COSTLY),
    }),
  )
})
afterAll(() => stack.disposeAsync())

/** The file of the page, with keys, documents and subgraphs of this test, and without Redis. */
async function routerWith(text: string): Promise<TestRouter> {
  const settings = text
    .replace(/jwks: .*/, `jwks: [{ file: ${files.path('jwks.json')} }]`)
    .replace('./manifests/web.json', files.path('web.json'))
    .replace(/^ {2}redis: .*$/m, '')
    .replace(/allowed_networks: .*/, 'allowed_networks: [loopback]')
    // However busy this machine is.
    .replace(/max_event_loop_delay: \S+/, 'max_event_loop_delay: 1h')
  const router = stack.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

const withToken = () => ({ authorization: `Bearer ${token}` })

/** By the words of the table, the answer as the table writes it. */
const REQUESTS: Readonly<Record<string, (router: TestRouter) => Promise<string>>> = {
  'listed document, valid token': (router) => ask(router, LISTED, withToken()),
  'listed document, no token': (router) => ask(router, LISTED),
  '`Authorization: Bearer x`': (router) => ask(router, LISTED, { authorization: 'Bearer x' }),
  'field with `@requiresScopes`, token without these scopes': (router) => ask(router, PROTECTED, withToken()),
  'listed document that costs more than 1000': (router) => ask(router, COSTLY, withToken()),
  'document in no manifest, valid token': (router) => ask(router, '{ users { id } }', withToken()),
  '40 requests of one user at the same time': askOften,
}

async function ask(router: TestRouter, query: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, json } = await post(router, { query }, headers)
  const code = json.errors?.[0]?.extensions?.['code']
  if (typeof code !== 'string') return `${status}`
  return json.data === undefined ? `${status} \`${code}\`` : `${status}, null with \`${code}\``
}

/** Several rounds: on a slow machine the requests of one may take longer than the limit needs to recover. */
async function askOften(router: TestRouter): Promise<string> {
  const answers = new Set<string>()
  for (let round = 0; round < 10 && answers.size < 2; round++) {
    const requests = Array.from({ length: 40 }, () => ask(router, LISTED, withToken()))
    for (const answer of await Promise.all(requests)) answers.add(answer)
  }
  const refusals = [...answers].filter((answer) => answer !== '200')
  return refusals.length === 0 ? '200' : `some ${refusals.join(' and ')}`
}

describe('docs/internet.md', () => {
  it.each([{ step: '3' }, ...steps])('has settings that a router accepts after step $step', ({ step }) => {
    const env = { SWITCHYARD_REDIS_URL: 'redis://localhost:6379' }
    expect(() =>
      loadRouterConfig({ env, file: { path: 'router.yaml', text: fileAfter(step) } }),
    ).not.toThrow()
  })

  it('enforces each policy in one step', () => {
    expect(steps.map(({ step }) => step)).toEqual(['4', '5', '6', '7'])
    for (const { from } of steps) expect(file).toContain(` ${from} `)
    const comments = [...file.matchAll(/ ([a-z_]+: [a-z_]+) +# enforced in step (\d)/g)]
    expect(new Set(comments.map(([, from, step]) => `${step} ${from}`))).toEqual(
      new Set(steps.map(({ step, from }) => `${step} ${from}`)),
    )
  })

  it('says what is answered before the policies are enforced', async () => {
    const router = await routerWith(file)
    for (const [request, answerOf] of Object.entries(REQUESTS))
      expect([request, await answerOf(router)]).toEqual([request, table.get(request)?.now])
  })

  it('says what is answered when all are enforced', async () => {
    const router = await routerWith(fileAfter('7'))
    for (const [request, answerOf] of Object.entries(REQUESTS))
      expect([request, await answerOf(router)]).toEqual([request, table.get(request)?.later])
  })

  it('lets pages of the origins that it names read answers, and no others', async () => {
    const router = await routerWith(file)
    const allowedFor = async (origin: string) => {
      const { headers } = await send(router.graphqlUrl, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      return headers['access-control-allow-origin']
    }
    expect(await allowedFor('https://shop.example.com')).toBe('https://shop.example.com')
    expect(await allowedFor('https://elsewhere.example')).toBeUndefined()
  })
})
