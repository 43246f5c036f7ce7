/**
 * What clients and subgraphs make up is in no label: however many of them send it, there are no more series.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { byName, servedRows } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { buildArtifact } from './support/artifacts.ts'
import { type MeasuredRouter, startMeasuredRouter } from './support/measured-router.ts'
import { post, send, until } from './support/router.ts'
import { closeServer, listenOnFreePort } from './support/subgraph.ts'

const AT_ONCE = 20
/** So many of each kind there are before the series are counted. */
const FIRST = 40
const MADE_UP = 'madeup'

export function boundedLabels(count: number): void {
  it(`${count} requests with made up flags, operations, headers, methods, and errors of subgraphs add no series`, async () => {
    await using measured = await startMeasuredRouter()
    await using wild = await startWildSubgraph()
    const { router, world } = measured
    const base = buildArtifact('base', { products: wild.url, reviews: wild.url })
    await world.publish({ revision: 2, base, flags: { next: measured.shop.flag } })
    await until(
      () => router.logs.some(({ event, version }) => event === 'config.swapped' && isSecond(version)),
      'the swap',
    )
    await ask(measured, FIRST)
    const before = await series(measured)
    await ask(measured, count)
    const after = await series(measured)
    expect([...after.names].filter((name) => !before.names.has(name))).toEqual([])
    expect(after.requests - before.requests).toBe(count)
    expect([...after.names].join('\n')).not.toContain(MADE_UP)
  })
}

const isSecond = (version: unknown): boolean =>
  typeof version === 'object' && version !== null && 'revision' in version && version.revision === 2

const madeUp = (): string => `${MADE_UP}${randomBytes(8).toString('hex')}`

/** Every kind in its turn. */
const KINDS: readonly ((url: string) => Promise<unknown>)[] = [
  (url) => asked(url, '{ version }', { 'x-feature-flag': madeUp() }),
  (url) => asked(url, '{ version }', { cookie: `feature_flag=${madeUp()}` }),
  (url) => asked(url, `query ${madeUp()} { version }`),
  (url) => asked(url, `{ ${madeUp()}: version }`),
  (url) => asked(url, `{ ${madeUp()} }`),
  (url) => asked(url, '{ fails }', { [madeUp()]: madeUp(), 'user-agent': madeUp() }),
  (url) => send(`${url}?${madeUp()}=${madeUp()}`),
  (url) => send(url, { method: 'PURGE', headers: { origin: `http://${madeUp()}.example` } }),
]

function asked(graphqlUrl: string, query: string, headers: Record<string, string> = {}): Promise<unknown> {
  return post({ graphqlUrl }, { query, variables: { [madeUp()]: madeUp() } }, headers)
}

async function ask({ router, metrics }: MeasuredRouter, count: number): Promise<void> {
  const answered = (await ended(metrics)) + count
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const kind = KINDS[next++ % KINDS.length]
      await kind?.(router.graphqlUrl)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await until(async () => (await ended(metrics)) >= answered, 'all requests to be counted')
}

/** Requests that are counted. */
async function ended(metrics: MeasuredRouter['metrics']): Promise<number> {
  const samples = (await metrics()).get('switchyard_router_requests_total')?.samples ?? []
  return samples.reduce((sum, { value }) => sum + value, 0)
}

async function series({ metrics }: MeasuredRouter) {
  const scraped = await metrics()
  // What the process itself does comes and goes.
  const own = [...scraped.values()].filter(({ name }) => !/^(?:v8js|nodejs|process|target)_/.test(name))
  expect(byName(servedRows(scraped)).length).toBeGreaterThan(20)
  return {
    names: new Set(
      own.flatMap(({ samples }) => samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)),
    ),
    requests: await ended(metrics),
  }
}

/**
 * Answers with errors whose messages and codes are new each time, and now and then with what is no answer.
 */
async function startWildSubgraph(): Promise<AsyncDisposable & { readonly url: string }> {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    const status = 200 + (calls % 4) * 100
    const errors = [{ message: madeUp(), extensions: { code: madeUp(), [madeUp()]: madeUp() } }]
    response
      .writeHead(status, { 'content-type': calls % 3 === 0 ? 'text/html' : 'application/json' })
      .end(calls % 5 === 0 ? madeUp() : JSON.stringify({ data: null, errors }))
    calls++
  })
  const port = await listenOnFreePort(server)
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: () => closeServer(server) }
}
