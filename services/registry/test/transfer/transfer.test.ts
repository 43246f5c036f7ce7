/** A registry that is written down and read back is the same registry. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { text as textOfStream } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  CompositionRecord,
  compositionSubject,
  ConfigRecord,
  configSubject,
  isComplete,
} from '@switchyard/contracts'
import {
  BlobCorruptedError,
  BlobStoreUnavailableError,
  LOG_NAMES,
  openNatsStorage,
} from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { natsServerAvailable, PATIENTLY, replaced, startNatsServer } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { faultyLog } from '../faulty-log.ts'
import { BOOTSTRAP_KEY, GRAPH, openStorage, problemOf, startClient, type Storage } from '../harness.ts'
import { hash, piecesOf, storePieces, textsIn } from '../pieces.ts'
import {
  asImported,
  asVersion1,
  exportText,
  fillRegistry,
  importText,
  lastSequences,
  linesOf,
  PIECES,
  textOf,
} from './support.ts'

async function exported(): Promise<string> {
  await using storage = await openStorage()
  await fillRegistry(storage)
  await using client = await startClient(storage)
  return await exportText(client)
}

const PIECE_TEXTS = [...PIECES.chunks, PIECES.listText].toSorted()

async function isEmpty(storage: Storage): Promise<boolean> {
  return (await lastSequences(storage)).every((sequence) => sequence === 0)
}

async function blobsOf(storage: Storage): Promise<string[]> {
  const found: string[] = []
  for await (const { sha256 } of storage.blobs.list()) found.push(sha256)
  return found.toSorted()
}

describe('an export', () => {
  it('holds a header, every blob and piece that is named, every record of the logs in order, and an end line', async () => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    for (const store of [storage.blobs, storage.pieces])
      await store.put(Buffer.from('an orphan that no record names'))
    await using client = await startClient(storage, { now: () => Date.parse('2026-11-21T08:00:00Z') })
    const lines = linesOf(await exportText(client))
    expect(lines[0]).toEqual({
      type: 'header',
      format: 'switchyard-export',
      version: 2,
      createdAt: '2026-11-21T08:00:00.000Z',
    })
    const counts = { blobs: 4, pieces: 3, records: { configs: 1, compositions: 1, registry: 9 } }
    expect(lines.at(-1)).toEqual({ type: 'end', ...counts })
    const blobs = lines.flatMap((line) => (line.type === 'blob' ? [line] : []))
    expect(blobs).toHaveLength(4)
    const pieces = lines.flatMap((line) => (line.type === 'piece' ? [line] : []))
    expect(pieces.map(({ kind, base64 }) => [kind, Buffer.from(base64, 'base64').toString()])).toEqual([
      ...PIECES.chunks.map((text) => ['chunk', text]),
      ['list', PIECES.listText],
    ])
    for (const { sha256, base64 } of [...blobs, ...pieces])
      expect(hash(Buffer.from(base64, 'base64'))).toBe(sha256)
    const records = lines.flatMap((line) => (line.type === 'record' ? [`${line.log} ${line.sequence}`] : []))
    expect(records).toEqual([
      'configs 1',
      'compositions 1',
      ...Array.from({ length: 9 }, (_, index) => `registry ${index + 1}`),
    ])
    expect(JSON.stringify(lines)).toContain('"commandId":"lost"')
  })

  it('of a registry in which nothing was done can be imported, too', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    const text = await exportText(client)
    expect(linesOf(text)).toHaveLength(2)
    const reply = await importText(client, text)
    expect(reply.body).toEqual({
      blobs: 0,
      pieces: 0,
      records: { configs: 0, compositions: 0, registry: 0 },
      warnings: [],
    })
    expect((await client.post('/v1/graphs/default?wait=0', { name: 'shop' })).status).toBe(201)
  })

  it('that cannot be finished has no end line, and the log says why', async () => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    const [sha256 = ''] = await blobsOf(storage)
    await storage.blobs.delete(sha256)
    await using client = await startClient(storage)
    const headers = { authorization: 'Bearer bootstrap-key-of-the-tests' }
    const response = await fetch(`${client.registry.url}/v1/export`, { headers }).catch(() => null)
    const text = (await response?.text().catch(() => '')) ?? ''
    expect(text).not.toContain('"type":"end"')
  })
})

describe('an import', () => {
  it('makes the same registry: sequences, resources, keys, and an equal export', async () => {
    await using origin = await openStorage()
    const { key, keyId } = await fillRegistry(origin)
    await using first = await startClient(origin)
    const text = await exportText(first)
    await using copy = await openStorage()
    await using second = await startClient(copy)
    const reply = await importText(second, text)
    expect([reply.status, reply.body]).toEqual([
      200,
      { blobs: 4, pieces: 3, records: { configs: 1, compositions: 1, registry: 9 }, warnings: [] },
    ])
    expect(await textsIn(copy.pieces)).toEqual(PIECE_TEXTS)
    expect(await lastSequences(copy)).toEqual(await lastSequences(origin))
    expect(linesOf(await exportText(second)).slice(1)).toEqual(asImported(linesOf(text)).slice(1))
    for (const path of [
      'namespaces',
      'graphs/default',
      'subgraphs/default',
      'feature-flags/default',
      'api-keys',
    ]) {
      const [there, here] = await Promise.all([first, second].map((client) => client.get(`/v1/${path}`)))
      expect(withoutUse(here?.body), path).toEqual(withoutUse(there?.body))
    }
    const headers = { authorization: `Bearer ${key}` }
    expect((await second.request('GET', '/v1/namespaces', { headers })).status).toBe(200)
    const body = { name: 'ci', scopes: ['admin'] }
    expect(problemOf(await second.post('/v1/api-keys', body)).detail).toContain(keyId)
    expect((await second.post('/v1/feature-flags/default/next/enable?wait=0', {})).body).toMatchObject({
      changed: true,
      sequence: 10,
    })
    expect(await blobsOf(copy)).toEqual(
      linesOf(text)
        .flatMap((line) => (line.type === 'blob' ? [line.sha256] : []))
        .toSorted(),
    )
  })

  it('keeps a record of a base whose flags were still being composed, as it is', async () => {
    await using origin = await openStorage()
    await fillRegistry(origin)
    const subject = compositionSubject(GRAPH)
    const last = await origin.log.last({ kind: 'subject', subject })
    const completed = CompositionRecord.parse(last?.record)
    if (completed.type !== 'composition.completed') throw new Error('The graph was composed.')
    const featureFlags = completed.featureFlags.map((flag) => ({ ...flag, pending: true as const }))
    const pending = CompositionRecord.parse({ ...completed, registrySequence: 8, featureFlags })
    expect(isComplete(pending)).toBe(false)
    await origin.log.append(subject, pending, last?.sequence ?? 0)
    await using first = await startClient(origin)
    const text = await exportText(first)
    await using copy = await openStorage()
    await using second = await startClient(copy)
    expect((await importText(second, text)).status).toBe(200)
    expect((await copy.log.last({ kind: 'subject', subject }))?.record).toEqual(pending)
    const path = `/v1/graphs/${GRAPH.namespace}/${GRAPH.graph}`
    expect((await second.get(path)).body).toEqual((await first.get(path)).body)
  })

  it('names no record about rollouts behind the end of its log, for which routers would wait', async () => {
    await using origin = await openStorage()
    await fillRegistry(origin)
    const subject = configSubject(GRAPH)
    const last = await origin.log.last({ kind: 'subject', subject })
    const { manifest, ...rest } = ConfigRecord.parse(last?.record)
    const next = { ...JSON.parse(manifest), revision: 2 }
    const cause = { ...rest.cause, rolloutsSequence: 99 }
    const record = ConfigRecord.parse({ ...rest, revision: 2, manifest: JSON.stringify(next), cause })
    await origin.log.append(subject, record, last?.sequence ?? 0)
    await using first = await startClient(origin)
    const text = await exportText(first)
    await using copy = await openStorage()
    await using second = await startClient(copy)
    expect((await importText(second, text)).status).toBe(200)
    const written = ConfigRecord.parse((await copy.log.last({ kind: 'subject', subject }))?.record)
    const end = (await copy.log.last({ kind: 'log', log: 'registry' }))?.sequence
    expect(written).toEqual({ ...record, imported: true, cause: { ...cause, rolloutsSequence: end } })
  })

  it('is refused by a registry that has any record, before the file is read', async () => {
    const text = await exported()
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    expect(problemOf(await importText(client, text))).toMatchObject({
      status: 409,
      code: 'REGISTRY_NOT_EMPTY',
    })
    expect(problemOf(await importText(client, 'nonsense')).code).toBe('REGISTRY_NOT_EMPTY')
    expect(await lastSequences(storage)).toEqual([0, 0, 1])
  })

  it('is refused in words that also reach who is still sending, on a connection of its own', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
    const sending = request(`${client.registry.url}/v1/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${BOOTSTRAP_KEY}`,
        'content-type': 'application/x-ndjson',
        connection: 'close',
      },
    })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    await pipeline(Readable.from(Array.from({ length: 512 }, () => Buffer.alloc(64 * 1024, 32))), sending)
    const [response] = await answered
    expect([response.statusCode, await textOfStream(response)]).toEqual([
      409,
      expect.stringContaining('REGISTRY_NOT_EMPTY'),
    ])
  })

  it('of which something cannot be right is refused with the line, and nothing is imported', async () => {
    const text = await exported()
    const lines = linesOf(text)
    const without = (index: number) => textOf(lines.filter((_, position) => position !== index))
    const changed = (index: number, change: object) =>
      textOf(lines.map((line, position) => (position === index ? { ...line, ...change } : line)))
    const indexOf = (log: string, sequence: number) =>
      lines.findIndex((line) => line.type === 'record' && line.log === log && line.sequence === sequence)
    const registry = indexOf('registry', 1)
    const end = lines.length - 1
    const [chunk, list] = [5, 7]
    const first = list + 1
    /** A list, with the hash that it has, in place of the one that is in the file. */
    const withList = (text: string, sha256 = hash(text)) =>
      changed(list, { sha256, base64: Buffer.from(text).toString('base64') })
    const listWith = (change: object) => JSON.stringify({ ...JSON.parse(PIECES.listText), ...change })
    const itself = listWith({ chunks: [{ sha256: hash('itself'), bytes: 6 }] })
    const wrong: [string, string, number, RegExp][] = [
      ['nothing', '', 1, /empty/],
      ['something else', 'name,scopes\nci,read\n', 1, /not a switchyard-export file/],
      ['a newer version', changed(0, { version: 3 }), 1, /version 3, .* only the versions 1 to 2/],
      ['an older version than the first', changed(0, { version: 0 }), 1, /only the versions 1 to 2/],
      ['no header', without(0), 1, /not a switchyard-export file/],
      ['two headers', textOf([lines[0], ...lines]), 2, /second header/],
      ['no end line', without(end), end, /cut off/],
      ['a line cut in the middle', text.slice(0, -20), end + 1, /cannot be read/],
      ['something after the end', `${text}{}\n`, end + 2, /after its end line/],
      ['an empty line', text.replace('\n', '\n\n'), 2, /cannot be read/],
      ['an end line that counts wrong', changed(end, { blobs: 5 }), end + 1, /other numbers of blobs/],
      [
        'an end line without its pieces',
        changed(end, { pieces: undefined }),
        end + 1,
        /numbers of blobs, pieces/,
      ],
      ['a damaged blob', changed(1, { base64: 'AAAA' }), 2, /has the hash/],
      ['a blob that is no base64', changed(1, { base64: '!' }), 2, /cannot be read/],
      ['a blob twice', textOf([lines[0], lines[1], ...lines.slice(1)]), 3, /twice/],
      ['a missing blob', without(2), first + 1, /refers to the blob/],
      ['a damaged chunk', changed(chunk, { base64: 'AAAA' }), chunk + 1, /content of the piece has the hash/],
      ['a damaged list', changed(list, { base64: 'AAAA' }), list + 1, /content of the piece has the hash/],
      ['a piece of no kind', changed(chunk, { kind: 'part' }), chunk + 1, /cannot be read/],
      ['a chunk twice', textOf([...lines.slice(0, first), lines[chunk]]), first + 1, /twice/],
      ['a missing chunk', without(chunk), list, /names the chunk .* does not come before it/],
      [
        'a list before its chunks',
        textOf([...lines.slice(0, chunk), lines[list], ...lines.slice(chunk, list)]),
        chunk + 1,
        /names the chunk .* does not come before it/,
      ],
      ['a list that is none', withList('type Query'), list + 1, /list .* cannot be read: It is no JSON/],
      ['a list of a newer version', withList(listWith({ formatVersion: 3 })), list + 1, /no list of chunks/],
      [
        'a list of a million chunks',
        withList(listWith({ chunks: Array.from({ length: 1_000_000 }, () => 0) })),
        list + 1,
        /Expected: 1048576 at most/,
      ],
      [
        'a list that says that its chunks are huge',
        withList(listWith({ chunks: [1, 2].map(() => ({ sha256: hash('x'), bytes: 64 * 1024 * 1024 })) })),
        list + 1,
        /Its chunks have 134217728 bytes together/,
      ],
      ['a list that names itself', withList(itself, hash('itself')), list + 1, /has the hash/],
      [
        'a list that is one of the chunks',
        textOf([...lines.slice(0, list), { ...lines[list], kind: 'chunk' }, ...lines.slice(list)]),
        list + 2,
        /twice/,
      ],
      [
        'a list among chunks, which a record names as a list',
        changed(list, { kind: 'chunk' }),
        first + 1,
        /as a list of chunks, but it is a chunk/,
      ],
      [
        'a piece behind the records',
        textOf([...lines.slice(0, end), lines[chunk], lines[end]]),
        end + 1,
        /piece after the first record/,
      ],
      [
        'a gap',
        without(indexOf('registry', 3)),
        indexOf('registry', 3) + 1,
        /sequence 3, but this one has 4/,
      ],
      [
        'logs in another order',
        textOf([...lines.slice(0, registry), lines[registry], lines[registry - 1], lines[end]]),
        registry + 2,
        /in the order configs/,
      ],
      [
        'a record of the wrong subject',
        changed(registry, { subject: 'compositions.default.shop' }),
        registry + 1,
        /no subject of the log/,
      ],
      [
        'a record of another graph',
        changed(registry - 1, { subject: 'compositions.default.other' }),
        registry,
        /another graph/,
      ],
      ['a record that is none', changed(registry, { record: { v: 1 } }), registry + 1, /cannot be read/],
      ['an unknown log', changed(registry, { log: 'secrets' }), registry + 1, /cannot be read/],
      [
        'a blob behind the records',
        textOf([...lines.slice(0, end), lines[1], lines[end]]),
        end + 1,
        /after the first record/,
      ],
    ]
    await using storage = await openStorage()
    await using client = await startClient(storage)
    for (const [what, body, line, reason] of wrong) {
      const { code, status, detail } = problemOf(await importText(client, body))
      expect([code, status], `${what}: ${detail}`).toEqual(['IMPORT_INVALID', 422])
      expect(detail, what).toMatch(new RegExp(`^Line ${line} of the export: `))
      expect(detail, what).toMatch(reason)
    }
    expect(await isEmpty(storage)).toBe(true)
    expect(await blobsOf(storage)).toEqual([])
    expect(await textsIn(storage.pieces)).toEqual([])
    expect((await importText(client, text)).status).toBe(200)
  })

  it('needs its own content type', async () => {
    await using storage = await openStorage()
    await using client = await startClient(storage)
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const init = { body: '{}', headers: { 'content-type': type } }
      expect(problemOf(await client.request('POST', '/v1/import', init)).code).toBe('UNSUPPORTED_MEDIA_TYPE')
    }
  })

  it('goes on when the answer to an append is lost', async () => {
    const text = await exported()
    for (const how of ['written', 'lost'] as const) {
      await using storage = await openStorage()
      const log = faultyLog(storage.log)
      let appends = 0
      log.beforeAppend = async () => {
        appends += 1
        if (appends === 4) log.loseAnswer = how
      }
      await using client = await startClient({ ...storage, log })
      expect((await importText(client, text)).status).toBe(200)
      expect(await lastSequences(storage)).toEqual([1, 1, 9])
      expect(linesOf(await exportText(client)).slice(1)).toEqual(asImported(linesOf(text)).slice(1))
    }
  })

  it('that stops in the middle leaves a registry that says that it must be emptied, also after a restart', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    let appends = 0
    log.beforeAppend = async () => {
      appends += 1
      if (appends === 6) throw new Error('the disk burns.')
    }
    {
      await using client = await startClient({ ...storage, log })
      const { code, status, detail } = problemOf(await importText(client, text))
      expect([code, status]).toEqual(['IMPORT_INCOMPLETE', 500])
      expect(detail).toContain('the disk burns. The registry answers nothing else now. Empty its storage')
      const told = problemOf(await client.get('/v1/namespaces')).detail
      expect(told).toContain('empty the storage')
      expect(told).toContain('the object stores switchyard-blobs and switchyard-pieces')
    }
    await using client = await startClient(storage, { expectReady: false })
    expect(client.registry.ready()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('has not finished'),
    })
    for (const reply of [
      await client.get('/v1/namespaces'),
      await client.post('/v1/graphs/default', { name: 'g' }),
      await importText(client, text),
      await client.get('/health/ready'),
    ]) {
      expect(reply.status).toBe(503)
      expect(JSON.stringify(reply.body)).toContain('empty the storage')
    }
  })

  it('that is stopped by another writer says so', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    let appends = 0
    log.beforeAppend = async () => {
      appends += 1
      if (appends === 6) await storage.log.append('registry.events.other', { v: 1 }, 0)
    }
    await using client = await startClient({ ...storage, log })
    const { code, detail } = problemOf(await importText(client, text))
    expect([code, detail]).toEqual([
      'IMPORT_INCOMPLETE',
      expect.stringContaining('something else wrote record'),
    ])
  })

  it('whose first record comes after one of another writer is refused, or says so', async () => {
    const records = (await exported()).split('\n').filter((line) => !line.includes('"type":"blob"'))
    const [header = '', ...lines] = records
    const key = lines.find((line) => line.includes('registry.events._system')) ?? ''
    const first = key.replace(/"sequence":\d+/, '"sequence":1')
    const end = '{"type":"end","blobs":0,"records":{"configs":0,"compositions":0,"registry":1}}'
    const rows = [
      ['registry.events._system', 'REGISTRY_NOT_EMPTY'],
      ['registry.events.other', 'IMPORT_INCOMPLETE'],
    ] as const
    for (const [subject, code] of rows) {
      await using storage = await openStorage()
      const log = faultyLog(storage.log)
      log.beforeAppend = async () => void (await storage.log.append(subject, { v: 1 }, 0))
      await using client = await startClient({ ...storage, log })
      expect(problemOf(await importText(client, `${header}\n${first}\n${end}\n`)).code).toBe(code)
    }
  })

  it('asks for every log before it writes, and leaves an empty registry if it may not write one', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    log.mayWrite = (subject) => !subject.startsWith('compositions.')
    const refused = problemOf(await importText(client, text))
    expect([refused.code, refused.detail]).toEqual([
      'IMPORT_NOT_POSSIBLE',
      expect.stringContaining('cannot write to "compositions.default.shop"'),
    ])
    expect(await lastSequences(storage)).toEqual([0, 0, 0])
    expect(client.registry.ready()).toEqual({ ok: true })
    log.mayWrite = () => true
    expect((await importText(client, text)).status).toBe(200)
  })

  it('that fails before its first record leaves a registry that works', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    log.beforeAppend = async () => {
      log.beforeAppend = async () => {}
      throw new Error('not permitted')
    }
    expect((await importText(client, text)).status).toBe(500)
    expect(client.registry.ready()).toEqual({ ok: true })
    expect((await importText(client, text)).status).toBe(200)
  })

  it('lets nobody write meanwhile, and only one be at work', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    log.beforeAppend = async () => {
      arrived.resolve()
      await go.promise
    }
    const importing = importText(client, text)
    await arrived.promise
    const others = [
      await client.post('/v1/graphs/default?wait=0', { name: 'g' }),
      await client.post('/v1/api-keys', { name: 'x', scopes: ['read'] }),
      await client.get('/v1/namespaces'),
      await importText(client, text),
    ]
    for (const reply of others) expect(problemOf(reply)).toMatchObject({ code: 'NOT_READY', status: 503 })
    go.resolve()
    expect((await importing).status).toBe(200)
    expect(await lastSequences(storage)).toEqual([1, 1, 9])
  })

  it('makes every other registry on the storage wait until it is finished', async () => {
    const text = await exported()
    await using storage = await openStorage()
    const log = faultyLog(storage.log)
    await using client = await startClient({ ...storage, log })
    await using other = await startClient(storage)
    const go = Promise.withResolvers<void>()
    log.beforeAppend = () => go.promise
    const importing = importText(client, text)
    await vi.waitFor(() => expect(other.registry.ready().ok).toBe(false), PATIENTLY)
    const refused = problemOf(await other.post('/v1/graphs/default?wait=0', { name: 'g' }))
    expect([refused.code, refused.detail]).toEqual(['NOT_READY', expect.stringContaining('still running')])
    go.resolve()
    expect((await importing).status).toBe(200)
    await vi.waitFor(() => expect(other.registry.ready()).toEqual({ ok: true }), PATIENTLY)
    expect((await other.get('/v1/graphs/default')).body).toEqual(
      (await client.get('/v1/graphs/default')).body,
    )
  })
})

