/**
 * Everything moves to another installation, of either kind: what was decided, its history, its keys, and what
 * routers answer.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { natsServerAvailable, redisServerAvailable } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Constellation,
  GRAPH,
  openShop,
  publishShop,
  query,
  type Shop,
  startEmbedded,
  startOnRealServers,
  waitForReady,
  waitForVariant,
} from '../src/index.ts'

const READS = [
  '/v1/namespaces',
  '/v1/graphs/default',
  `/v1/graphs/default/${GRAPH}/execution-config`,
  '/v1/subgraphs/default',
  '/v1/feature-flags/default',
  '/v1/namespaces/default/snapshot',
  '/v1/api-keys',
]

type Line = { readonly type: string; readonly log?: string; readonly record?: unknown }
type Revision = { readonly epoch: number; readonly revision: number; readonly reason: string }
/** All that users can see of an installation. */
type Picture = {
  readonly reads: readonly unknown[]
  readonly answers: readonly unknown[]
  readonly revisions: readonly Revision[]
  readonly lines: readonly Line[]
}

async function exportOf(system: Constellation): Promise<string> {
  const { code, stdout, stderr } = await system.cli('registry', 'export')
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Exported /)])
  return stdout
}

function parseLines(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

async function pictureOf(system: Constellation, key: string): Promise<Picture> {
  const headers = { authorization: `Bearer ${key}` }
  const reads = []
  for (const path of READS) {
    const options = path === '/v1/api-keys' ? {} : { headers }
    const { status, body } = await system.manage('GET', path, undefined, options)
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
    reads.push(withoutRevisions(body))
  }
  const answers = []
  for (const url of system.routerUrls) {
    for (const flag of ['', 'next', 'other']) {
      const { status, body } = await query(url, flag === '' ? {} : { 'X-Feature-Flag': flag })
      answers.push([flag, status, body])
    }
  }
  const history = await system.manage('GET', `/v1/graphs/default/${GRAPH}/revisions`, undefined, { headers })
  const revisions = history.body['revisions'] as Revision[]
  return { reads, answers: unique(answers), revisions, lines: parseLines(await exportOf(system)) }
}

/**
 * Leaves out what differs: the newest revision, which is signed again, and what a registry heard of flags
 * since it started, by which it says as well whether one is new or live.
 */
function withoutRevisions(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => (DIFFERENT.has(name) ? undefined : value))
}

const DIFFERENT: ReadonlySet<string> = new Set(['revision', 'use', 'stage'])

function unique(answers: readonly unknown[]): unknown[] {
  return [...new Set(answers.map((answer) => JSON.stringify(answer)))].map((text) => JSON.parse(text))
}

async function importInto(system: Constellation, text: string): Promise<void> {
  const file = join(system.folder, 'moved.ndjson')
  await writeFile(file, text)
  const { code, stdout, stderr } = await system.cli('registry', 'import', file)
  expect([code, stderr], system.report()).toEqual([0, ''])
  expect(stdout).toMatch(/^Imported /)
  for (const url of system.routerUrls) {
    await waitForReady(system, url)
    await waitForVariant(system, url, 'next')
  }
}

function recordsOf(lines: readonly Line[], log: string): Line[] {
  return lines.filter((line) => line.type === 'record' && line.log === log)
}

/** `moved` holds what `origin` held, and after it the revision that the new signing key needed. */
function expectMoved(origin: Picture, moved: Picture): void {
  expect(moved.reads).toEqual(origin.reads)
  expect(moved.answers).toEqual(origin.answers)
  for (const log of ['registry', 'compositions']) {
    expect(recordsOf(moved.lines, log)).toEqual(recordsOf(origin.lines, log))
  }
  const [before, after] = [recordsOf(origin.lines, 'configs'), recordsOf(moved.lines, 'configs')]
  // All but the mark of the last one are what they were.
  const [last] = before.slice(-1)
  expect(after.slice(0, before.length)).toEqual([
    ...before.slice(0, -1),
    { ...last, record: { ...Object(last?.record), imported: true } },
  ])
  expect(after).toHaveLength(before.length + 1)
  const blobs = (lines: readonly Line[]) => lines.filter(({ type }) => type === 'blob')
  expect(blobs(moved.lines)).toEqual(blobs(origin.lines))
  const [newest, ...older] = moved.revisions
  expect(older).toEqual(origin.revisions)
  expect(newest).toMatchObject({
    revision: (origin.revisions[0]?.revision ?? 0) + 1,
    reason: 'restored',
  })
  expect(newest?.epoch).toBeGreaterThan(origin.revisions[0]?.epoch ?? 0)
}

/** The registry goes on where it stopped: the next change is composed and served. */
async function expectAlive(system: Constellation, sequence: number): Promise<void> {
  const disabled = await system.manage('POST', '/v1/feature-flags/default/next/disable', {})
  expect(disabled.body).toMatchObject({ changed: true, sequence, pending: false, affectedGraphs: [GRAPH] })
  for (const url of system.routerUrls) await waitForVariant(system, url, 'base')
}

describe('an installation that moves', () => {
  let shop: Shop
  let origin: Picture
  let text: string
  let key: string
  let next: number

  beforeAll(async () => {
    shop = await openShop()
    await using system = await startEmbedded()
    await publishShop(system, shop)
    // Otherwise each installation would tell the address that its own router has.
    const publicUrl = 'https://shop.example.com/graphql'
    expect((await system.manage('PATCH', `/v1/graphs/default/${GRAPH}`, { publicUrl })).status).toBe(200)
    for (const action of ['disable', 'enable']) {
      const reply = await system.manage('POST', `/v1/feature-flags/default/next/${action}`, {})
      expect(reply.status).toBe(200)
    }
    const created = await system.cli('api-key', 'create', 'mover', '--scope', 'read')
    key = created.stdout.trim()
    for (const url of system.routerUrls) await waitForVariant(system, url, 'next')
    origin = await pictureOf(system, key)
    text = await exportOf(system)
    next = recordsOf(origin.lines, 'registry').length + 1
    expect(origin.revisions.length).toBeGreaterThan(5)
    expect(parseLines(text).slice(1)).toEqual(origin.lines.slice(1))
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  it('to another embedded one is the same there', async () => {
    await using system = await startEmbedded()
    await importInto(system, text)
    expectMoved(origin, await pictureOf(system, key))
    await expectAlive(system, next)
  })

  it.skipIf(!natsServerAvailable() || !redisServerAvailable())(
    'to NATS and Redis, and back to an embedded one, is the same there',
    async () => {
      await using system = await startOnRealServers({ registries: 2 })
      await importInto(system, text)
      const moved = await pictureOf(system, key)
      expectMoved(origin, moved)
      const back = await exportOf(system)
      await expectAlive(system, next)
      await using home = await startEmbedded()
      await importInto(home, back)
      expectMoved(moved, await pictureOf(home, key))
    },
    240_000,
  )
})
