/** Fields on their way from one subgraph to another, as clients see them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RawSubgraph, startRawSubgraph } from '../../support/ledger.ts'
import { answerAs, type Labels, movingSupergraph } from '../../support/moving-fields.ts'
import { post, start, type TestRouter } from '../../support/router.ts'

const stack = new AsyncDisposableStack()
let old: RawSubgraph
let fresh: RawSubgraph
let directory: string

beforeAll(async () => {
  old = stack.use(await startRawSubgraph())
  fresh = stack.use(await startRawSubgraph())
  directory = await mkdtemp(join(tmpdir(), 'switchyard-override-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  answerAs(old, 'old')
  answerAs(fresh, 'fresh')
})

async function routerWith(
  use: AsyncDisposableStack,
  labels: Partial<Labels>,
  random: () => number,
  settings = '',
  mainThreadSteps = 1000,
): Promise<TestRouter> {
  const path = join(directory, 'supergraph.graphql')
  await writeFile(path, movingSupergraph({ ...percent(50), ...labels }, { old: old.url, fresh: fresh.url }))
  return use.use(
    await start({ kind: 'supergraph', path }, { settings, overrides: { random, mainThreadSteps } }),
  )
}

const percent = (value: number | string): Labels => {
  const label = `percent(${value})`
  return { latest: label, views: label, likes: label }
}
const calls = () => ({ old: old.received.length, fresh: fresh.received.length })
const QUERY = '{ latest { views likes } }'

describe('a field on its way to another subgraph', () => {
  it.each([
    ['0', 0, 'old'],
    ['0', 0.999_999, 'old'],
    ['100', 0, 'fresh'],
    ['100', 0.999_999, 'fresh'],
    ['50', 0.499_999, 'fresh'],
    ['50', 0.5, 'old'],
    ['12.5', 0.124_999, 'fresh'],
    ['12.5', 0.125, 'old'],
  ] as const)('at %s percent and a draw of %s is answered by "%s" alone', async (value, draw, side) => {
    await using use = new AsyncDisposableStack()
    const router = await routerWith(use, percent(value), () => draw)
    const { json } = await post(router, { query: QUERY })
    expect(json).toEqual({ data: { latest: { views: side, likes: side } } })
    expect(calls()).toEqual(side === 'old' ? { old: 1, fresh: 0 } : { old: 0, fresh: 1 })
  })

  it('is drawn anew for every request and once for all places of a request', async () => {
    await using use = new AsyncDisposableStack()
    let draws = 0
    const router = await routerWith(use, percent(50), () => (draws++ % 2 === 0 ? 0.9 : 0.1))
    const query = '{ latest { views likes } all { id title views more: likes } }'
    const seen: unknown[] = []
    for (let request = 0; request < 6; request++) {
      const { json } = await post(router, { query })
      const side = request % 2 === 0 ? 'old' : 'fresh'
      expect(json).toEqual({
        data: {
          latest: { views: side, likes: side },
          all: ['1', '2'].map((id) => ({ id, title: 'old', views: side, more: side })),
        },
      })
      seen.push(side)
    }
    expect(new Set(seen)).toEqual(new Set(['old', 'fresh']))
    expect(draws).toBe(6)
  })

  it('never mixes the two sides in one answer, whatever is drawn', async () => {
    await using use = new AsyncDisposableStack()
    let drawn = 0
    const random = () => (drawn = (drawn + 0.618_034) % 1)
    const router = await routerWith(use, percent(37.5), random)
    const replies = await Promise.all(Array.from({ length: 60 }, () => post(router, { query: QUERY })))
    for (const { json } of replies) {
      const latest = json.data?.['latest'] as { views: string; likes: string }
      expect(latest.likes).toBe(latest.views)
    }
  })

  it('moves apart from fields with another label', async () => {
    await using use = new AsyncDisposableStack()
    const draws: number[] = []
    const random = () => draws.shift() ?? 1
    const labels = { latest: 'percent(0)', views: 'percent(30)', likes: 'percent(60)' }
    const router = await routerWith(use, labels, random)
    // Drawn in the order of the labels: 30, 60; 0 is the same for all.
    for (const [first, second, views, likes] of [
      [0.2, 0.7, 'fresh', 'old'],
      [0.4, 0.5, 'old', 'fresh'],
      [0.2, 0.5, 'fresh', 'fresh'],
      [0.4, 0.7, 'old', 'old'],
    ] as const) {
      draws.push(first, second)
      expect((await post(router, { query: QUERY })).json).toEqual({ data: { latest: { views, likes } } })
    }
  })

  it('is not drawn for operations that do not ask for it', async () => {
    await using use = new AsyncDisposableStack()
    const router = await routerWith(use, percent(50), () => {
      throw new Error('drawn')
    })
    expect((await post(router, { query: '{ all { id title } }' })).json.data).toEqual({
      all: ['1', '2'].map((id) => ({ id, title: 'old' })),
    })
  })

  it('stays where it is under a name that nobody switches on, and moves when the settings do', async () => {
    await using use = new AsyncDisposableStack()
    const labels = { latest: 'beta', views: 'beta', likes: 'gamma' }
    const before = await routerWith(use, labels, () => 0)
    expect((await post(before, { query: QUERY })).json).toEqual({
      data: { latest: { views: 'old', likes: 'old' } },
    })
    expect(calls()).toEqual({ old: 1, fresh: 0 })
    const settings = 'progressive_override: { active_labels: [beta] }'
    const after = await routerWith(use, labels, () => 0, settings)
    expect((await post(after, { query: QUERY })).json).toEqual({
      data: { latest: { views: 'fresh', likes: 'old' } },
    })
  })

  it('is planned for each side in a planning thread, too', async () => {
    await using use = new AsyncDisposableStack()
    const draws = [0.9, 0.1, 0.9, 0.1]
    const settings = 'planning: { time_limit: 1h }'
    const router = await routerWith(use, percent(50), () => draws.shift() ?? 1, settings, 0)
    for (const side of ['old', 'fresh', 'old', 'fresh']) {
      expect((await post(router, { query: QUERY })).json.data).toEqual({
        latest: { views: side, likes: side },
      })
    }
    expect(router.logs.filter(({ event }) => event === 'planning.long')).toHaveLength(2)
  })
})
