import { waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { LoadOfWorkers } from '../../src/workers/load-of-workers.ts'
import { FakeWorker } from '../support/fake-workers.ts'

const LISTENER = { up() {}, changed() {}, accepted() {}, differences() {}, ended() {} }
const PROCESS = { startedAt: 1, residentBytes: 2 ** 40, heapBytes: 2 ** 39 }

it('is that of all processes, with the worst event loop, and the requests of workers that have ended', async () => {
  using load = new LoadOfWorkers()
  const workers: FakeWorker[] = []
  const start = load.watching((number, listener) => {
    const worker = new FakeWorker(number, listener)
    workers.push(worker)
    return worker
  })
  for (const number of [1, 2, 3]) start(number, LISTENER)
  const [one, two] = workers
  await waitFor('the event loop to be measured', () => load.read().eventLoopUtilization >= 0)
  const own = load.read()
  expect(own).toMatchObject({ active: 0, requests: 0, errors: 0 })
  const counts = { active: 2, requests: 10, errors: 1 }
  one!.load = { ...PROCESS, eventLoopUtilization: 1, eventLoopDelayMs: 7, ...counts }
  two!.load = { ...PROCESS, eventLoopUtilization: 0, eventLoopDelayMs: 100_000, ...counts }
  const all = load.read()
  expect(all).toMatchObject({
    startedAt: own.startedAt,
    eventLoopUtilization: 1,
    eventLoopDelayMs: 100_000,
    active: 4,
    requests: 20,
    errors: 2,
  })
  expect(all.residentBytes).toBeGreaterThan(2 ** 41)
  load.ended(two!)
  load.ended(two!)
  expect(load.read()).toMatchObject({ eventLoopDelayMs: 7, active: 2, requests: 20, errors: 2 })
  expect(load.read().residentBytes).toBeLessThan(2 ** 41)
})
