/**
 * Every way for a routing URL into the registry has the same rule; the rule itself is tested with the
 * contracts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Client,
  openStorage,
  problemOf,
  ROUTING_URL,
  SDL,
  setUpShop,
  type Storage,
  startClient,
} from './harness.ts'

let storage: Storage
let client: Client
beforeAll(async () => {
  storage = await openStorage()
  client = await startClient(storage)
  await setUpShop(client)
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})

const WAYS: readonly (readonly [string, 'POST' | 'PUT' | 'PATCH', string, object])[] = [
  ['create a subgraph', 'POST', '/v1/subgraphs/default?wait=0', { name: 'a' }],
  ['publish and create', 'PUT', '/v1/subgraphs/default/b/schema?wait=0', { sdl: SDL }],
  [
    'publish and create a feature subgraph',
    'PUT',
    '/v1/subgraphs/default/c/schema?wait=0',
    { sdl: SDL, subgraph: 'orders' },
  ],
  ['update a subgraph', 'PATCH', '/v1/subgraphs/default/orders?wait=0', {}],
  ['update a feature subgraph', 'PATCH', '/v1/subgraphs/default/orders-next?wait=0', {}],
  [
    'create a feature subgraph',
    'POST',
    '/v1/feature-subgraphs/default?wait=0',
    { name: 'd', subgraph: 'orders' },
  ],
]

function send(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
  const json = { 'content-type': 'application/json' }
  return client.request(method, path, { body: JSON.stringify(body), headers: json })
}

describe('a routing URL', () => {
  it.each(WAYS)('is checked by every way to %s', async (_, method, path, body) => {
    const before = await storage.log.last({ kind: 'log', log: 'registry' })
    for (const routingUrl of [
      'ftp://h/',
      'http://',
      'http:///x',
      'http://u@h/',
      'http://h/#f',
      'http://h:65536',
      'http://h\\x',
      'http://hö/',
      'http://h/ x',
      7,
    ]) {
      const { status, code, detail } = problemOf(await send(method, path, { ...body, routingUrl }))
      expect([status, code], String(routingUrl)).toEqual([400, 'INVALID_REQUEST'])
      expect(detail).toContain('body.routingUrl: ')
    }
    expect(await storage.log.last({ kind: 'log', log: 'registry' })).toEqual(before)
    const reply = await send(method, path, { ...body, routingUrl: `${ROUTING_URL}?${path.length}` })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    expect(reply.body).toMatchObject({ changed: true })
  })
})
