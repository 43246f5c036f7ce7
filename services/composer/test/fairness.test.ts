/**
 * What one namespace publishes keeps nobody else waiting, ends in a bounded time, and is composed in the end.
 */
import type { RecordedResult, RegistryEvent } from '@switchyard/contracts'
import { RandomRun, waitFor } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, createShop, openBench, PADDING, PRODUCTS, telling, toggle } from './setup.ts'

let loud: Bench
let quiet: Bench

beforeEach(async () => {
  loud = await openBench()
  quiet = loud.in('quiet')
})
afterEach(async () => {
  await loud[Symbol.asyncDispose]()
})

/** Flags that each replace `products` by a schema of their own. */
async function flags(bench: Bench, count: number, sdl: string): Promise<readonly RegistryEvent[]> {
  const events = Array.from({ length: count }, async (_, index): Promise<readonly RegistryEvent[]> => {
    const name = `v${index}`
    return [
      { type: 'feature-subgraph.created', name, routingUrl: 'http://v.test/', base: 'products' },
      await bench.schema(name, `${sdl} type Of${name} { a: Int }`),
      {
        type: 'feature-flag.created',
        name: `flag${index}`,
        labels: [],
        featureSubgraphs: [name],
        enabled: true,
      },
    ]
  })
  return (await Promise.all(events)).flat()
}

describe('a namespace that publishes what takes long', () => {
  it('keeps no other namespace waiting, neither while it publishes nor after a restart', async () => {
    await createShop(loud)
    await loud.command([
      ...(await flags(loud, 5, telling('endless'))),
      await loud.schema('products', telling('endless', PADDING)),
    ])
    {
      await using composer = loud.start()
      await createShop(quiet)
      await waitFor('the quiet one', async () => (await quiet.records()).length === 1)
      expect(await loud.records()).toEqual([])
      expect(composer.ready()).toEqual({ ok: true })
    }
    const names = Array.from({ length: 40 }, (_, index) => `graph${index}`)
    await loud.command(names.map((name) => ({ type: 'federated-graph.created', name, labelMatchers: [] })))
    await quiet.command([toggle(true)])
    await using restarted = loud.start()
    await waitFor('the quiet one', async () => (await quiet.records()).length === 2)
    expect(await loud.records()).toEqual([])
    expect(restarted.ready()).toEqual({ ok: true })
  })

  it('gets a failure that names the budget; it costs nothing again, and a raised budget tries again', async () => {
    await createShop(loud)
    {
      await using composer = loud.start()
      await composer.idle()
      expect((await loud.last()).base.status).toBe('composed')
    }
    await loud.publish('products', telling('endless'))
    {
      await using composer = loud.start({ cpuBudgetMs: 300 })
      await composer.idle()
      const { base } = await loud.last()
      expect(base).toMatchObject({
        status: 'failed',
        unchanged: false,
        errorCount: 1,
        errors: [
          {
            code: 'COMPOSITION_BUDGET_EXCEEDED',
            subgraphs: ['products', 'reviews'],
            message: expect.stringMatching(
              /more than 0\.3 s of CPU.*stays in force.*SWITCHYARD_COMPOSER_CPU_BUDGET/,
            ),
          },
        ],
      })
      await loud.command([{ type: 'federated-graph.pinned', name: 'shop', revision: 1 }])
      await composer.idle()
      expect((await loud.last()).base).toEqual({ ...base, unchanged: true })
    }
    await loud.command([{ type: 'federated-graph.unpinned', name: 'shop' }])
    await using composer = loud.start({ cpuBudgetMs: 300 })
    await composer.idle()
    expect((await loud.last()).base).toMatchObject({ status: 'failed', unchanged: false })
  })
})

