/**
 * Somebody with the right to deploy points a subgraph at a service beside the router and tries to read its
 * answer. The whole machine in this process, with the networks that a router on a config store has by
 * default.
 */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { CreatedApiKey, TraceToken } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startStandalone } from '../src/standalone.ts'
import { createFolder } from './folder.ts'

const SECRET = 'root-password-of-the-database'
const SDL = 'type Query { secret: String }'
const SAFE = 'subgraphs: { allowed_networks: [public] }'

type Answer = { readonly status: number; readonly text: string }

/** Answers everybody who asks, as many admin ports do: in the form of a GraphQL response, by chance. */
async function startInternalService() {
  let asked = 0
  const server = createServer((_request, response) => {
    asked++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { secret: SECRET } }))
  })
  server.on('connection', () => asked++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: portOf(server.address()), asked: () => asked }
}

async function closedPort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  server.close()
  await once(server, 'close')
  return port
}

function portOf(address: ReturnType<ReturnType<typeof createNetServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  return address.port
}

async function start(settings: string) {
  const dataDir = await createFolder()
  const routerConfigFile = join(dataDir, 'router.yaml')
  await writeFile(routerConfigFile, settings)
  const standalone = await startStandalone({
    dataDir,
    routerConfigFile,
    logger: createLogger({ name: 'test', level: 'silent' }),
    registryPort: 0,
    routerPort: 0,
    graph: { namespace: 'default', graph: 'shop' },
  })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  const admin = (await readFile(standalone.apiKeyFile, 'utf8')).trim()

  const manage = async (key: string, method: string, path: string, body: object): Promise<Answer> => {
    const response = await fetch(`${standalone.registryUrl}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const keyWith = async (...scopes: string[]): Promise<string> => {
    const created = await manage(admin, 'POST', 'api-keys', {
      name: scopes.join('.').replaceAll(':', '-'),
      scopes,
    })
    return CreatedApiKey.parse(JSON.parse(created.text)).key
  }
  const query = async (token?: string): Promise<Answer> => {
    const traced = token === undefined ? {} : { 'x-vendor-trace': 'true', 'x-vendor-token': token }
    const response = await fetch(standalone.routerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...traced },
      body: JSON.stringify({ query: '{ secret }' }),
    })
    return { status: response.status, text: await response.text() }
  }
  const askToken = (key: string) => manage(key, 'POST', 'graphs/default/shop/trace-tokens', {})
  const attacker = await keyWith('deploy:default', 'read')
  expect((await manage(attacker, 'POST', 'graphs/default', { name: 'shop' })).status).toBe(201)
  // By the attacker. Both wait until it is composed, and shortly until the router serves it.
  const victim = 'subgraphs/default/victim'
  const pointAt = (routingUrl: string) =>
    manage(attacker, 'PUT', `${victim}/schema?wait=120000`, { sdl: SDL, routingUrl })
  const moveTo = (routingUrl: string) => manage(attacker, 'PATCH', `${victim}?wait=120000`, { routingUrl })
  return { attacker, keyWith, query, askToken, pointAt, moveTo }
}

it('a deploy key reads nothing of a service beside the router: not called, no token, nothing in a trace', async () => {
  const internal = await startInternalService()
  const world = await start(SAFE)
  expect((await world.pointAt(`http://127.0.0.1:${internal.port}/admin`)).status).toBe(201)

  const answer = await world.query()
  expect(JSON.parse(answer.text)).toEqual({
    data: { secret: null },
    errors: [
      {
        message: 'Subgraph "victim" is at an address that is not allowed.',
        path: ['secret'],
        extensions: { code: 'SUBGRAPH_ADDRESS_NOT_ALLOWED', serviceName: 'victim' },
      },
    ],
  })

  const refused = await world.askToken(world.attacker)
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('trace:default')])

  // Even a trace that somebody else may ask for holds no answer.
  const issued = await world.askToken(await world.keyWith('trace:default'))
  const traced = await world.query(TraceToken.parse(JSON.parse(issued.text)).token)
  expect(traced.text).toContain('"trace"')
  expect(traced.text).not.toContain(SECRET)
  expect(internal.asked()).toBe(0)
})

it.each([
  'localhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::1]',
])('nor does it by writing the address as %s', async (host) => {
  const internal = await startInternalService()
  const world = await start(SAFE)
  expect((await world.pointAt(`http://${host}:${internal.port}/admin`)).status).toBeLessThan(500)
  const { text } = await world.query()
  expect(text).not.toContain(SECRET)
  expect(internal.asked()).toBe(0)
})

it('answers and traces are the same whether the port of an internal address is open or closed', async () => {
  const internal = await startInternalService()
  const world = await start(SAFE)
  const issued = await world.askToken(await world.keyWith('trace:default'))
  const { token } = TraceToken.parse(JSON.parse(issued.text))
  const ports = [internal.port, await closedPort(), 1]
  await world.pointAt(`http://127.0.0.1:${internal.port}/`)
  const seen: unknown[] = []
  for (const port of ports) {
    await world.moveTo(`http://127.0.0.1:${port}/`)
    // A command waits for routers shortly only.
    await vi.waitFor(
      async () => expect((await world.query(token)).text).toContain(`127.0.0.1:${port}`),
      PATIENTLY,
    )
    const plain = await world.query()
    const traced = await world.query(token)
    expect(traced.text).toContain(`127.0.0.1:${port}`)
    seen.push([plain, withoutTimes(traced.text.replaceAll(`127.0.0.1:${port}`, 'the address'))])
  }
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
  expect(internal.asked()).toBe(0)
})

it('switchyard up calls subgraphs on its own machine without being told to', async () => {
  const internal = await startInternalService()
  const world = await start('')
  await world.pointAt(`http://localhost:${internal.port}/`)
  expect(JSON.parse((await world.query()).text)).toEqual({ data: { secret: SECRET } })
})

/** Times and ids differ from one request to the next. */
function withoutTimes(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    typeof value === 'number' || /(?:id|at|time|pretty|artifact|revision)$/i.test(name) ? '…' : value,
  )
}
