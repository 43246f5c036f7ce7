/** The list of registries and composers, and when `GET /v1/live` says that it changed. */
import {
  type ComposerHeartbeat,
  composerStatusSubject,
  type ProcessLoad,
  RegistryHeartbeat,
  registryStatusSubject,
  ServiceList,
} from '@switchyard/contracts'
import { VERSION } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { BOOTSTRAP_KEY, type Client, openStorage, startClient } from '../harness.ts'
import { readLive } from './support.ts'

const LOAD: ProcessLoad = {
  startedAt: 1,
  residentBytes: 2,
  heapBytes: 1,
  eventLoopUtilization: 0.5,
  eventLoopDelayMs: 3,
}
const OTHER = { instance: 'registry-2', boot: 'b', stopping: false, version: '9.0.0', load: LOAD }
const COMPOSER = { instance: 'composer-1', stopping: false, composing: [], version: '9.0.0', load: LOAD }
const OWN = { kind: 'registry', instance: 'registry', version: VERSION, state: 'running', composing: [] }

async function listed(client: Client): Promise<ServiceList['services']> {
  return ServiceList.parse((await client.get('/v1/services')).body).services
}

const statesOf = async (client: Client) =>
  Object.fromEntries((await listed(client)).map(({ instance, state }) => [instance, state]))

describe('the list of services', () => {
  it('has this registry, others and composers, also those of before, with what their heartbeats tell', async () => {
    await using storage = await openStorage()
    const heard: unknown[] = []
    storage.announcer.subscribe(registryStatusSubject('registry'), (message) => heard.push(message))
    await using client = await startClient(storage)
    const composing = ['default/shop']
    storage.announcer.announce(registryStatusSubject('registry-2'), OTHER)
    storage.announcer.announce(composerStatusSubject('composer-1'), { ...COMPOSER, composing })
    storage.announcer.announce(composerStatusSubject('old'), { instance: 'old', stopping: false })
    storage.announcer.announce(composerStatusSubject('old'), { ...COMPOSER, instance: 'speaks for another' })
    await waitFor('all to be heard', async () => (await listed(client)).length === 4)
    expect(await listed(client)).toMatchObject([
      { ...OWN, load: { residentBytes: expect.any(Number) } },
      { kind: 'registry', instance: 'registry-2', version: '9.0.0', state: 'running', load: LOAD },
      { kind: 'composer', instance: 'composer-1', version: '9.0.0', composing, load: LOAD },
      { kind: 'composer', instance: 'old', version: null, state: 'running', composing: [], load: null },
    ])
    await client.registry[Symbol.asyncDispose]()
    await waitFor('the last word', () => heard.length > 1)
    expect(heard.map((message) => RegistryHeartbeat.parse(message).stopping)).toEqual([false, true])
  })

  it('tells who is lost from who stopped, and forgets both', async () => {
    await using storage = await openStorage()
    let monotonic = 0
    await using client = await startClient(storage, { monotonicNow: () => monotonic })
    const tell = (heartbeat: ComposerHeartbeat) =>
      storage.announcer.announce(composerStatusSubject(heartbeat.instance), heartbeat)
    tell({ ...COMPOSER, instance: 'killed' })
    tell({ ...COMPOSER, instance: 'stopped' })
    storage.announcer.announce(registryStatusSubject('registry-2'), { ...OTHER, boot: 'new' })
    // The last word of a process comes late, after its successor of the same name began.
    storage.announcer.announce(registryStatusSubject('registry-2'), { ...OTHER, stopping: true })
    tell({ ...COMPOSER, instance: 'stopped', stopping: true })
    const now = { killed: 'running', stopped: 'stopping', 'registry-2': 'running' }
    await waitFor('the last to be heard', async () => (await statesOf(client))['stopped'] === 'stopping')
    expect(await statesOf(client)).toMatchObject(now)
    monotonic = 16_000
    const { registry: _own, ...after } = await statesOf(client)
    expect(after).toEqual({ killed: 'lost', 'registry-2': 'lost' })
    monotonic = 61_000
    expect(Object.keys(await statesOf(client)).filter((name) => name !== 'registry')).toEqual([])
  })

  it('is told to who follows what happens, when one comes, falls silent or stops, and not by figures', async () => {
    await using storage = await openStorage()
    let monotonic = 0
    await using client = await startClient(storage, { liveTickMs: 20, monotonicNow: () => monotonic })
    const reader = await readLive(client, { key: BOOTSTRAP_KEY })
    await using _cut = { [Symbol.asyncDispose]: async () => reader.cut() }
    const told = () => reader.told.filter(({ event }) => event.kind === 'fleet').length
    const tell = (more: Partial<ComposerHeartbeat>) =>
      storage.announcer.announce(composerStatusSubject('composer-1'), { ...COMPOSER, ...more })
    tell({})
    await waitFor('it to be told', () => told() > 0)
    const figures = () => reader.told.filter(({ event }) => event.kind === 'figures').length
    const ticks = async (count: number) => {
      const before = figures()
      await waitFor('ticks', () => figures() >= before + count)
    }
    // The tick after it finds one more that is alive.
    await ticks(2)
    const came = told()
    tell({ composing: ['default/shop'], load: { ...LOAD, residentBytes: 3 } })
    await ticks(3)
    expect(told()).toBe(came)
    monotonic = 16_000
    await waitFor('the silence to be told', () => told() > came)
    await ticks(2)
    const silent = told()
    tell({ stopping: true })
    await waitFor('the stop to be told', () => told() > silent)
  })
})
