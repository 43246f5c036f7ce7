/** Many deferred streams at a time on one router process, their clients and subgraphs outside of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigWorld } from '../support/config-world.ts'
import { MarkedSubgraphs } from '../support/marked-subgraphs.ts'
import { type RouterProcess, startRouterProcess } from '../support/router-process.ts'
import { until } from '../support/router.ts'
import { http2SessionOn, overHttp1, overHttp2 } from '../support/streams.ts'

export type Load = {
  readonly streams: number
  readonly leavers: number
  readonly deaf: number
  readonly swaps: number
}

const QUERY =
  'query Load($upc: ID!) { product(upc: $upc) { name ...@defer(label: "r") { reviews { body ...@defer { id } } } } }'
/** One HTTP/2 connection carries so many. */
const PER_SESSION = 100
const SETTINGS = `
engine: { enable_defer: true }
# All requests reach the subgraph, where they are held: none waits for a connection, or for another one's call.
subgraphs: { max_connections: 5000, timeout: 10m, share_inflight: false }
traffic: { write_timeout: 10m }
`
/** Bytes of each part for clients that do not read. */
const LARGE_PART = 256 * 1024
const LATER_PARTS = 32

/** What the composition `marker` answers, part by part. */
const initial = (marker: string, upc: string) => ({
  data: { product: { name: `${marker}: product ${upc}` } },
  pending: [{ id: '1', path: ['product'], label: 'r' }],
  hasNext: true,
})
const later = (marker: string, upc: string) => [
  {
    incremental: [{ data: { reviews: [{ body: `${marker}: review ${upc}` }] }, id: '1' }],
    completed: [{ id: '1' }],
    pending: [{ id: '2', path: ['product', 'reviews'] }],
    hasNext: true,
  },
  {
    incremental: [{ data: { id: `${marker}: id ${upc}` }, id: '2', subPath: [0] }],
    completed: [{ id: '2' }],
    hasNext: false,
  },
  null,
]

