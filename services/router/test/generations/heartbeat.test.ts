import { ALL_ROUTER_STATUS, RouterHeartbeat } from '@switchyard/contracts'
import { createMemoryAnnouncer } from '@switchyard/event-log'
import { LoadMeter } from '@switchyard/service-kit'
import { expect, it } from 'vitest'
import { Heartbeat } from '../../src/generations/flag-use/heartbeat.ts'
import { until } from '../support/router.ts'
import { GRAPH } from '../support/config-world.ts'

const END = 'router.status.end'

it('says nothing after its last word, whatever still changes while the router stops', async () => {
  await using announcer = createMemoryAnnouncer({})
  const heard: string[] = []
  announcer.subscribe(ALL_ROUTER_STATUS, (message, subject) => {
    if (subject === END) heard.push('end')
    else heard.push(RouterHeartbeat.parse(message).state)
  })
  using meter = new LoadMeter()
  const heartbeat = new Heartbeat({
    fleetKey: null,
    announcer,
    instance: 'r1',
    boot: 'b1',
    generations: { serving: null },
    flagUse: { told: [] },
    follower: () => ({ graph: GRAPH, graphDeleted: false, rejected: null, waitingFor: '' }),
    leaving: () => true,
    load: () => meter.read(),
  })
  heartbeat.beat()
  heartbeat[Symbol.dispose]()
  heartbeat.beat()
  announcer.announce(END, {})
  await until(() => heard.includes('end'), 'everything announced is heard')
  expect(heard).toEqual(['draining', 'stopped', 'end'])
})
