/** Whether compositions are stored as a whole, by what routers say that they read. */
import { type RouterHeartbeat, routerStatusSubject } from '@switchyard/contracts'
import { type Announcer, createMemoryAnnouncer } from '@switchyard/event-log'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ArtifactForm } from '../src/config.ts'
import { WholeNeeded } from '../src/whole-needed.ts'
import { QUIET } from './setup.ts'

const GRAPH = { namespace: 'default', graph: 'shop' }

let announcer: Announcer
let now: number
let told: (readonly string[])[]

beforeEach(() => {
  announcer = createMemoryAnnouncer()
  now = 1000
  told = []
})
afterEach(() => announcer[Symbol.asyncDispose]())

function open(form: ArtifactForm): WholeNeeded {
  return new WholeNeeded({
    form,
    announcer,
    logger: QUIET,
    onNeeded: (routers) => told.push(routers),
    monotonicNow: () => now,
  })
}

/** Resolves when everybody has heard it. */
async function beat(instance: string, more: Partial<RouterHeartbeat>): Promise<void> {
  let isHeard = false
  using _ = announcer.subscribe(routerStatusSubject(GRAPH, instance), () => (isHeard = true))
  announce(instance, more)
  await waitFor('the heartbeat', () => isHeard)
}

function announce(instance: string, more: Partial<RouterHeartbeat>): void {
  announcer.announce(routerStatusSubject(GRAPH, instance), {
    instance,
    boot: 'b',
    ...GRAPH,
    epoch: 1,
    revision: 1,
    registrySequence: 1,
    flags: [],
    configCreatedAt: null,
    state: 'serving',
    ...more,
  } satisfies RouterHeartbeat)
}

describe('the whole of a composition', () => {
  it('is always needed in the form of both', async () => {
    using whole = open('both')
    await beat('r1', { formats: [1, 2] })
    now += 3_600_000
    expect([whole.isNeeded, told]).toEqual([true, []])
  })

  it('is needed until routers had the time to be heard', async () => {
    using whole = open('pieces')
    await beat('r1', { formats: [1, 2] })
    expect(whole.isNeeded).toBe(true)
    now += 15_000
    expect([whole.isNeeded, told]).toEqual([false, []])
  })

  it('is needed where no router is heard, since this service may not be allowed to hear them', async () => {
    using whole = open('pieces')
    now += 15_000
    expect(whole.isNeeded).toBe(true)
    await beat('r1', { formats: [1, 2] })
    expect(whole.isNeeded).toBe(false)
    now += 60_001
    expect([whole.isNeeded, told]).toEqual([true, []])
  })

  it.each([
    ['does not say what it reads', {}],
    ['reads no pieces', { formats: [1] }],
  ])('is needed while a router lives that %s, which is told once', async (_, more) => {
    using whole = open('pieces')
    await beat('new', { formats: [1, 2] })
    await beat('old', more)
    now += 15_000
    expect([whole.isNeeded, whole.isNeeded]).toEqual([true, true])
    expect(told).toEqual([['default/shop/old']])
    now += 60_000
    await beat('new', { formats: [1, 2] })
    expect(whole.isNeeded).toBe(false)
    await beat('old', more)
    expect(whole.isNeeded).toBe(true)
    expect(told).toHaveLength(2)
  })

  it('is not needed any more when such a router has stopped', async () => {
    using whole = open('pieces')
    await beat('old', {})
    await beat('new', { formats: [1, 2] })
    now += 15_000
    expect(whole.isNeeded).toBe(true)
    await beat('old', { state: 'stopped' })
    expect(whole.isNeeded).toBe(false)
  })

  it('is needed although somebody says for such a router that it reads pieces', async () => {
    using whole = open('pieces')
    await beat('old', {})
    await beat('old', { formats: [1, 2] })
    now += 15_000
    expect(whole.isNeeded).toBe(true)
  })

  it('does not depend on what is no heartbeat, and no number of routers takes memory without end', async () => {
    using whole = open('pieces')
    announcer.announce(routerStatusSubject(GRAPH, 'x'), { formats: 'all' })
    for (let router = 0; router < 1500; router += 1) announce(`old-${router}`, {})
    await beat('last', {})
    now += 15_000
    expect(whole.isNeeded).toBe(true)
    expect(told[0]).toHaveLength(20)
  })
})
