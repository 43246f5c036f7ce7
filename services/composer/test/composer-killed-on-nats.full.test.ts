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

/** Takes some seconds of CPU: unions of entities that lead to unions of entities. */
function unions(field: string): string {
  const members = Array.from({ length: 400 }, (_, index) => `T${index}`)
  const types = members.map(
    (type, index) => `type ${type} @key(fields: "id") { id: ID! ${field}: U${index % 240} }`,
  )
  const all = Array.from({ length: 240 }, (_, index) => `union U${index} = ${members.join(' | ')}`)
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"]) type Query { ${field}: U0 } ${types.join(' ')} ${all.join(' ')} # ${'x'.repeat(32_768)}`
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
    const events = [await loud.schema('products', unions('a')), await loud.schema('reviews', unions('b'))]
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
    const slow = [
      await bench.schema('reviews-next', unions('b')),
      await bench.schema('products', unions('a')),
    ]
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
