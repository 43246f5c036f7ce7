/** A registry on embedded storage, asked over HTTP as any client would. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandOutcome, Problem, type RouterHeartbeat, routerStatusSubject } from '@switchyard/contracts'
import {
  type Announcer,
  type BlobStore,
  createMemoryAnnouncer,
  type EventLog,
  type KeyValueStore,
  openSqliteEventLog,
} from '@switchyard/event-log'
import type { EmbeddedStorage } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { expect, vi } from 'vitest'
import { type Registry, type RegistryOptions, startRegistry } from '../src/registry.ts'
import { type Downstream, startDownstream } from './downstream.ts'

export const BOOTSTRAP_KEY = 'bootstrap-key-of-the-tests'
export const SDL = 'type Query { hello: String }'
export const ROUTING_URL = 'http://localhost:4101/graphql'
export const GRAPH = { namespace: 'default', graph: 'shop' } as const

export type Storage = EmbeddedStorage & { readonly announcer: Announcer; reopen(): Promise<Storage> }

export async function openStorage(dataDir?: string): Promise<Storage> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'registry-')))
  const storage = await openSqliteEventLog({ dataDir: directory })
  const announcer = createMemoryAnnouncer()
  const close = async () => {
    await announcer[Symbol.asyncDispose]()
    await storage[Symbol.asyncDispose]()
  }
  let isReopened = false
  return {
    log: storage.log,
    blobs: storage.blobs,
    pieces: storage.pieces,
    values: storage.values,
    announcer,
    async reopen() {
      isReopened = true
      await close()
      return openStorage(directory)
    },
    async [Symbol.asyncDispose]() {
      if (isReopened) return
      await close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type Reply = { readonly status: number; readonly headers: Headers; readonly body: unknown }
export type Client = AsyncDisposable & {
  readonly registry: Registry
  request(
    method: string,
    path: string,
    init?: { body?: string; headers?: Record<string, string> },
  ): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Without a body. */
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
}

export async function startClient(
  storage: {
    log: EventLog
    blobs: BlobStore
    pieces: BlobStore
    announcer: Announcer
    values?: KeyValueStore
  },
  more: Partial<RegistryOptions> & { withoutBootstrapKey?: true; expectReady?: false } = {},
): Promise<Client> {
  const registry = await startRegistry({
    log: storage.log,
    blobs: storage.blobs,
    pieces: storage.pieces,
    announcer: storage.announcer,
    logger: createLogger({ name: 'registry', level: 'silent' }),
    host: '127.0.0.1',
    port: 0,
    ...(storage.values === undefined ? {} : { usage: { values: storage.values, days: 30 } }),
    ...(more.withoutBootstrapKey === true ? {} : { bootstrapApiKey: BOOTSTRAP_KEY }),
    ...more,
  })
  const isStarted = () => {
    const state = registry.ready()
    if (more.expectReady === false) expect(state).toMatchObject({ reason: expect.stringContaining('import') })
    else expect(state).toEqual({ ok: true })
  }
  await vi.waitFor(isStarted, PATIENTLY)
  return clientOf(registry)
}

export function clientOf(registry: Registry): Client {
  const request: Client['request'] = async (method, path, { body, headers } = {}) => {
    const response = await fetch(`${registry.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${BOOTSTRAP_KEY}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    }
  }
  const json = (method: string) => (path: string, body: unknown, headers?: Record<string, string>) =>
    request(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  return {
    registry,
    request,
    get: (path) => request('GET', path),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: (path, headers) =>
      request('DELETE', path, { headers: { 'content-type': 'application/json', ...headers } }),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  }
}

export function outcome(reply: Reply): CommandOutcome {
  const parsed = CommandOutcome.safeParse(reply.body)
  if (parsed.success) return parsed.data
  throw new Error(`not an outcome (${reply.status}): ${JSON.stringify(reply.body)}`)
}

export function problemOf(reply: Reply): Problem {
  const parsed = Problem.safeParse(reply.body)
  const type = reply.headers.get('content-type')
  if (parsed.success && type?.startsWith('application/problem+json') === true) return parsed.data
  throw new Error(`not a problem (${reply.status}, ${type}): ${JSON.stringify(reply.body)}`)
}

/** Two published subgraphs, a graph that matches them, and a published feature subgraph. */
export async function setUpShop(client: Client): Promise<void> {
  const replies = [
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' }),
    await client.put('/v1/subgraphs/default/orders/schema?wait=0', { sdl: SDL, routingUrl: ROUTING_URL }),
    await client.post('/v1/feature-subgraphs/default?wait=0', {
      name: 'orders-next',
      routingUrl: ROUTING_URL,
      subgraph: 'orders',
    }),
    await client.put('/v1/subgraphs/default/orders-next/schema?wait=0', { sdl: `${SDL} # next` }),
  ]
  for (const reply of replies) outcome(reply)
}

export type Shop = AsyncDisposable & {
  readonly storage: Storage
  readonly client: Client
  readonly downstream: Downstream
}

/** The shop, on a registry of its own, with somebody who composes and publishes it. */
export async function startShop(more: Partial<RegistryOptions> = {}): Promise<Shop> {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await openStorage())
  const client = stack.use(await startClient(storage, more))
  const downstream = stack.use(startDownstream(storage.log, storage.blobs))
  await setUpShop(client)
  const owned = stack.move()
  return { storage, client, downstream, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Status and code of a refusal. */
export function refusal(reply: Reply): [number, string] {
  return [reply.status, problemOf(reply).code]
}

export function heartbeat(more: Partial<RouterHeartbeat> = {}): RouterHeartbeat {
  return {
    instance: 'router-1',
    boot: 'b1',
    namespace: GRAPH.namespace,
    graph: GRAPH.graph,
    epoch: 0,
    revision: 0,
    registrySequence: 0,
    flags: [],
    // As `startDownstream` publishes them.
    configCreatedAt: more.epoch === undefined ? null : new Date(more.epoch).toISOString(),
    state: 'serving',
    ...more,
  }
}

export function beat(announcer: Announcer, more: Partial<RouterHeartbeat> = {}): void {
  const message = heartbeat(more)
  announcer.announce(routerStatusSubject(GRAPH, message.instance), message)
}

/** Creates the graph `shop` with the feature flag `next`, and waits for nothing. */
export async function setUpFlag(client: Client): Promise<void> {
  const path = '?wait=0'
  await client.post(`/v1/graphs/default${path}`, { name: 'shop' })
  await client.put(`/v1/subgraphs/default/products/schema${path}`, { sdl: SDL, routingUrl: ROUTING_URL })
  await client.post(`/v1/feature-subgraphs/default${path}`, {
    name: 'products-next',
    routingUrl: ROUTING_URL,
    subgraph: 'products',
  })
  await client.post(`/v1/feature-flags/default${path}`, {
    name: 'next',
    featureSubgraphs: ['products-next'],
  })
}
