/**
 * Heartbeats of routers that do not exist, on a real NATS server: who may publish them, and what they change.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { routerStatusSubject } from '@switchyard/contracts'
import { connectNats, createNatsAnnouncer } from '@switchyard/event-log'
import { Changes, createLogger, FleetKey } from '@switchyard/service-kit'
import { natsServerAvailable, type SpawnedServer, startServer, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { createRegistryEvents } from '../src/events.ts'
import { Fleet } from '../src/fleet/fleet.ts'
import { heartbeat } from './harness.ts'

const SECRET = 'the secret of this fleet, long enough'
const GRAPH = { namespace: 'default', graph: 'shop' }
const FORGED = 100_000

/** As in PROTOCOL.md: a router publishes below its own name, one of another graph below that. */
const USERS = `
  { user: registry, password: p, permissions: { publish: "_INBOX.>", subscribe: ["router.status.>", "_INBOX.>"] } }
  { user: one, password: p, permissions: { publish: "router.status.default.shop.one", subscribe: "_INBOX.>" } }
  { user: other, password: p, permissions: { publish: "router.status.default.other.*", subscribe: "_INBOX.>" } }
  { user: everything, password: p, permissions: { publish: ">", subscribe: ">" } }
`

async function startNats(): Promise<SpawnedServer> {
  return startServer({
    binary: 'nats-server',
    scheme: 'nats',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'nats.conf')
      writeFileSync(file, `listen: "127.0.0.1:${port}"\nauthorization { users: [${USERS}] }\n`)
      return ['-c', file]
    },
  })
}

async function openFleet(use: AsyncDisposableStack, fleetKey?: FleetKey) {
  const server = use.use(await startNats())
  const as = (user: string) => server.url.replace('nats://', `nats://${user}:p@`)
  const logs: { readonly event?: string; readonly count?: number }[] = []
  const logger = createLogger({
    name: 'registry',
    to: { write: (line: string) => void logs.push(JSON.parse(line)) },
  })
  const announcer = use.use(createNatsAnnouncer({ url: as('registry'), name: 'registry' }))
  const fleet = use.use(
    new Fleet({
      announcer,
      changes: new Changes(),
      events: createRegistryEvents(logger),
      logger,
      fleetKey,
      now: Date.now,
      monotonicNow: () => performance.now(),
    }),
  )
  const connect = async (user: string) => use.use(await connectNats({ url: as(user), name: user }))
  return { fleet, logs, connect }
}

type Sender = Awaited<ReturnType<Awaited<ReturnType<typeof openFleet>>['connect']>>

function publish({ connection }: Sender, instance: string, message: object, graph = 'shop'): void {
  connection.publish(routerStatusSubject({ ...GRAPH, graph }, instance), JSON.stringify(message))
}

/** Heartbeats of so many routers that do not exist; between any two hundred the event loop turns. */
async function flood(sender: Sender, count: number, forge: (index: number) => object): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    publish(sender, `ghost${index}`, forge(index))
    if (index % 200 === 0) await turn()
  }
  await sender.connection.flush()
}

