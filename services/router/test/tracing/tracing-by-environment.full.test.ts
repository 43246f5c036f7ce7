/**
 * Routers as they are deployed, with the variables that decide about tracing, from the first log line to the
 * last.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post } from '../support/router.ts'
import { listeningAt, runRouterMain } from '../support/router-main.ts'
import { startSubgraph } from '../support/subgraph.ts'
import { traceIn, TRACED } from './recorder/traced.ts'

const ANSWER = { data: { version: 'products' } }

const stack = new AsyncDisposableStack()
let directory: string
let supergraph: string

beforeAll(async () => {
  const products = stack.use(await startSubgraph('products'))
  directory = await mkdtemp(join(tmpdir(), 'switchyard-router-tracing-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  supergraph = join(directory, 'supergraph.graphql')
  const fixture = new URL('../fixtures/supergraph-base.graphql', import.meta.url)
  const sdl = await readFile(fixture, 'utf8')
  await writeFile(supergraph, sdl.replace('http://products.invalid/graphql', products.url))
})
afterAll(() => stack.disposeAsync())

type Logged = { readonly event?: string; readonly level?: string }

/**
 * Asks in three ways, and gives what was answered and the events with which the whole log spoke of tracing.
 */
async function tryOut(env: Readonly<Record<string, string>>) {
  const running = runRouterMain(
    { SWITCHYARD_SUPERGRAPH: supergraph, SWITCHYARD_HOST: '127.0.0.1', SWITCHYARD_PORT: '0', ...env },
    directory,
  )
  try {
    const graphqlUrl = await listeningAt(running)
    const ask = (headers: Record<string, string>, parameters = '') =>
      post({ graphqlUrl: `${graphqlUrl}${parameters}` }, { query: '{ version }' }, headers)
    const byHeader = await ask(TRACED)
    const byParameter = await ask({}, '?vendor_trace=true')
    const withToken = await ask({ ...TRACED, 'x-vendor-token': 'garbage' })
    const notAsked = await ask({ 'x-vendor-token': 'garbage' })
    running.child.kill('SIGTERM')
    await once(running.child, 'close')
    const lines = running.output.text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Logged => JSON.parse(line))
    const events = lines.flatMap(({ event = '', level }) =>
      event.startsWith('router.tracing') ? `${level} ${event}` : [],
    )
    return { byHeader, byParameter, withToken, notAsked, events }
  } finally {
    running.child.kill('SIGKILL')
    await running.exit
  }
}

const ACTIVE = 'warn router.tracing-active'
const FORCED = 'warn router.tracing-forced'

describe('a router that is started', () => {
  it('with nothing set traces nobody: there is no token without a control plane', async () => {
    const { byHeader, byParameter, withToken, notAsked, events } = await tryOut({})
    for (const { status, json } of [byHeader, byParameter, notAsked])
      expect([status, json]).toEqual([200, ANSWER])
    expect(withToken.status).toBe(401)
    expect(withToken.json.errors?.[0]?.extensions['code']).toBe('TRACE_TOKEN_INVALID')
    expect(events).toEqual([ACTIVE])
  })

  it.each<readonly [string, Record<string, string>, readonly string[]]>([
    ['DEV_MODE=true', { DEV_MODE: 'true' }, [ACTIVE]],
    [
      'ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING=true',
      { ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'true' },
      [ACTIVE, FORCED],
    ],
    [
      'both, and ENGINE_ENABLE_REQUEST_TRACING=true',
      {
        DEV_MODE: 'true',
        ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'true',
        ENGINE_ENABLE_REQUEST_TRACING: 'true',
      },
      [ACTIVE, FORCED],
    ],
  ])('with %s traces whoever asks, and looks at no token', async (_, env, expected) => {
    const { byHeader, byParameter, withToken, notAsked, events } = await tryOut(env)
    for (const { json } of [byHeader, byParameter, withToken]) {
      expect(json).toMatchObject(ANSWER)
      expect(traceIn({ json }).fetches.children).toHaveLength(1)
    }
    expect(notAsked.json).toEqual(ANSWER)
    expect(events).toEqual(expected)
  })

  it.each<readonly [string, Record<string, string>, readonly string[]]>([
    ['alone', {}, []],
    ['beside DEV_MODE=true', { DEV_MODE: 'true' }, []],
    ['beside the forced opening', { ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'true' }, [FORCED]],
  ])('with ENGINE_ENABLE_REQUEST_TRACING=false %s traces nobody', async (_, more, expected) => {
    const replies = await tryOut({ ENGINE_ENABLE_REQUEST_TRACING: 'false', ...more })
    const { byHeader, byParameter, withToken, notAsked, events } = replies
    for (const { status, json } of [byHeader, byParameter, withToken, notAsked])
      expect([status, json]).toEqual([200, ANSWER])
    expect(events).toEqual(expected)
  })
})

describe('two routers', () => {
  it('give the same bytes for the same request with predictable timings, whatever each did before', async () => {
    const start = () =>
      runRouterMain(
        {
          SWITCHYARD_SUPERGRAPH: supergraph,
          SWITCHYARD_HOST: '127.0.0.1',
          SWITCHYARD_PORT: '0',
          DEV_MODE: 'true',
          ENGINE_ENABLE_DEFER: 'true',
        },
        directory,
      )
    const routers = [start(), start()]
    try {
      const [one = '', two = ''] = await Promise.all(routers.map((router) => listeningAt(router)))
      const predictable = { 'x-vendor-trace': 'enable_predictable_debug_timings' }
      const ask = async (graphqlUrl: string, query: string) =>
        (await post({ graphqlUrl }, { query }, predictable)).text
      const queries = [
        '{ version topProducts { name } }',
        '{ version ... @defer { topProducts { name } } }',
        // Nobody answers for reviews here.
        '{ topProducts { name reviews { id } } }',
        '{ product(upc: "1") { name ... @defer { reviews { id } } } }',
        '{ nothing }',
        '{ __typename',
      ]
      for (const query of queries.toReversed()) await ask(two, query)
      for (const query of queries) {
        const [first, second] = [await ask(one, query), await ask(two, query)]
        expect(first).toContain('"trace_start_time":""')
        expect(second).toBe(first)
      }
    } finally {
      for (const { child, exit } of routers) {
        child.kill('SIGKILL')
        await exit
      }
    }
  })
})
