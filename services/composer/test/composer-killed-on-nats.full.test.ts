/** Composers as processes that are killed while they compose what takes seconds. */
import { isComplete } from '@switchyard/contracts'
import { openNatsStorage } from '@switchyard/event-log'
import { describe, expect, it } from 'vitest'
import {
  natsServerAvailable,
  type ServiceProcess,
  startNatsServer,
  startServiceProcess,
  waitFor,
} from '@switchyard/testkit'
import { Bench, createShop, toggle } from './setup.ts'

const MAIN = 'services/composer/src/main.ts'

/** The time of a composition grows with their square: it has to last long enough to be killed in it. */
const ENTITIES = 1600
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@external", "@provides"])'

function entities(fields: (index: number) => string): readonly string[] {
  return Array.from(
    { length: ENTITIES },
    (_, index) => `type T${index} @key(fields: "id") { id: ID! ${fields(index)} }`,
  )
}

/** Entities that compose fast alone. */
function owners(): string {
  return [LINK, 'type Query { owners: Int }', ...entities(() => 'x: Int @shareable')].join('\n')
}

/**
 * With the owners these take about two seconds of CPU: below each root field stands a union of all entities,
 * of which another one has a field that is provided.
 */
function provided(): string {
  const all = entities(() => 'x: Int @external')
  const members = all.map((_, index) => `T${index}`)
  const fields = members.map((name, index) => `f${index}: U @provides(fields: "... on ${name} { x }")`)
  return [LINK, `type Query {\n${fields.join('\n')}\n}`, `union U = ${members.join(' | ')}`, ...all].join(
    '\n',
  )
}

const everything = { owns: ['registry', 'compositions', 'configs'], ownsBlobs: true } as const

describe.skipIf(!natsServerAvailable())('composers on NATS that are killed', () => {
  it('compose for everybody in turns, and again what one of them was at when it was killed', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({ url: server.url, name: 'registry', ...everything })
    await using loud = new Bench(storage)
    const quiet = loud.in('quiet')
    const env = { SWITCHYARD_NATS_URL: server.url, SWITCHYARD_LOG_LEVEL: 'debug' }
    await using one = await startServiceProcess(MAIN, env)
    await using two = await startServiceProcess(MAIN, env)
    await waitFor('both to be ready', async () => (await one.ready()) && two.ready())

    await createShop(loud)
    const events = [await loud.schema('products', owners()), await loud.schema('reviews', provided())]
    const published = await loud.command([...events, toggle(true)])
    const starts = (composer: ServiceProcess): number =>
      composer
        .output()
        .split('\n')
        .filter((line) => line.includes('"composition.started"') && line.includes('"common"')).length
    const atIt = await waitFor('one of them to compose', () => [one, two].find((each) => starts(each) > 0))
    await createShop(quiet)
    await waitFor('the quiet one', async () => (await quiet.records()).length === 1)
    const covered = async (): Promise<boolean> => {
      const last = (await loud.records()).at(-1)
      return last?.registrySequence === published && isComplete(last)
    }
    expect(await covered()).toBe(false)
    await atIt.end('SIGKILL')
    await waitFor('the loud one', covered, { withinMs: 120_000 })
    expect(await loud.last()).toMatchObject({
      base: { status: 'composed' },
      featureFlags: [{ name: 'next' }],
    })
    const sequences = (await loud.records())
      .filter((record) => isComplete(record))
      .map(({ registrySequence }) => registrySequence)
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  })

  it('complete what one of them recorded alone before it was killed', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({ url: server.url, name: 'registry', ...everything })
    await using bench = new Bench(storage)
    const env = { SWITCHYARD_NATS_URL: server.url }
    await using first = await startServiceProcess(MAIN, env)
    await waitFor('the first to be ready', () => first.ready())
    await createShop(bench)
    const slow = [await bench.schema('reviews-next', provided()), await bench.schema('products', owners())]
    const sequence = await bench.command([...slow, toggle(true)])
    await waitFor('the base alone', async () => {
      const last = (await bench.records()).at(-1)
      return last?.registrySequence === sequence && !isComplete(last)
    })
    await first.end('SIGKILL')
    const alone = await bench.last()
    expect(alone).toMatchObject({ featureFlags: [{ name: 'next', pending: true }] })
    await using next = await startServiceProcess(MAIN, env)
    await waitFor('the next to complete it', async () => isComplete(await bench.last()), {
      withinMs: 120_000,
    })
    expect(await next.ready()).toBe(true)
    expect(await bench.last()).toMatchObject({
      registrySequence: sequence,
      base: alone.base,
      featureFlags: [{ name: 'next', result: { status: 'composed' } }],
    })
  })
})