describe('a graph that is changed while it is composed', () => {
  it('ends what nobody wants any more, and gives one record for both changes', async () => {
    await createShop(loud)
    await using composer = loud.start(loud.logged)
    await composer.idle()
    await loud.publish('products', telling('endless'))
    await loud.line('composition.started', 2)
    const last = await loud.publish('products', `${PRODUCTS} type Extra { a: Int }`)
    await composer.idle()

    expect((await loud.records()).map(({ registrySequence }) => registrySequence)).toEqual([1, last])
    expect((await loud.last()).base.status).toBe('composed')
    expect(loud.lines.map(({ event }) => event)).toContain('composition.superseded')
  })

  it('carries the fourth pass through, so that whoever publishes all the time hears of it, too', async () => {
    await createShop(loud)
    await using composer = loud.start({ cpuBudgetMs: 1000, ...loud.logged })
    await composer.idle()
    const sequences: number[] = []
    for (let round = 1; round <= 4; round += 1) {
      sequences.push(await loud.publish('products', telling('endless', ` type Round${round} { a: Int }`)))
      await loud.line('composition.started', round + 1)
    }
    await loud.publish('products', PRODUCTS)
    await composer.idle()

    const records = await loud.records()
    expect(records.map(({ registrySequence }) => registrySequence).slice(0, 2)).toEqual([1, sequences[3]])
    expect(records[1]).toMatchObject({ base: { errors: [{ code: 'COMPOSITION_BUDGET_EXCEEDED' }] } })
    expect((await loud.last()).base.status).toMatch(/composed|reused/)
    expect(loud.lines.filter(({ event }) => event === 'composition.superseded')).toHaveLength(3)
  })
})

/** One run is dear, so there are no more of them in a campaign than in `make test-long`. */
const LONG_RUNS = 6
const { seed: SEED, runs: RUNS } = new RandomRun(import.meta.url, 2, LONG_RUNS)

describe('whatever namespaces publish, and whenever the composer dies', () => {
  const ENDS: Readonly<Record<string, string>> = {
    [PRODUCTS]: 'composed',
    [telling('sleep')]: 'composed',
    [telling('endless')]: 'COMPOSITION_BUDGET_EXCEEDED',
    [telling('crash')]: 'COMPOSITION_CRASHED',
  }
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('publish' as const),
      namespace: fc.nat(2),
      sdl: fc.constantFrom(...Object.keys(ENDS)),
    }),
    fc.record({ kind: fc.constant('toggle' as const), namespace: fc.nat(2), on: fc.boolean() }),
    fc.constant({ kind: 'restart' as const }),
  )

  it('every graph ends with the composition of its newest state, and records in order', async () => {
    let worlds = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        worlds += 1
        const graphs = [0, 1, 2].map((index) => ({
          bench: loud.in(`world${worlds}-${index}`),
          sdl: PRODUCTS,
          on: false,
        }))
        for (const { bench } of graphs) await createShop(bench)
        const start = () => loud.start({ cpuBudgetMs: 300 })
        let composer = start()
        try {
          for (const action of steps) {
            if (action.kind === 'restart') {
              await composer[Symbol.asyncDispose]()
              composer = start()
              continue
            }
            const graph = graphs[action.namespace]
            if (graph === undefined) throw new Error('no such namespace')
            if (action.kind === 'publish') await graph.bench.publish('products', (graph.sdl = action.sdl))
            else await graph.bench.command([toggle((graph.on = action.on))])
          }
          await composer.idle()
        } finally {
          await composer[Symbol.asyncDispose]()
        }
        for (const { bench, sdl, on } of graphs) {
          const sequences = (await bench.records()).map(({ registrySequence }) => registrySequence)
          expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other))
          const { base, featureFlags } = await bench.last()
          expect(endOf(base)).toBe(ENDS[sdl])
          expect(featureFlags.map(({ name, result }) => [name, endOf(result)])).toEqual(
            on ? [['next', ENDS[sdl]]] : [],
          )
        }
      }),
      { numRuns: Math.min(RUNS, LONG_RUNS), seed: SEED },
    )
  })
})

function endOf(result: RecordedResult): string | undefined {
  return result.status === 'failed' ? result.errors[0]?.code : 'composed'
}
