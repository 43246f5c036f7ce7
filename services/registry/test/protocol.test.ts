/**
 * PROTOCOL.md §6 against the registry: the page lists every route that there is, and each asks for the scope
 * that it names.
 */
import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { SYSTEM_SUBJECT } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openStorage, startClient, type Storage } from './harness.ts'

type Route = { readonly method: string; readonly path: string; readonly scope: string }

const page = await readFile(new URL('../../../shared/contracts/PROTOCOL.md', import.meta.url), 'utf8')
const routes = page
  .slice(page.indexOf('## 6.'), page.indexOf('## 7.'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap(routesOf)
  .filter(({ scope }) => scope !== 'none')

/**
 * A row names one route, or several of the same scope; `…/disable` stands for the one before it with another
 * end.
 */
function routesOf(row: string): Route[] {
  const [, names = '', , scope = ''] = row.split('|').map((cell) => cell.trim())
  const found: Route[] = []
  for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) {
    const before = found.at(-1)
    const [method = '', path = ''] = name.split(' ')
    if (name.startsWith('…') && before !== undefined) {
      found.push({ ...before, path: before.path.replace(/\/[^/]+$/, name.slice(1)) })
    } else {
      found.push({ method, path: path.replace(/\?.*/, ''), scope: scope.replace(/ .*/, '') })
    }
  }
  return found
}

/** Routes of sessions ask for no scope: their tests are those of sessions. */
function asksForKey({ scope }: Route): boolean {
  return !['public', 'session', 'any'].includes(scope)
}

const SCOPES = [
  'read',
  'publish:default',
  'deploy:default',
  'rollout:default',
  'abort:default',
  'preview:default',
  'trace:default',
  'publish:other',
  'deploy:other',
  'trace:other',
  'admin',
]
const keyOf = (scope: string) => `swy_${scope.replace(':', '')}_0123456789abcdef0123456789abcdef`

/** Of all keys, those that a route lets in. */
function allowed({ path, scope }: Route): string[] {
  switch (scope) {
    case 'admin':
      return ['admin']
    case 'deploy':
      return ['deploy:default', 'admin']
    case 'preview':
      return ['deploy:default', 'preview:default', 'admin']
    case 'rollout':
      return ['deploy:default', 'rollout:default', 'admin']
    case 'abort':
      return ['deploy:default', 'rollout:default', 'abort:default', 'admin']
    case 'trace':
      return ['trace:default', 'admin']
    case 'publish':
      return ['publish:default', 'deploy:default', 'admin']
    default:
      // Each key sees of it what it may read.
      if (path === '/v1/log' || path === '/v1/live') return SCOPES.filter((own) => !own.startsWith('trace:'))
      return path.includes('{ns}')
        ? [
            'read',
            'publish:default',
            'deploy:default',
            'rollout:default',
            'abort:default',
            'preview:default',
            'admin',
          ]
        : ['read', 'admin']
  }
}

let storage: Storage
let client: Client
beforeAll(async () => {
  storage = await openStorage()
  const events = SCOPES.map((scope) => ({
    type: 'api-key.created',
    id: scope.replace(':', ''),
    name: 'key',
    sha256: createHash('sha256').update(keyOf(scope)).digest('hex'),
    scopes: [scope],
  }))
  const time = '2026-11-21T08:00:00.000Z'
  const record = { v: 1, commandId: 'keys', actor: 'system', time, after: 0, events }
  await storage.log.append(SYSTEM_SUBJECT, record, 0)
  client = await startClient(storage)
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

describe('the page about the management API', () => {
  it('lists the routes that there are, each once', async () => {
    const { body } = await client.get('/v1/openapi.json')
    const { paths } = body as { paths: Record<string, Record<string, { summary?: string }>> }
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary = '' }]) => {
        expect(summary).toMatch(/^[A-Z].{5,}/)
        return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
      }),
    )
    const listed = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`)
    expect(listed.toSorted()).toEqual(described.filter((route) => !route.startsWith('HEAD ')).toSorted())
  })

  it('is OpenAPI that says which bodies may be left out, and where a key makes a repetition harmless', async () => {
    const { body } = await client.get('/v1/openapi.json')
    const key = expect.objectContaining({ in: 'header', name: 'Idempotency-Key', required: false })
    expect(body).toMatchObject({
      paths: {
        '/v1/graphs/{namespace}/{name}': {
          patch: { requestBody: { required: true }, parameters: expect.arrayContaining([key]) },
          delete: { requestBody: { required: false }, parameters: expect.arrayContaining([key]) },
          get: { parameters: expect.not.arrayContaining([key]) },
        },
        '/v1/import': {
          post: {
            requestBody: {
              required: true,
              content: { 'application/x-ndjson': { schema: { type: 'string' } } },
            },
          },
        },
      },
    })
  })

  it.each(routes.filter(asksForKey))(
    'names the scope that is needed for $method $path: $scope',
    async (route) => {
      const { method } = route
      const names: Record<string, string> = { '{ns}': 'default', '{id}': 'unknown' }
      const path = route.path.replaceAll(/\{[^}]+\}/g, (name) => names[name] ?? 'x')
      const isRead = method === 'GET'
      const type = path === '/v1/import' ? 'application/x-ndjson' : 'application/json'
      const body = path === '/v1/namespaces' ? '{"name":"default"}' : '{}'
      const ask = async (headers: Record<string, string>) => {
        const init = { headers: { 'content-type': type, ...headers }, ...(isRead ? {} : { body }) }
        const response = await fetch(`${client.registry.url}${path}`, { method, ...init })
        await response.body?.cancel()
        return response.status
      }
      const letIn: string[] = []
      for (const scope of SCOPES) {
        const status = await ask({ authorization: `Bearer ${keyOf(scope)}` })
        expect(status).not.toBe(401)
        if (status !== 403) letIn.push(scope)
      }
      expect(letIn).toEqual(allowed(route))
      expect(await ask({})).toBe(401)
      if (isRead) return
      const untyped = await ask({ authorization: `Bearer ${keyOf('admin')}`, 'content-type': 'text/plain' })
      expect(untyped).toBe(415)
    },
  )
})