describe('pieces of artifacts', () => {
  /** An export, and what the log says of pieces that it lacks. */
  async function exportedFrom(storage: Storage): Promise<{ text: string; leftOut: unknown[] }> {
    const lines: { event: string }[] = []
    const logger = createLogger({
      name: 'registry',
      to: { write: (line) => void lines.push(JSON.parse(line)) },
    })
    await using client = await startClient(storage, { logger })
    const text = await exportText(client)
    return { text, leftOut: lines.filter(({ event }) => event === 'registry.export.pieces-left-out') }
  }

  it('are not in a file of version 1, which is imported with the names that its records have', async () => {
    const lines = linesOf(await exported())
    const text = textOf(asVersion1(lines))
    expect(text).not.toContain('piece"')
    await using storage = await openStorage()
    await using client = await startClient(storage)
    expect((await importText(client, text)).body).toEqual({
      blobs: 4,
      pieces: 0,
      records: { configs: 1, compositions: 1, registry: 9 },
      warnings: [],
    })
    expect(await textsIn(storage.pieces)).toEqual([])
    const again = await exportText(client)
    expect(asVersion1(linesOf(again)).slice(1)).toEqual(asVersion1(asImported(lines)).slice(1))
    expect(again).toContain(PIECES.list)
  })

  it.each([
    [
      'their list is lost',
      async ({ pieces }: Storage) => pieces.delete(PIECES.list),
      0,
      /is not in the store/,
    ],
    [
      'one of their chunks is lost',
      async ({ pieces }: Storage) => pieces.delete(hash(PIECES.chunks[1] ?? '')),
      1,
      /is not in the store/,
    ],
  ])('are left out of an export if %s, which can be imported', async (_, lose, chunks, reason) => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    await lose(storage)
    const { text, leftOut } = await exportedFrom(storage)
    expect(leftOut).toMatchObject([{ level: 'warn', lists: 1, reason: expect.stringMatching(reason) }])
    await using copy = await openStorage()
    await using client = await startClient(copy)
    expect((await importText(client, text)).body).toMatchObject({ blobs: 4, pieces: chunks })
    expect(await textsIn(copy.pieces)).toEqual(PIECES.chunks.slice(0, chunks))
    expect(JSON.stringify((await copy.log.last({ kind: 'log', log: 'configs' }))?.record)).toContain(
      PIECES.list,
    )
  })

  it('are exported alone where their artifact is not stored as a whole, and can be imported', async () => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    await storage.blobs.delete(hash(PIECES.whole))
    const { text, leftOut } = await exportedFrom(storage)
    expect(leftOut).toEqual([])
    expect(text).not.toContain(Buffer.from(PIECES.whole).toString('base64'))
    await using copy = await openStorage()
    await using client = await startClient(copy)
    expect((await importText(client, text)).body).toMatchObject({ blobs: 3, pieces: 3 })
    const file = await client.get('/v1/graphs/default/shop/execution-config')
    expect(file.body).toMatchObject({ base: JSON.parse(PIECES.whole) })
  })

  it.each([
    ['its list', () => PIECES.list],
    ['a chunk', () => hash(PIECES.chunks[0] ?? '')],
  ])('make no export where an artifact is stored in pieces only, and %s is lost', async (_, lost) => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    await storage.blobs.delete(hash(PIECES.whole))
    await storage.pieces.delete(lost())
    const { text } = await exportedFrom(storage).catch(() => ({ text: '' }))
    expect(text).not.toContain('"type":"end"')
    await using copy = await openStorage()
    await using client = await startClient(copy)
    expect((await importText(client, text)).status).toBe(422)
  })

  it('are left out of an export if they cannot be read, and are asked for once', async () => {
    await using storage = await openStorage()
    await fillRegistry(storage)
    const other = piecesOf(...PIECES.chunks, 'type Third { a: Int }')
    await storePieces(storage.pieces, other)
    await nameList(storage, other.list)
    const shared = hash(PIECES.chunks[0] ?? '')
    const asked: string[] = []
    const damaged = replaced(storage.pieces, {
      get: async (sha256: string) => {
        asked.push(sha256)
        if (sha256 === shared) throw new BlobCorruptedError(sha256, 'the test says so')
        return storage.pieces.get(sha256)
      },
    })
    const { text, leftOut } = await exportedFrom({ ...storage, pieces: damaged })
    expect(leftOut).toMatchObject([{ lists: 2, reason: expect.stringContaining('was damaged in the store') }])
    expect(asked.filter((sha256) => sha256 === shared)).toHaveLength(1)
    expect(linesOf(text).filter(({ type }) => type === 'piece')).toEqual([])
    expect(linesOf(text).at(-1)).toMatchObject({ type: 'end', pieces: 0 })
  })

  it.each(['list', 'get'] as const)(
    'are left out of an export if who exports may not read their store (%s), and are asked for no more',
    async (method) => {
      await using storage = await openStorage()
      await fillRegistry(storage)
      const other = piecesOf('type Third { a: Int }')
      await storePieces(storage.pieces, other)
      await nameList(storage, other.list)
      let asked = 0
      const refuse = () => {
        asked += 1
        throw new BlobStoreUnavailableError('no permission')
      }
      const pieces = replaced(
        storage.pieces,
        method === 'list' ? { list: refuse } : { get: async () => refuse() },
      )
      const { text, leftOut } = await exportedFrom({ ...storage, pieces })
      expect(leftOut).toMatchObject([{ lists: 2, reason: expect.stringContaining('no permission') }])
      await using copy = await openStorage()
      await using client = await startClient(copy)
      expect((await importText(client, text)).status).toBe(200)
      // The sweep may ask as well.
      expect(asked).toBeLessThan(4)
    },
  )

  it('that cannot be written let an import fail before its first record, and it can be repeated', async () => {
    const text = await exported()
    await using storage = await openStorage()
    let isAway = true
    const put = async (bytes: Uint8Array) => {
      if (isAway) throw new BlobStoreUnavailableError('the test says so')
      return storage.pieces.put(bytes)
    }
    await using client = await startClient({ ...storage, pieces: replaced(storage.pieces, { put }) })
    const { status, code, detail } = problemOf(await importText(client, text))
    expect([status, code]).toEqual([503, 'STORAGE_UNAVAILABLE'])
    expect(detail).toContain('the test says so')
    expect(await isEmpty(storage)).toBe(true)
    expect(client.registry.ready()).toEqual({ ok: true })
    isAway = false
    expect((await importText(client, text)).status).toBe(200)
    expect(await textsIn(storage.pieces)).toEqual(PIECE_TEXTS)
  })

  it.skipIf(!natsServerAvailable())('are restored on NATS, where the bucket is made for them', async () => {
    const text = await exported()
    await using server = await startNatsServer()
    const access = { url: server.url, owns: LOG_NAMES, ownsBlobs: true }
    await using storage = await openNatsStorage({ ...access, name: 'registry', ownsPieces: true })
    await using client = await startClient(storage)
    expect((await importText(client, text)).body).toMatchObject({ pieces: 3 })
    expect(linesOf(await exportText(client)).slice(1)).toEqual(asImported(linesOf(text)).slice(1))
    await using reader = await openNatsStorage({
      url: server.url,
      name: 'reader',
      owns: [],
      ownsBlobs: false,
    })
    expect(await textsIn(reader.pieces)).toEqual(PIECE_TEXTS)
  })
})

/** Adds a composition whose artifact is that of `fillRegistry`, in the pieces of another list. */
async function nameList({ log }: Storage, pieces: string): Promise<void> {
  const subject = compositionSubject(GRAPH)
  const last = await log.last({ kind: 'subject', subject })
  const record = CompositionRecord.parse(last?.record)
  if (record.type !== 'composition.completed' || record.base.status !== 'composed')
    throw new Error('The graph was composed.')
  await log.append(subject, { ...record, base: { ...record.base, pieces } }, last?.sequence ?? 0)
}

/** What a registry heard of requests since its start is its own. */
function withoutUse(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'use' ? undefined : value)))
}
