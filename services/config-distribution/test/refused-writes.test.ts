/** A config store that can be read and refuses writes, as Redis does whose memory is full. */
import { routerStatusSubject } from '@switchyard/contracts'
import { type ConfigStore, ConfigStoreUnavailableError } from '@switchyard/config-store'
import { createLogger, startWithMetrics } from '@switchyard/service-kit'
import { freePort, scrapeMetrics, waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { completed, composed, GRAPH } from './records.ts'
import { openBench, QUIET } from './setup.ts'

it('is told for as long as it lasts: what waits, for how long, and every attempt', async () => {
  await using bench = await openBench()
  const port = await freePort()
  await using _running = await startWithMetrics(
    { env: { SWITCHYARD_METRICS_PORT: String(port) }, logger: QUIET },
    { service: 'config-distribution' },
    () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
  )
  const refusing = { is: false }
  const store = refusingWrites(bench.store, () => refusing.is)
  const lines: { readonly event: string; readonly msg: string }[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const logger = createLogger({ name: 'config-distribution', level: 'debug', to: { write } })
  await bench.artifacts('base 1', 'base 2')
  await using service = bench.start({ store, logger, intervals: { routerBehindMs: 1 } })
  await bench.compose(completed(1, composed('base 1')))
  await service.idle()
  const told = async () => {
    const metrics = await scrapeMetrics(port)
    const of = (name: string) =>
      metrics
        .get(`switchyard_config_distribution_${name}`)
        ?.samples.find(({ labels }) => labels['step'] === 'projection')?.value
    return { waiting: of('waiting'), age: of('waiting_age_seconds'), failed: of('failed_attempts_total') }
  }
  expect(await told()).toEqual({ waiting: 0, age: 0, failed: undefined })
  refusing.is = true
  await bench.compose(completed(2, composed('base 2')))
  await waitFor('several attempts', async () => ((await told()).failed ?? 0) > 2)
  const first = await told()
  expect(first.waiting).toBe(1)
  // A router that stays behind: the store is written to no more than before.
  const heartbeat = { ...GRAPH, instance: 'r1', boot: 'b1', epoch: 1, revision: 1 } as const
  const more = { registrySequence: 1, flags: [], configCreatedAt: null, state: 'serving' } as const
  await waitFor('the router that is behind', () => {
    bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), { ...heartbeat, ...more })
    return lines.some(({ event }) => event === 'config.router-behind')
  })
  await waitFor('a higher age', async () => ((await told()).age ?? 0) > (first.age ?? 0))
  expect(lines.filter(({ event }) => event === 'config.attempt-failed')).toHaveLength(1)
  expect(lines.map(({ msg }) => msg).join('\n')).not.toMatch(/(?:is|was) written to the config store/)
  expect(service.ready().ok).toBe(false)
  refusing.is = false
  await service.idle()
  expect(await told()).toMatchObject({ waiting: 0, age: 0 })
})

/** The same store, with all that writes to it failing while `isFull`. */
function refusingWrites(store: ConfigStore, isFull: () => boolean): ConfigStore {
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      if (isFull() && /^(?:put|replace)/.test(String(key)))
        return () => Promise.reject(new ConfigStoreUnavailableError('OOM command not allowed'))
      return value.bind(target)
    },
  })
}
