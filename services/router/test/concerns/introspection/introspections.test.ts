import { readFileSync } from 'node:fs'
import {
  compileSupergraph,
  type Graph,
  JsonText,
  openGraph,
  planOperation,
  prepareOperation,
} from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { TurnQueue } from '../../../src/fairness/turn-queue.ts'
import {
  type GraphIntrospections,
  Introspections,
  MAX_WAITING,
} from '../../../src/concerns/introspection/introspections.ts'
import { OperationMemory } from '../../../src/memory/operation-memory.ts'
import { clientAt, SOMEBODY } from '../../support/clients.ts'

const sdl = readFileSync(new URL('../../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')

/** Turns are counted; each comes when it is asked for. */
class CountedTurns {
  count = 0
  readonly queue = new TurnQueue((next) => {
    this.count++
    setImmediate(next)
  })
}

function open(options: { readonly maxSize?: number; readonly bytes?: number } = {}) {
  const graph = openGraph(compileSupergraph(sdl))
  const turns = new CountedTurns()
  const memory = new OperationMemory(options.bytes ?? 10_000_000)
  const { maxSize = 10_000_000 } = options
  const all = new Introspections({ maxSize: () => maxSize, memory, turns: turns.queue })
  return { graph, turns, memory, known: all.open(graph) }
}

/** All names of the schema, under so many aliases. */
function names(graph: Graph, aliases: number) {
  const fields = Array.from({ length: aliases }, (_, index) => `a${index}:name`).join(' ')
  const document = `{ __schema { types { fields { ${fields} } } } }`
  const { introspection } = planOperation(prepareOperation(graph, { document }), new Map())
  return introspection ?? expect.fail('asks for no introspection')
}

const ask = (known: GraphIntrospections, graph: Graph, aliases: number, client = SOMEBODY) =>
  known.answer(names(graph, aliases), new Map(), () => client)

describe('introspections of a router', () => {
  it('are written once, be they asked for at the same time or later', async () => {
    const { graph, known, turns } = open()
    const [one, two] = await Promise.all([ask(known, graph, 900), ask(known, graph, 900)])
    expect(one['__schema']).toBeInstanceOf(JsonText)
    expect(two).toBe(one)
    const { count } = turns
    expect(count).toBeGreaterThan(0)
    expect(await ask(known, graph, 900)).toBe(one)
    expect(turns.count).toBe(count)
  })

  it('are refused once, too: what is too large is not written again to find that out', async () => {
    const { graph, known, turns } = open({ maxSize: 200_000 })
    const refused = { code: 'OPERATION_LIMIT_EXCEEDED' }
    await expect(ask(known, graph, 900)).rejects.toMatchObject(refused)
    const { count } = turns
    await expect(ask(known, graph, 900)).rejects.toMatchObject(refused)
    expect(turns.count).toBe(count)
  })

  it('take no more memory than the operations may: by bytes, whatever their number', async () => {
    const { graph, known, memory } = open({ bytes: 100_000 })
    for (let aliases = 1; aliases <= 60; aliases++) {
      await ask(known, graph, aliases)
      expect(memory.bytes).toBeLessThanOrEqual(100_000)
    }
    expect(known.size).toBeLessThan(60)
    known.clear()
    expect(memory.bytes).toBe(0)
  })

  it('wait for one another, and no more than 32 of them', async () => {
    const { graph, known } = open()
    const asked = Array.from({ length: MAX_WAITING + 2 }, (_, index) => ask(known, graph, 100 + index))
    const results = await Promise.allSettled(asked)
    const refused = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))
    // The first one is being written, and the next has waited longest.
    expect(refused).toEqual([1])
    expect(results[1]).toMatchObject({ reason: { code: 'OVERLOADED', status: 503 } })
    await expect(ask(known, graph, 99)).resolves.toBeDefined()
  })

  it('are written for clients in turns, and nobody is refused for those of others', async () => {
    const { graph, known } = open()
    const order: string[] = []
    const asked = (client: string, aliases: number) =>
      ask(known, graph, aliases, clientAt(client)).then(
        () => order.push(client),
        () => order.push(`${client} refused`),
      )
    const noisy = Array.from({ length: 60 }, (_, index) => asked('noisy', 600 + index))
    await Promise.all([asked('quiet', 500), asked('other', 501), asked('quiet', 502)])
    expect(order.filter((one) => one !== 'noisy refused')).toEqual([
      'noisy',
      // The line was the noisy one's alone when its next turn came.
      'noisy',
      'quiet',
      'other',
      'noisy',
      'quiet',
    ])
    await Promise.all(noisy)
    expect(order.filter((one) => one === 'noisy')).toHaveLength(1 + MAX_WAITING - 3)
  })

  it('that several clients ask for are written in the first turn of one of them', async () => {
    const { graph, known } = open()
    const order: string[] = []
    const asked = (name: string, client: string, aliases: number) =>
      ask(known, graph, aliases, clientAt(client)).then(() => order.push(name))
    await Promise.all([
      asked('being written', 'noisy', 600),
      asked('noisy 1', 'noisy', 601),
      asked('noisy 2', 'noisy', 602),
      asked('shared', 'noisy', 603),
      asked('shared', 'quiet', 603),
    ])
    expect(order).toEqual(['being written', 'noisy 1', 'shared', 'shared', 'noisy 2'])
  })
})

describe('turns', () => {
  function counted() {
    const scheduled: (() => void)[] = []
    const turns = new TurnQueue((next) => scheduled.push(next))
    const had: string[] = []
    const work = async (name: string, client = SOMEBODY) => {
      const own = turns.of(() => client)
      for (let slice = 0; slice < 2; slice++) {
        await own.next()
        had.push(name)
      }
    }
    const run = async (count: number) => {
      for (let turn = 1; turn <= count; turn++) {
        expect(scheduled).toHaveLength(1)
        scheduled.shift()?.()
        // What had its turn asks for the next one only now.
        await Promise.resolve()
        await Promise.resolve()
        expect(had).toHaveLength(turn)
      }
      // The last turn was taken to its end; after it nothing is called back any more.
      expect(scheduled).toHaveLength(1)
      scheduled.shift()?.()
      await Promise.resolve()
      expect(had).toHaveLength(count)
      expect(scheduled).toEqual([])
    }
    return { work, had, run }
  }

  it('belong to one at a time, however many wait: nobody else waits longer for it', async () => {
    const { work, had, run } = counted()
    const all = Promise.all([work('a'), work('b')])
    await run(4)
    await all
    expect(had).toEqual(['a', 'b', 'a', 'b'])
  })

  it('go round the clients, and not the works that each of them has', async () => {
    const { work, had, run } = counted()
    const noisy = clientAt('noisy')
    const all = Promise.all([
      work('a', noisy),
      work('b', noisy),
      work('c', noisy),
      work('quiet', clientAt('quiet')),
    ])
    await run(8)
    await all
    expect(had).toEqual(['a', 'quiet', 'b', 'quiet', 'c', 'a', 'b', 'c'])
  })
})
