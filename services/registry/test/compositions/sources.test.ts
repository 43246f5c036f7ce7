/** Errors of compositions with the schemas that they are in, and the history of a subgraph. */
import { CompositionErrors, SubgraphSchema } from '@switchyard/contracts'
import { SubgraphHistory } from '@switchyard/contracts/studio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outcome, problemOf } from '../harness.ts'
import { type ComposingShop, startComposingShop } from './composing-shop.ts'

const GOOD = 'type Query { stock: Int }'
const BAD = 'type Query {\n  stock: Missing\n}'

let shop: ComposingShop
beforeAll(async () => {
  shop = await startComposingShop()
  await shop.publish('stock', GOOD)
  await shop.publish('stock-next', BAD, 'stock')
  const flag = { name: 'next', featureSubgraphs: ['stock-next'] }
  outcome(await shop.client.post('/v1/feature-flags/default', flag))
  outcome(await shop.client.post('/v1/feature-flags/default/next/enable', {}))
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
})

const schema = async (path: string) => SubgraphSchema.parse((await shop.client.get(path)).body)
const errorsOf = async (query: string) =>
  CompositionErrors.parse((await shop.client.get(`/v1/graphs/default/shop/errors${query}`)).body)
const historyOf = async (name: string, query = '') =>
  SubgraphHistory.parse((await shop.client.get(`/v1/subgraphs/default/${name}/history${query}`)).body)

describe('errors of a composition', () => {
  it('lead to the schema that they are in, and say what to do', async () => {
    const { errors, advice, sources } = await errorsOf('?featureFlag=next')
    const [error] = errors
    expect(error?.locations[0]).toMatchObject({ subgraph: 'stock-next', line: 2 })
    expect(advice?.[error?.code ?? '']).toMatch(/^[A-Z].*\.$/)
    const sha256 = sources?.find(({ subgraph }) => subgraph === 'stock-next')?.sha256
    expect(sources).toHaveLength(1)
    expect((await schema(`/v1/subgraphs/default/stock-next/schema?sha256=${sha256}`)).sdl).toBe(BAD)
    expect(await errorsOf('')).toMatchObject({ errors: [], sources: [{ subgraph: 'stock' }] })
  })
})

describe('the history of a subgraph', () => {
  it('has each schema with the command that published it, and leads to its SDL', async () => {
    const path = '/v1/subgraphs/default/stock/schema'
    const reason = 'counts in one more place'
    outcome(await shop.client.put(path, { sdl: `${GOOD} # second`, reason }))
    const history = await historyOf('stock')
    expect(history.versions).toMatchObject([
      { actor: 'bootstrap', reason, bytes: 34 },
      { actor: 'bootstrap' },
    ])
    expect(history.more).toBe(false)
    const [second, first] = history.versions
    expect(first?.reason).toBeUndefined()
    expect((await schema(`${path}?sha256=${first?.sha256}`)).sdl).toBe(GOOD)
    expect((await schema(path)).sha256).toBe(second?.sha256)
    expect(await historyOf('stock', '?limit=1')).toMatchObject({ versions: [{ reason }], more: true })
  })

  it('has no schemas of others, nor of a subgraph that was deleted', async () => {
    const { versions } = await historyOf('stock-next')
    const path = `/v1/subgraphs/default/stock/schema?sha256=${versions[0]?.sha256}`
    expect(problemOf(await shop.client.get(path)).detail).toMatch(
      /is none of those that were published for "stock"/,
    )
    await shop.publish('gone', 'type Query { gone: Int }')
    const gone = (await historyOf('gone')).versions
    outcome(await shop.client.delete('/v1/subgraphs/default/gone'))
    await shop.publish('gone', 'type Query { gone: String }')
    expect(gone).toHaveLength(1)
    expect((await historyOf('gone')).versions.map(({ sha256 }) => sha256)).not.toContain(gone[0]?.sha256)
    expect((await historyOf('gone')).versions).toHaveLength(1)
  })
})
