/** A registry with something in each of its logs, exported and imported over HTTP. */
import {
  type CompositionRecord,
  compositionSubject,
  type ConfigRecord,
  configSubject,
  type ExportLine,
  type Manifest,
  RegistryRecord,
  registrySubject,
} from '@switchyard/contracts'
import { expect } from 'vitest'
import {
  BOOTSTRAP_KEY,
  type Client,
  GRAPH,
  outcome,
  type Reply,
  setUpShop,
  startClient,
  type Storage,
} from '../harness.ts'
import { piecesOf, storePieces } from '../pieces.ts'

/** The artifact that the records of `fillRegistry` name, in pieces. */
export const PIECES = piecesOf('type Query { hello: String }\n', 'type Other { name: String }\n')

/**
 * Subgraphs, a flag, a namespace, an API key, a lost race; a composition with a flag that failed with a blob
 * of errors, and a revision, both with an artifact in pieces.
 */
export async function fillRegistry(
  storage: Storage,
): Promise<{ readonly key: string; readonly keyId: string }> {
  await using client = await startClient(storage)
  await setUpShop(client)
  const flag = { name: 'next', labels: [], featureSubgraphs: ['orders-next'], enabled: true }
  outcome(await client.post('/v1/feature-flags/default?wait=0', flag))
  outcome(await client.post('/v1/namespaces?wait=0', { name: 'team' }))
  await storePieces(storage.pieces, PIECES)
  await writeComposition(storage)
  await writeRevision(storage)
  const reply = await client.post('/v1/api-keys', { name: 'ci', scopes: ['read'] })
  await addLostRace(storage)
  outcome(await client.post('/v1/feature-flags/default/next/disable?wait=0', {}))
  const { key, id } = reply.body as { key: string; id: string }
  return { key, keyId: id }
}

async function writeComposition({ log, blobs }: Storage): Promise<void> {
  const artifact = await blobs.put(Buffer.from(PIECES.whole))
  const errorsBlob = await blobs.put(Buffer.from('[]'))
  const record: CompositionRecord = {
    v: 1,
    type: 'composition.completed',
    namespace: GRAPH.namespace,
    graph: GRAPH.graph,
    registrySequence: 6,
    base: { status: 'composed', inputHash: artifact, artifact, pieces: PIECES.list, hints: [] },
    featureFlags: [
      {
        name: 'next',
        unpublished: [],
        result: {
          status: 'failed',
          inputHash: errorsBlob,
          unchanged: false,
          errors: [],
          errorCount: 21,
          errorsBlob,
          hints: [],
        },
      },
    ],
    pinnedRevision: null,
  }
  await log.append(compositionSubject(GRAPH), record, 0)
}

export async function writeRevision({ log, blobs }: Pick<Storage, 'log' | 'blobs'>): Promise<void> {
  const manifest: Manifest = {
    formatVersion: 1,
    graph: { namespace: GRAPH.namespace, name: GRAPH.graph },
    epoch: 1_700_000_000_000,
    revision: 1,
    createdAt: '2026-11-21T08:00:00.000Z',
    registrySequence: 6,
    base: { artifact: await blobs.put(Buffer.from(PIECES.whole)), pieces: PIECES.list },
    featureFlags: {},
    traceKeys: { keys: [] },
  }
  const record: ConfigRecord = {
    v: 1,
    type: 'config.published',
    epoch: manifest.epoch,
    revision: 1,
    manifest: JSON.stringify(manifest),
    signature: 'e30..c2ln',
    cause: { compositionSequence: 1, registrySequence: 6, reason: 'composition' },
  }
  await log.append(configSubject(GRAPH), record, 0)
}

/** A record that every fold skips, since it names another predecessor than the one it has. */
async function addLostRace({ log }: Storage): Promise<void> {
  const subject = registrySubject('default')
  const last = await log.last({ kind: 'subject', subject })
  const record = { ...RegistryRecord.parse(last?.record), commandId: 'lost', after: 1 }
  await log.append(subject, record, last?.sequence ?? 0)
}

/** How many records each log holds, in the order of an export. */
export async function lastSequences({ log }: Pick<Storage, 'log'>): Promise<number[]> {
  const names = ['configs', 'compositions', 'registry'] as const
  return Promise.all(names.map(async (name) => (await log.last({ kind: 'log', log: name }))?.sequence ?? 0))
}

export async function exportText(client: Client, key = BOOTSTRAP_KEY): Promise<string> {
  const response = await fetch(`${client.registry.url}/v1/export`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  return response.text()
}

export function importText(client: Client, text: string): Promise<Reply> {
  const headers = { 'content-type': 'application/x-ndjson' }
  return client.request('POST', '/v1/import', { body: text, headers })
}

/** The export as an earlier version writes it: without pieces, though records may name them. */
export function asVersion1(lines: readonly ExportLine[]): unknown[] {
  return lines.flatMap((line): unknown[] => {
    if (line.type === 'piece') return []
    if (line.type === 'header') return [{ ...line, version: 1 }]
    if (line.type !== 'end') return [line]
    const { pieces: _, ...end } = line
    return [end]
  })
}

export function linesOf(text: string): ExportLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportLine)
}

/** The lines as an import writes them: the last config record of the graph says that it was imported. */
export function asImported(lines: readonly ExportLine[]): ExportLine[] {
  const last = lines.findLastIndex((line) => line.type === 'record' && line.log === 'configs')
  return lines.map((line, index) =>
    index === last && line.type === 'record'
      ? { ...line, record: { ...Object(line.record), imported: true } }
      : line,
  )
}

export function textOf(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