export function describeLoad(title: string, { streams, leavers, deaf, swaps }: Load): void {
  describe(title, () => {
    const stack = new AsyncDisposableStack()
    let subgraphs: MarkedSubgraphs
    let world: ConfigWorld
    let router: RouterProcess
    let revision = 0

    const publish = (marker: string, flag: string | null = null) =>
      world.publish({
        revision: ++revision,
        base: subgraphs.composition(marker),
        ...(flag === null ? {} : { flags: { f: subgraphs.composition(flag) } }),
      })
    const swapped = (to: number) =>
      until(
        () =>
          router.logs.some(
            ({ event, version }) =>
              event === 'config.swapped' && (version as { revision: number }).revision === to,
          ),
        `revision ${to} is served`,
      )
    /** Half over HTTP/1.1, half over HTTP/2; each for a product of its own. */
    const openStreams = async (count: number, from: number) => {
      const sessions = await Promise.all(
        Array.from({ length: Math.ceil(count / 2 / PER_SESSION) }, () => http2SessionOn(router)),
      )
      const opened = Array.from({ length: count }, async (_, index) => {
        const upc = String(from + index)
        const session = sessions[Math.floor(index / 2 / PER_SESSION)]
        const stream =
          index % 2 === 0 || session === undefined
            ? await overHttp1(router, QUERY, {}, { variables: { upc } })
            : await overHttp2(session, QUERY, {}, { variables: { upc } })
        return { upc, stream }
      })
      return {
        streams: await Promise.all(opened),
        close: () => sessions.forEach((session) => session.destroy()),
      }
    }
    const atRest = async () => {
      await until(async () => (await subgraphs.connections()) === 0, 'no subgraph connection is left')
      return router.measure()
    }

    beforeAll(async () => {
      subgraphs = stack.use(await MarkedSubgraphs.start())
      world = stack.use(await ConfigWorld.create())
      await publish('first')
      router = stack.use(await startRouterProcess(world, SETTINGS))
    })
    afterAll(() => stack.disposeAsync())

    /**
     * All are held at once: every client has read its first part, and every deferred request is at the
     * subgraph.
     */
    const wave = async (from: number) => {
      subgraphs.hold()
      const wave = await openStreams(streams, from)
      for (const { upc, stream } of wave.streams) expect(await stream.next()).toEqual(initial('first', upc))
      await until(() => subgraphs.held === streams, `${streams} deferred requests are held`)
      const held = await router.measure()
      subgraphs.open()
      await Promise.all(
        wave.streams.map(async ({ upc, stream }) => {
          for (const part of later('first', upc)) expect(await stream.next()).toEqual(part)
        }),
      )
      wave.close()
      return held
    }

    it(`answers ${streams} streams that are all held at once, and keeps nothing of them`, async () => {
      await wave(0)
      const before = await atRest()
      const held = await wave(streams)
      const after = await atRest()
      const kib = (bytes: number) => Math.round(bytes / 1024)
      console.log(
        `${streams} streams: heap ${kib(before.heap)} KiB before, ${kib(held.heap)} held ` +
          `(${((held.heap - before.heap) / 1024 / streams).toFixed(1)} each), ${kib(after.heap)} after; ` +
          `CPU ${((after.cpu - before.cpu) / 1000 / streams).toFixed(2)} ms each`,
      )
      expect(after.heap).toBeLessThan(before.heap * 1.1)
      expect(after.buffers).toBeLessThan(before.buffers * 1.1 + 2 ** 20)
    })

    it(`gives up every subgraph request of ${leavers} clients that leave midway`, async () => {
      const [aborted, logged] = [subgraphs.aborted, router.logs.length]
      subgraphs.hold()
      const wave = await openStreams(leavers, 0)
      for (const { upc, stream } of wave.streams) expect(await stream.next()).toEqual(initial('first', upc))
      await until(() => subgraphs.held === leavers, `${leavers} deferred requests are held`)
      const [last] = wave.streams.splice(-1)
      for (const [index, { stream }] of wave.streams.entries())
        if (index % 4 === 2) stream.breakOff()
        else stream.leave()
      last?.stream.breakOff()
      await until(() => subgraphs.aborted - aborted === leavers, 'every request is given up')
      const lines = () => router.logs.slice(logged)
      const answered = () => lines().filter(({ event }) => event === 'request.answered')
      await until(() => answered().length === leavers, 'every request is logged')
      for (const line of answered()) expect(line).toMatchObject({ aborted: true, parts: 1, status: 200 })
      wave.close()
      // Nothing holds the composition they were answered with.
      await publish('second')
      await swapped(revision)
      const released = () => lines().find(({ event }) => event === 'generation.released')
      expect(await until(released, 'the composition is released')).toMatchObject({ alive: 1 })
      expect(lines().filter(({ level }) => level !== 'info')).toEqual([])
      expect([router.noise, router.exitCode]).toEqual([[], null])
      subgraphs.open()
    })

    it(`keeps no more than its first part for each of ${deaf} clients that do not read`, async () => {
      const fragments = Array.from(
        { length: LATER_PARTS },
        (_, part) => `...@defer { p${part}: reviews { body } }`,
      )
      const upc = `padded-${LARGE_PART}`
      const query = `query Deaf { product(upc: "${upc}") { name ${fragments.join(' ')} } }`
      const sessions = await Promise.all(
        Array.from({ length: Math.ceil(deaf / PER_SESSION) }, () => http2SessionOn(router)),
      )
      const open = async (index: number) => {
        const session = sessions[index % sessions.length]
        if (session === undefined) throw new Error('There is no session.')
        return overHttp2(session, query)
      }
      await open(0)
      const before = await router.measure()
      const asked = subgraphs.received.reviews
      const streams = await Promise.all(Array.from({ length: deaf }, (_, index) => open(index)))
      const held = await router.measure()
      const each = (held.heap + held.buffers - before.heap - before.buffers) / deaf
      console.log(`${deaf} clients that do not read: ${Math.round(each / 1024)} KiB each`)
      expect(each).toBeLessThan(LARGE_PART * 4)
      expect(subgraphs.received.reviews).toBe(asked)
      // They are not forgotten: who reads after all gets everything.
      const [first] = streams
      let parts = 0
      while ((await first?.next()) !== null) parts++
      expect(parts).toBe(1 + LATER_PARTS)
      for (const session of sessions) session.destroy()
    })

    it(`finishes every stream on the composition it began with, through ${swaps} swaps`, async () => {
      const logged = router.logs.length
      subgraphs.hold((body) => body.includes('held'))
      const session = await http2SessionOn(router)
      const both = async (upc: string, headers: Record<string, string>) => [
        await overHttp1(router, QUERY, headers, { variables: { upc } }),
        await overHttp2(session, QUERY, headers, { variables: { upc } }),
      ]
      /** Streams of which nothing is held, one after the other, whatever is swapped meanwhile. */
      const running = { yes: true, streams: 0, markers: new Set<string>() }
      const free = [{}, FLAG, {}, FLAG].map(async (headers) => {
        while (running.yes) {
          const upc = String(running.streams++)
          const stream = await overHttp1(router, QUERY, headers, { variables: { upc } })
          const marker = markerOf(await stream.next())
          expect(stream.headers['x-feature-flag']).toBe(marker.startsWith('flag') ? 'f' : undefined)
          for (const part of later(marker, upc)) expect(await stream.next()).toEqual(part)
          running.markers.add(marker)
          // In `make test` enough are amid each swap, and the machine has time for the swaps.
          if (!isLongRun()) await delay(5)
        }
      })
      let finish = async () => {}
      for (let swap = 0; swap < swaps; swap++) {
        const base = `base${swap}`
        const flag = swap % 3 === 0 ? null : `flag${swap}`
        await publish(base, flag)
        await swapped(revision)
        // Those that began on the composition before are in the middle of their streams.
        await finish()
        const begun = [
          ...(await both('held', {})).map((stream) => ({ stream, marker: base })),
          ...(await both('held', FLAG)).map((stream) => ({ stream, marker: flag ?? base })),
        ]
        for (const { stream, marker } of begun) expect(await stream.next()).toEqual(initial(marker, 'held'))
        await until(() => subgraphs.held === begun.length, 'what they wait for is held')
        finish = async () => {
          for (const marker of [base, flag]) if (marker !== null) subgraphs.open(marker)
          for (const { stream, marker } of begun)
            for (const part of later(marker, 'held')) expect(await stream.next()).toEqual(part)
        }
      }
      await finish()
      running.yes = false
      await Promise.all(free)
      session.destroy()
      console.log(`${running.streams} streams on ${running.markers.size} compositions beside those held`)
      const lines = router.logs.slice(logged)
      expect(lines.filter(({ level }) => level !== 'info')).toEqual([])
      expect([router.noise, router.exitCode]).toEqual([[], null])
      await publish('last')
      await swapped(revision)
      const alive = () => router.logs.findLast(({ event }) => event === 'generation.released')?.['alive']
      await until(() => alive() === 1, 'only what is served is in memory')
    })
  })
}

const FLAG = { 'x-feature-flag': 'f' }

/** Which composition answered. */
function markerOf(part: unknown): string {
  return /"name":"([^":]+): product/.exec(JSON.stringify(part))?.[1] ?? 'none'
}
