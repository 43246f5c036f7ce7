/** The shell that composer and config-distribution share, with workers that only note what they are told. */
import { compositionSubject, type GraphName, graphOfSubject } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { temporaryDirectory, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type EventLog,
  EventLogUnavailableError,
  GraphsOfLogs,
  type GraphWorker,
  type LogFollower,
  openSqliteEventLog,
} from '../src/index.ts'

const RECORD = { v: 1, type: 'graph.removed', namespace: 'default', graph: 'shop', registrySequence: 1 }
const NEWS = { ...RECORD, type: 'graph.renamed' }
const GARBAGE = 'no record of any version'

class NotingWorker implements GraphWorker {
  readonly graph: GraphName
  readonly sequences: number[] = []
  settled = true
  problem: string | null = null

  constructor(graph: GraphName) {
    this.graph = graph
  }

  async stopped(): Promise<void> {}
}

/** A service that follows the compositions of a log. */
class TestService implements AsyncDisposable {
  readonly told: string[] = []
  readonly graphs: GraphsOfLogs<NotingWorker>
  readonly #follower: LogFollower

  constructor(log: EventLog) {
    const lines = { write: (line: string) => void this.told.push(JSON.parse(line).event) }
    this.graphs = new GraphsOfLogs({
      reader: 'test',
      log,
      logger: createLogger({ name: 'test', to: lines }),
      events: {
        logUnavailable: () => void this.told.push('unavailable'),
        readerStopped: () => void this.told.push('stopped'),
      },
    })
    this.#follower = this.graphs.follower({ kind: 'log', log: 'compositions' }, (entry) => {
      if (JSON.stringify(entry.record) === JSON.stringify(NEWS)) throw new TypeError('this is news to me')
      const name = graphOfSubject(entry.subject) ?? { namespace: '', graph: '' }
      const worker = this.graphs.worker(name) ?? new NotingWorker(name)
      this.graphs.add(worker)
      worker.sequences.push(entry.sequence)
    })
    this.graphs.start(() => this.#follower.readExisting())
  }

  get shop(): NotingWorker | undefined {
    return this.graphs.worker({ namespace: 'default', graph: 'shop' })
  }

  async idle(): Promise<void> {
    await this.graphs.idle(this.#follower)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.graphs[Symbol.asyncDispose]()
  }
}

async function openLog() {
  const resources = new AsyncDisposableStack()
  const { path } = resources.use(await temporaryDirectory())
  const { log } = resources.use(await openSqliteEventLog({ dataDir: path }))
  let last = 0
  return {
    log,
    async append(...records: readonly unknown[]) {
      const subject = compositionSubject({ namespace: 'default', graph: 'shop' })
      for (const record of records) last = await log.append(subject, record, last)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

describe('a service that keeps graphs at what logs say', () => {
  it('tells workers of what was there and of what comes, once, and is ready in between', async () => {
    await using place = await openLog()
    await place.append(RECORD, RECORD)
    await using service = new TestService(place.log)
    expect(service.graphs.ready()).toMatchObject({ ok: false, reason: 'the logs are being read' })
    await service.idle()
    expect(service.shop?.sequences).toEqual([1, 2])
    expect(service.graphs.ready()).toMatchObject({ ok: true })
    await place.append(RECORD)
    await service.idle()
    expect(service.shop?.sequences).toEqual([1, 2, 3])
  })

  it('passes over what is no record, and says so without being unready', async () => {
    await using place = await openLog()
    await place.append(RECORD, GARBAGE, RECORD)
    await using service = new TestService(place.log)
    await service.idle()
    expect(service.shop?.sequences).toEqual([1, 3])
    expect(service.graphs.ready()).toMatchObject({
      ok: true,
      warning: expect.stringContaining('1 record is quarantined'),
    })
    expect(service.told).toEqual(['log.record-quarantined'])
  })

  it.each(['there at the start', 'added later'])(
    'stops before a record that it does not understand, %s',
    async (when) => {
      await using place = await openLog()
      await place.append(RECORD)
      if (when === 'there at the start') await place.append(NEWS, RECORD)
      await using service = new TestService(place.log)
      await service.idle()
      if (when === 'added later') await place.append(NEWS, RECORD)
      await waitFor('the stop', () => service.told.includes('stopped'))
      await service.idle()
      expect(service.shop?.sequences).toEqual([1])
      expect(service.graphs.ready()).toMatchObject({
        ok: false,
        reason: expect.stringContaining('sequence 2'),
      })
    },
  )

  it('waits for a log that is away, and says so until it is back', async () => {
    await using place = await openLog()
    await place.append(RECORD)
    let isAway = true
    const log: EventLog = {
      append: (...args) => place.log.append(...args),
      subjects: (...args) => place.log.subjects(...args),
      follow: (...args) => place.log.follow(...args),
      last: (...args) => place.log.last(...args),
      async *read(...args) {
        if (isAway) throw new EventLogUnavailableError('it is away')
        yield* place.log.read(...args)
      },
      async [Symbol.asyncDispose]() {},
    }
    await using service = new TestService(log)
    await waitFor('the outage', () => service.told.length > 0)
    expect(service.graphs.ready()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('it is away'),
    })
    isAway = false
    await service.idle()
    expect(service.shop?.sequences).toEqual([1])
    expect(service.graphs.ready()).toMatchObject({ ok: true })
    expect(service.told).toEqual(['unavailable'])
  })

  it('names graphs that are not up to date, and is idle when all are settled', async () => {
    await using place = await openLog()
    await place.append(RECORD)
    await using service = new TestService(place.log)
    await service.idle()
    const { shop } = service
    if (shop === undefined) throw new Error('the graph has no worker')
    shop.settled = false
    shop.problem = 'it fails'
    expect(service.graphs.ready()).toMatchObject({ ok: false, reason: 'default/shop: it fails' })
    let isIdle = false
    const idle = service.idle().then(() => void (isIdle = true))
    await place.log.last({ kind: 'log', log: 'compositions' })
    expect(isIdle).toBe(false)
    shop.settled = true
    service.graphs.changes.notify()
    await idle
  })
})
