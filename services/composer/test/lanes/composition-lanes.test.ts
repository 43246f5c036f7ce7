/** Real threads; what they do is told by comments in the schemas. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LaneEvent, LanesOptions } from '../../src/lanes/composition-lanes.ts'
import { LaneBench } from './lane-bench.ts'

const { parameters } = new RandomRun(import.meta.url, 2, 5)
const SDL = 'type Query { a: Int }'
const LARGE = 1024 * 1024

class TestLanes extends LaneBench {
  constructor(options: Partial<LanesOptions> = {}) {
    super({ module: new URL('../told-worker.ts', import.meta.url), ...options })
  }

  run(what: string, { namespace = 'one', graph = what, bytes = SDL.length, ...told }: Told = {}) {
    return this.compose({ sdl: `# do: ${what}\n${SDL}`, namespace, graph, bytes, ...told })
  }
}

type Told = {
  readonly namespace?: string
  readonly graph?: string
  readonly bytes?: number
  readonly goesFirst?: boolean
  readonly end?: AbortController
}

const stories = (events: readonly LaneEvent[]) =>
  events.map(({ kind, thread, subject }) => `${subject} ${kind} on ${thread}`)

describe('the lanes', () => {
  it('compose what is small while what is large occupies every other thread', async () => {
    await using test = new TestLanes({ largeThreads: 2 })
    const large = Array.from({ length: 6 }, (_, graph) =>
      test
        .run('endless', { namespace: 'loud', graph: `graph-${graph}`, bytes: LARGE })
        .catch((error: unknown) => error),
    )
    await test.until((events) => events.filter(({ kind }) => kind === 'started').length === 2)

    await expect(test.run('nothing', { namespace: 'quiet' })).resolves.toMatchObject({ kind: 'composed' })
    expect(test.events.filter(({ thread }) => thread === 'small').map(({ namespace }) => namespace)).toEqual([
      'quiet',
      'quiet',
    ])
    await test[Symbol.asyncDispose]()
    for (const error of await Promise.all(large)) expect(error).toMatchObject({ code: 'COMPOSER_STOPPING' })
  })

  it('compose a base at once while a flag of the same graph takes long on another thread', async () => {
    await using test = new TestLanes()
    const flag = test.run('endless', { graph: 'shop', bytes: LARGE }).catch((error: unknown) => error)
    await test.until((events) => events.some(({ kind }) => kind === 'started'))
    const base = test.run('nothing', { graph: 'shop', goesFirst: true })
    await expect(base).resolves.toMatchObject({ kind: 'composed' })
    await test[Symbol.asyncDispose]()
    expect(await flag).toMatchObject({ code: 'COMPOSER_STOPPING' })
  })

  it('end what exceeds the CPU budget: on the lane of small ones it begins again as a large one', async () => {
    await using test = new TestLanes({ cpuBudgetMs: 400 })
    const error = {
      code: 'COMPOSITION_BUDGET_EXCEEDED',
      message: expect.stringMatching(/0\.4 s of CPU.*"a" \(1 KiB\).*SWITCHYARD_COMPOSER_CPU_BUDGET/),
    }

    await expect(test.run('endless')).rejects.toMatchObject(error)
    expect(stories(test.events)).toEqual([
      'one/endless started on small',
      'one/endless moved on small',
      'one/endless started on common',
      'one/endless ended on common',
    ])
    for (const { kind, cpuMs } of test.events) expect(cpuMs > 400).toBe(kind !== 'started')
    test.events.length = 0
    await expect(test.run('endless')).rejects.toMatchObject(error)
    expect(stories(test.events)).toEqual(['one/endless started on common', 'one/endless ended on common'])
    await expect(test.run('nothing')).resolves.toMatchObject({ kind: 'composed' })
  })

  it('count CPU and not time', async () => {
    await using test = new TestLanes({ cpuBudgetMs: 500 })
    await expect(test.run('sleep')).resolves.toMatchObject({ kind: 'composed' })
  })

  it('end what needs more memory than it may, and say so; others do not notice', async () => {
    await using test = new TestLanes({ memoryMb: 64 })
    const small = test.run('sleep')
    await expect(test.run('grow', { bytes: LARGE })).rejects.toMatchObject({
      code: 'COMPOSITION_OUT_OF_MEMORY',
      message: expect.stringContaining('64 MiB'),
    })
    await expect(small).resolves.toMatchObject({ kind: 'composed' })
    await expect(test.run('nothing', { bytes: LARGE })).resolves.toMatchObject({ kind: 'composed' })
  })

  it('try what ran out of memory beside what its thread remembered again, and not for ever', async () => {
    await using test = new TestLanes({ memoryMb: 64 })
    await test.run('nothing')
    await expect(test.run('grow')).rejects.toMatchObject({ code: 'COMPOSITION_OUT_OF_MEMORY' })
    expect(stories(test.events)).toEqual([
      'one/nothing started on small',
      'one/nothing ended on small',
      'one/grow started on small',
      'one/grow started on small',
      'one/grow moved on small',
      'one/grow started on common',
      'one/grow ended on common',
    ])
  })

  it('give one whose thread crashes a second chance on a new thread', async () => {
    await using test = new TestLanes()
    await expect(test.run('crash')).rejects.toMatchObject({ code: 'COMPOSITION_CRASHED' })
    expect(test.events.filter(({ kind }) => kind === 'started')).toHaveLength(2)
    await expect(test.run('nothing')).resolves.toMatchObject({ kind: 'composed' })
  })

  it('end what nobody wants any more, waiting or under way, and go on with the next', async () => {
    await using test = new TestLanes()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const loud = { namespace: 'loud', bytes: LARGE }
    const ended = [running, waiting].map((end) =>
      test.run('endless', { ...loud, end }).catch((error: unknown) => error),
    )
    await test.until((events) => events.length === 1)
    const next = test.run('nothing', loud)
    waiting.abort('not wanted')
    running.abort('not wanted')

    expect(await Promise.all(ended)).toEqual(['not wanted', 'not wanted'])
    await expect(next).resolves.toMatchObject({ kind: 'composed' })
    expect(stories(test.events)).not.toContain('loud/endless moved on small')
    expect(test.events.filter(({ kind }) => kind === 'started')).toHaveLength(2)
  })

  it('keep small ones off the other threads while they are few, and large ones off that of small ones always', async () => {
    const jobs = fc.array(
      fc.record({
        namespace: fc.constantFrom('a', 'b', 'c'),
        isLarge: fc.boolean(),
        isCancelled: fc.boolean(),
      }),
      { minLength: 1, maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(jobs, async (list) => {
        await using test = new TestLanes({ largeThreads: 2 })
        const outcomes = await Promise.all(
          list.map(async ({ namespace, isLarge, isCancelled }, index) => {
            const end = new AbortController()
            const told = { namespace, graph: String(index), bytes: isLarge ? LARGE : 100, end }
            const outcome = test.run('nothing', told).then(
              ({ kind }) => kind,
              (error: unknown) => error,
            )
            if (isCancelled) end.abort('cancelled')
            return await outcome
          }),
        )

        list.forEach(({ isCancelled }, index) =>
          expect(isCancelled ? ['cancelled', 'composed'] : ['composed']).toContain(outcomes[index]),
        )
        for (const { thread, lane } of test.events) expect(`${thread} ${lane}`).not.toBe('small large')
        const isStartedFor = (lane: string) => test.events.some((event) => event.lane === lane)
        if (!isStartedFor('large'))
          expect(test.events.filter(({ thread }) => thread === 'common')).toEqual([])
      }),
      parameters,
    )
  })
})
