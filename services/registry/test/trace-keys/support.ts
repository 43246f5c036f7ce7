/**
 * A registry with a key file, and somebody who publishes configs of the graph as config-distribution would.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConfigRecord,
  configSubject,
  CreatedTraceKey,
  type Jwks,
  type Manifest,
  RetiredTraceKey,
  SYSTEM_SUBJECT,
  SystemRecord,
  TraceKeyList,
  TraceToken,
} from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import type { RegistryOptions } from '../../src/registry.ts'
import { type Client, GRAPH, openStorage, startClient, type Storage } from '../harness.ts'

export const TOKENS = '/v1/graphs/default/shop/trace-tokens'

export type TraceWorld = AsyncDisposable & {
  readonly storage: Storage
  readonly folder: string
  readonly file: string
  /** Every line of every registry. */
  readonly logs: Record<string, unknown>[]
  /** Another registry on the same log; on the same key file unless told otherwise. */
  start(options?: Partial<RegistryOptions> & { readonly keyFile?: string | null }): Promise<Client>
  publish(revision: number, keys: Jwks['keys'], base?: string | null): Promise<void>
}

export async function openTraceWorld(): Promise<TraceWorld> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'trace-keys-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const storage = stack.use(await openStorage())
  const file = join(folder, 'keys.json')
  const logs: Record<string, unknown>[] = []
  const logger = createLogger({
    name: 'registry',
    to: { write: (line: string) => void logs.push(JSON.parse(line)) },
  })
  const owned = stack.move()
  let lastConfig = 0
  return {
    storage,
    folder,
    file,
    logs,
    start: async ({ keyFile = file, ...options } = {}) => {
      const client = await startClient(storage, {
        logger,
        ...(keyFile === null ? {} : { traceKeys: { file: keyFile, createFirst: false, routersWaitMs: 50 } }),
        ...options,
      })
      owned.use(client)
      return client
    },
    async publish(revision, keys, base = 'a'.repeat(64)) {
      const manifest: Manifest = {
        formatVersion: 1,
        graph: { namespace: GRAPH.namespace, name: GRAPH.graph },
        epoch: 1,
        revision,
        createdAt: new Date(1).toISOString(),
        registrySequence: 1,
        base: base === null ? null : { artifact: base },
        featureFlags: {},
        traceKeys: { keys },
      }
      const record: ConfigRecord = {
        v: 1,
        type: 'config.published',
        epoch: 1,
        revision,
        manifest: JSON.stringify(manifest),
        signature: 'none',
        cause: { compositionSequence: 1, registrySequence: 1, reason: 'keys' },
      }
      lastConfig = await storage.log.append(configSubject(GRAPH), record, lastConfig)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function createKey(client: Client): Promise<CreatedTraceKey> {
  return CreatedTraceKey.parse((await client.post('/v1/trace-keys', {})).body)
}

export async function retireKey(client: Client, kid: string): Promise<RetiredTraceKey> {
  return RetiredTraceKey.parse((await client.delete(`/v1/trace-keys/${kid}`)).body)
}

export async function listKeys(client: Client): Promise<TraceKeyList> {
  return TraceKeyList.parse((await client.get('/v1/trace-keys')).body)
}

/** `signs k1`, `can-sign k2`, …: newest first. */
export async function statesOf(client: Client): Promise<string[]> {
  return (await listKeys(client)).traceKeys.map(({ kid, state }) => `${state} ${kid}`)
}

export async function askToken(client: Client, body: object = {}): Promise<TraceToken> {
  return TraceToken.parse((await client.post(TOKENS, body)).body)
}

/** Public keys that the log announces, as config-distribution puts them into manifests. */
export async function announced({ storage }: Pick<TraceWorld, 'storage'>): Promise<Jwks['keys']> {
  const keys = new Map<string, Jwks['keys'][number]>()
  for await (const { record } of storage.log.read({ kind: 'subject', subject: SYSTEM_SUBJECT }, 1)) {
    for (const event of SystemRecord.parse(record).events) {
      if (event.type === 'trace-key.created') keys.set(event.jwk.kid, event.jwk)
      if (event.type === 'trace-key.retired') keys.delete(event.kid)
    }
  }
  return [...keys.values()]
}