describe.skipIf(!natsServerAvailable())('forged heartbeats on NATS', () => {
  it('change nothing where there is a fleet key, and are told in a few lines', async () => {
    await using use = new AsyncDisposableStack()
    const { fleet, logs, connect } = await openFleet(use, new FleetKey(SECRET))
    const stranger = await connect('everything')
    const forge = (index: number) => heartbeat({ instance: `ghost${index}`, state: 'serving', revision: 9 })
    const unknown = new FleetKey('some other secret').signer()
    await flood(stranger, FORGED, (index) =>
      index % 2 === 0 ? forge(index) : unknown(routerStatusSubject(GRAPH, `ghost${index}`), forge(index)),
    )
    // It comes after them, and there is room for it.
    const one = await connect('one')
    const sign = new FleetKey(SECRET).signer()
    const genuine = () => sign(routerStatusSubject(GRAPH, 'one'), heartbeat({ instance: 'one' }))
    await waitFor('the router to be heard', () => {
      publish(one, 'one', genuine())
      return fleet.list().length > 0
    })
    expect(fleet.list().map(({ instance }) => instance)).toEqual(['one'])
    expect(fleet.following(GRAPH)).toHaveLength(1)
    expect(fleet.isVerified).toBe(true)
    expect(fleet.warning).toContain('heartbeats of routers are not believed')
    expect(logs.filter(({ event }) => event === 'heartbeat.not-believed')).toHaveLength(1)
    expect(logs.length).toBeLessThan(5)
  })

  it('do not keep a router in the list that said good-bye, or speak for one that is there', async () => {
    await using use = new AsyncDisposableStack()
    const { fleet, connect } = await openFleet(use, new FleetKey(SECRET))
    const stranger = await connect('everything')
    const sign = new FleetKey(SECRET).signer()
    const subject = routerStatusSubject(GRAPH, 'one')
    const recorded: object[] = []
    const send = (state: 'serving' | 'stopped') => {
      const message = sign(subject, heartbeat({ instance: 'one', state }))
      recorded.push(message)
      publish(stranger, 'one', message)
    }
    await waitFor('the router to be heard', () => {
      send('serving')
      return fleet.list().length === 1
    })
    publish(stranger, 'one', heartbeat({ instance: 'one', state: 'stopped' }))
    publish(stranger, 'one', { ...recorded[0], state: 'stopped' })
    await stranger.connection.flush()
    await waitFor('them to be refused', () => fleet.warning?.includes('wrong-signature'))
    expect(fleet.list()).toHaveLength(1)
    send('stopped')
    await waitFor('it to be forgotten', () => fleet.list().length === 0)
    for (const message of recorded) publish(stranger, 'one', message)
    await waitFor('them to be refused', () => fleet.warning?.includes('repeated'))
    expect(fleet.list()).toEqual([])
  })

  it('of a router whose clock is off are listed and counted, unless they speak for one whose clock is right', async () => {
    await using use = new AsyncDisposableStack()
    const { fleet, logs, connect } = await openFleet(use, new FleetKey(SECRET))
    const one = await connect('one')
    const subject = routerStatusSubject(GRAPH, 'one')
    const day = 24 * 60 * 60_000
    const signers = {
      late: new FleetKey(SECRET).signer(() => Date.now() - day),
      right: new FleetKey(SECRET).signer(),
    }
    const send = (clock: keyof typeof signers, boot: string) =>
      publish(one, 'one', signers[clock](subject, heartbeat({ instance: 'one', boot })))
    await waitFor('the router to be heard', () => {
      send('late', 'first')
      return fleet.list().length === 1
    })
    const [listed] = fleet.list()
    expect(listed).toMatchObject({ instance: 'one', alive: true })
    expect(Math.abs((listed?.clockAheadSeconds ?? 0) + day / 1000)).toBeLessThan(60)
    expect(fleet.following(GRAPH)).toHaveLength(1)
    expect(fleet.followingInTime(GRAPH)).toEqual([])
    expect(fleet.warning).toBeNull()
    expect(logs.filter(({ event }) => event === 'registry.router.clock-off')).toHaveLength(1)

    await waitFor('another process of the name, with the right time', () => {
      send('right', 'second')
      return fleet.list()[0]?.boot === 'second'
    })
    expect(fleet.list()[0]).not.toHaveProperty('clockAheadSeconds')
    expect(fleet.followingInTime(GRAPH)).toHaveLength(1)
    for (let count = 0; count < 3; count += 1) send('late', 'first')
    // Messages of one connection arrive in order.
    const last = new FleetKey(SECRET).signer()(
      subject,
      heartbeat({ instance: 'one', boot: 'second', revision: 9 }),
    )
    publish(one, 'one', { ...last, mac: 'AAAA' })
    await waitFor('the last message', () => fleet.warning?.includes('wrong-signature'))
    expect(fleet.list().map(({ boot }) => boot)).toEqual(['second'])
  })

  it('without a key are kept out by the permissions of NATS, and where these allow them drive nobody out', async () => {
    await using use = new AsyncDisposableStack()
    const { fleet, connect } = await openFleet(use)
    const [one, other, everything] = [
      await connect('one'),
      await connect('other'),
      await connect('everything'),
    ]
    await waitFor('the router to be heard', () => {
      publish(one, 'one', heartbeat({ instance: 'one' }))
      return fleet.list().length === 1
    })
    publish(one, 'two', heartbeat({ instance: 'two' }))
    publish(other, 'three', heartbeat({ instance: 'three' }))
    publish(other, 'four', heartbeat({ instance: 'four', graph: 'other' }), 'other')
    await waitFor('the one that is allowed', () => fleet.list().length === 2)
    expect(fleet.list().map(({ instance }) => instance)).toEqual(['four', 'one'])
    expect(fleet.following(GRAPH)).toHaveLength(1)

    await flood(everything, 5000, (index) => heartbeat({ instance: `ghost${index}` }))
    await waitFor('as many as are kept', () => fleet.list().length === 2000)
    expect(fleet.list().filter(({ instance }) => instance === 'one')).toHaveLength(1)
    expect(fleet.isVerified).toBe(false)
  })
})
