/** Entries on the logs that are no records, put there behind the back of the running services. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createLogger, VERSION } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startStandalone } from '../src/standalone.ts'
import type { Standalone } from '../src/standalone.ts'
import { createFolder } from './folder.ts'

const SUBJECTS = [
  'registry.events.default',
  'registry.events._system',
  'registry.events.a.b',
  'compositions.default.shop',
  'compositions.x',
  'configs.default.shop',
  'configs.other.graph',
]
const GARBAGE = ['not json', '', '[1]', '{}', '{"v":1}']

async function start(dataDir: string): Promise<Standalone> {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const standalone = await startStandalone({ dataDir, logger, registryPort: 0, routerPort: 0 })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  return standalone
}

function put(dataDir: string, subject: string, text: string): number {
  const database = new DatabaseSync(join(dataDir, 'switchyard.db'))
  try {
    const { sequence } = database
      .prepare(
        `INSERT INTO records (log, sequence, subject, record)
         SELECT $log, coalesce(max(sequence), 0) + 1, $subject, $text FROM records WHERE log = $log
         RETURNING sequence`,
      )
      .get({ $log: subject.split('.', 1)[0] ?? '', $subject: subject, $text: text }) as { sequence: number }
    return sequence
  } finally {
    database.close()
  }
}

function putGarbage(dataDir: string): void {
  for (const subject of SUBJECTS) for (const text of GARBAGE) put(dataDir, subject, text)
}

async function manage(
  { registryUrl, apiKeyFile }: Standalone,
  method: string,
  path: string,
  body?: object | string,
) {
  const key = (await readFile(apiKeyFile, 'utf8')).trim()
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(`${registryUrl}/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

async function publish(standalone: Standalone, field: string) {
  const body = { sdl: `type Query { ${field}: Int }`, routingUrl: 'http://127.0.0.1:9/graphql' }
  return manage(standalone, 'PUT', 'v1/subgraphs/default/products/schema', body)
}

function serves({ routerUrl }: Standalone, field: string): Promise<void> {
  const query = '{ __schema { queryType { fields { name } } } }'
  const headers = { 'content-type': 'application/json' }
  return vi.waitFor(async () => {
    const response = await fetch(routerUrl, { method: 'POST', headers, body: JSON.stringify({ query }) })
    expect(await response.text()).toContain(`"${field}"`)
  }, PATIENTLY)
}

describe('entries that are no records', () => {
  it('are skipped by every part, before, between and behind records, and said in health', async () => {
    const folder = await createFolder()
    await (await start(folder))[Symbol.asyncDispose]()
    putGarbage(folder)
    const first = await start(folder)
    expect((await manage(first, 'POST', 'v1/graphs/default', { name: 'shop' })).status).toBe(201)
    expect(await publish(first, 'one')).toMatchObject({ status: 201 })
    await serves(first, 'one')
    await first[Symbol.asyncDispose]()

    putGarbage(folder)
    const second = await start(folder)
    await serves(second, 'one')
    const published = await publish(second, 'two')
    expect(published).toMatchObject({ status: 200, text: expect.stringContaining('"changed":true') })
    await serves(second, 'two')
    const health = await manage(second, 'GET', 'health/ready')
    expect(health.status).toBe(200)
    expect(JSON.parse(health.text)).toEqual({
      status: 'ok',
      warning: expect.stringContaining(`${2 * SUBJECTS.length * GARBAGE.length} records are quarantined`),
      version: VERSION,
    })
    const revisions = await manage(second, 'GET', 'v1/graphs/default/shop/revisions')
    expect(JSON.parse(revisions.text)).toMatchObject({ revisions: [{ revision: 2 }, { revision: 1 }] })

    const exported = await manage(second, 'GET', 'v1/export')
    expect(exported.text).toContain('"subject":"configs.default.shop","record":"not json"')
    const copy = await start(await createFolder())
    expect(await manage(copy, 'POST', 'v1/import', exported.text)).toMatchObject({ status: 200 })
    await serves(copy, 'two')
    expect(await publish(copy, 'three')).toMatchObject({ status: 200 })
    await serves(copy, 'three')
  })

  it('are told apart from a record of a newer version, at which the registry stops and names it', async () => {
    const folder = await createFolder()
    const first = await start(folder)
    await manage(first, 'POST', 'v1/graphs/default', { name: 'shop' })
    await publish(first, 'one')
    await serves(first, 'one')
    await first[Symbol.asyncDispose]()
    const sequence = put(folder, 'compositions.default.shop', '{"v":2,"type":"composition.completed"}')
    const second = await start(folder)
    await vi.waitFor(async () => {
      const { status, text } = await manage(second, 'GET', 'health/ready')
      expect(status).toBe(503)
      expect(text).toContain(
        `The record at sequence ${sequence} of compositions.default.shop cannot be understood`,
      )
      expect(text).toContain('upgrade this service')
    }, PATIENTLY)
  })
})
