import { isComplete } from '@switchyard/contracts'
import { openNatsStorage } from '@switchyard/event-log'
import { describe, expect, it } from 'vitest'
import { startComposer } from '../src/composer.ts'
import { natsServerAvailable, startNatsServer, startServiceProcess, waitFor } from '@switchyard/testkit'
import { Bench, createShop, FOR_EVER, QUIET, toggle } from './setup.ts'

const MAIN = 'services/composer/src/main.ts'

const everything = { owns: ['registry', 'compositions', 'configs'], ownsBlobs: true } as const

describe.skipIf(!natsServerAvailable())('composers on NATS', () => {
  it('write one record per state, each on its own connection', async () => {
    await using server = await startNatsServer()
    await using storage = await openNatsStorage({ url: server.url, name: 'registry', ...everything })
    await using own = await openNatsStorage({ url: server.url, name: 'composer-two', ...everything })
    await using bench = new Bench(storage)
    await using first = bench.start({ instance: 'one' })
    await using second = startComposer({
      ...own,
      logger: QUIET,
      instance: 'two',
      graceMs: 0,
      flagsWaitMs: FOR_EVER,
    })
    await createShop(bench)
    for (let round = 0; round < 10; round += 1) {
      const sequence = await bench.command([toggle(round % 2 === 0)])
      await Promise.all([first.idle(), second.idle()])
      const covering = (await bench.records()).filter((record) => record.registrySequence === sequence)
      expect(covering).toHaveLength(1)
    }
    const flags = (await bench.last()).featureFlags
    expect(flags).toEqual([])
  })

  it('catch up by themselves after kill -9 of a composer and of the server, and stop in order', async () => {
    await using server = await startNatsServer()
    const env = { SWITCHYARD_NATS_URL: server.url }
    await using waiting = await startServiceProcess(MAIN, env)
    expect(await waiting.ready()).toBe(false)
    await using storage = await openNatsStorage({ url: server.url, name: 'registry', ...everything })
    await using bench = new Bench(storage)
    const covered = async (sequence: number): Promise<boolean> =>
      (await bench.records()).some((record) => record.registrySequence >= sequence && isComplete(record))
    await using other = await startServiceProcess(MAIN, env)
    const created = await createShop(bench)
    await waitFor('the first composition', () => covered(created))
    await waitFor('both to be ready', async () => (await waiting.ready()) && other.ready())

    let sequence = await bench.command([toggle(true)])
    await other.end('SIGKILL')
    sequence = await bench.command([toggle(false)])
    await waitFor('the survivor to do the work', () => covered(sequence))

    sequence = await bench.command([toggle(true)])
    await server.kill9()
    await server.restart()
    await waitFor('the work after the restart', () => covered(sequence))
    sequence = await waitFor('the server', () => bench.command([toggle(false)]))
    await waitFor('following to go on', () => covered(sequence))
    await waitFor('ready again', () => waiting.ready())
    expect(await waiting.end('SIGTERM')).toBe(0)
    const sequences = (await bench.records())
      .filter((record) => isComplete(record))
      .map(({ registrySequence }) => registrySequence)
    expect(new Set(sequences).size).toBe(sequences.length)
  })
})
