/** Real threads that remember what they composed. */
import { describe, expect, it } from 'vitest'
import { LaneBench } from './lane-bench.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])'

type Composed = {
  readonly graph?: string
  readonly namespace?: string
  readonly types?: number
  readonly added?: string
  /** What the names of types begin with. */
  readonly prefix?: string
  readonly end?: AbortController
}

class TestLanes extends LaneBench {
  run({
    graph = 'shop',
    namespace = 'one',
    types = 20,
    added = '',
    prefix = 'T',
    end = new AbortController(),
  }: Composed = {}) {
    return this.compose({ sdl: schemaOf(types, added, prefix), namespace, graph, end })
  }

  get memories() {
    return this.events.filter(({ kind }) => kind === 'ended').map(({ memory }) => memory)
  }
}

function schemaOf(types: number, added: string, prefix: string): string {
  const all = Array.from(
    { length: types },
    (_, index) =>
      `type ${prefix}${index} @key(fields: "id") {\n  id: ID!\n  next: ${prefix}${(index + 1) % types}\n}`,
  )
  return `${LINK}\n${all.join('\n')}\ntype Query {\n  first: ${prefix}0\n${added}}\n`
}

describe('the memory of a thread', () => {
  it('is used for the next composition of the graph, and gives what a new thread gives', async () => {
    await using test = new TestLanes()
    await using other = new TestLanes()
    await test.run()
    const again = await test.run({ added: '  second: T1\n' })
    expect(test.memories).toEqual(['cold', 'warm'])
    expect(again).toEqual(await other.run({ added: '  second: T1\n' }))
    expect(other.memories).toEqual(['cold'])
  })

  it('is that of one graph of one namespace', async () => {
    await using test = new TestLanes()
    await test.run()
    await test.run({ namespace: 'two' })
    await test.run({ graph: 'other' })
    expect(test.memories).toEqual(['cold', 'cold', 'cold'])
  })

  it('is left to the thread that has it while only few wait, whatever thread is free', async () => {
    await using test = new TestLanes()
    await test.run()
    await Promise.all(Array.from({ length: 8 }, (_, index) => test.run({ added: `  f${index}: Int\n` })))
    expect(new Set(test.events.map(({ thread }) => thread))).toEqual(new Set(['small']))
    expect(test.memories.slice(1)).toEqual(Array.from({ length: 8 }, () => 'warm'))
  })

  it('outlives a composition that nobody wants any more', async () => {
    await using test = new TestLanes({ stopMs: 120_000 })
    // So few that no other thread helps, however long the machine takes for them.
    await test.run({ types: 200 })
    const end = new AbortController()
    const stopped = test.run({ types: 4000, prefix: 'U', end })
    await test.until((events) => events.filter(({ kind }) => kind === 'started').length === 2)
    end.abort(new Error('nobody waits'))
    await expect(stopped).rejects.toThrow('nobody waits')
    await test.run({ types: 200, added: '  second: T1\n' })
    expect(test.memories).toEqual(['cold', 'warm'])
  })

  it('makes room for other graphs, and says so', async () => {
    await using test = new TestLanes({ memoryMb: 64 })
    const graphs = Array.from({ length: 16 }, (_, index) => `graph-${index}`)
    for (const graph of [...graphs, 'graph-0']) await test.run({ graph, types: 500 })
    expect(test.memories).toEqual([...graphs.map(() => 'cold'), 'forgotten'])
  })
})
