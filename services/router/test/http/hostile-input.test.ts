/**
 * A router that gets nonsense on thousands of connections: nothing crashes or hangs, nothing is answered with
 * 5xx but 503, no memory stays, and everybody else is answered meanwhile.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { PATIENTLY, RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import pMap from 'p-map'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { heldBytes } from '../support/heap.ts'
import { HOSTILE_INPUTS, type HostileInput } from '../support/hostile-bytes.ts'
import { begunHttp2 } from '../support/http2-frames.ts'
import { post, type TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const INPUTS = new RandomRun(import.meta.url, 2000, 4000)
const AT_A_TIME = 50
const IN_ONE_BATCH = 1000
/** Of what is held in memory, in bytes: caches and what V8 compiles are filled by then. */
const MOST_GROWTH = 16 * 1024 * 1024
/** After which a connection that has been ended counts as hanging. Milliseconds. */
const PATIENCE = PATIENTLY.timeout

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  const settings = `
engine: { enable_defer: true }
dev_mode: true
access_log: { enabled: false }
headers: { request: [{ propagate_matching: "x-*" }, { propagate: authorization }] }
costs: { mode: measure }
batching: { enabled: true }
documents: { apq: { enabled: true, max_size: 1MiB } }
cache: { operations: 1MiB }
`
  ;({ router } = stack.use(await startShopRouter({ settings })))
})
afterAll(() => stack.disposeAsync())

/** Sends an input in its pieces, ends the connection, and gives what came back. */
async function outcomeOf({ bytes, cuts }: HostileInput): Promise<Buffer> {
  const socket = connect(router.port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {})
  const closed = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection was not closed within ${PATIENCE} ms after its end.`))
    }, PATIENCE)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    if (cut > from) socket.write(bytes.subarray(from, cut))
    from = Math.max(from, Math.min(cut, bytes.length))
    await turn()
  }
  socket.end()
  await closed
  return Buffer.concat(received)
}

/** Statuses of all answers, as far as they are of HTTP/1. */
function statusesIn(answer: Buffer): readonly number[] {
  return [...answer.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
}

/** The first byte of the headers of an answer says its status, if it is one of the frequent ones. */
function isHttp2Failure(answer: Buffer): boolean {
  for (let at = 0; at + 9 < answer.length; at += 9 + answer.readUIntBE(at, 3))
    if (answer[at + 3] === 1 && answer[at + 9] === 0x8e) return true
  return false
}

const shown = ({ kind, bytes, cuts }: HostileInput) =>
  `${kind}, cut at ${cuts.join()}: ${JSON.stringify(bytes.toString('latin1'))}`

it(
  'survives hostile input on every layer',
  async () => {
    const statuses = new Map<number, number>()
    const ask = async (input: HostileInput): Promise<void> => {
      const answer = await outcomeOf(input).catch((error: unknown) => {
        throw new Error(`${String(error)} ${shown(input)}`)
      })
      const found = input.kind === 'HTTP/1' ? statusesIn(answer) : []
      for (const status of found) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const failed = found.filter((status) => status >= 500 && status !== 503 && status !== 505)
      if (failed.length > 0 || (input.kind === 'HTTP/2' && isHttp2Failure(answer)))
        throw new Error(
          `Answered with ${failed.join()}: ${answer.toString('latin1').slice(0, 2000)}\n${shown(input)}`,
        )
    }
    const batch = async (number: number): Promise<void> => {
      const numRuns = Math.min(IN_ONE_BATCH, INPUTS.runs - number * IN_ONE_BATCH)
      const inputs = fc.sample(HOSTILE_INPUTS, { seed: INPUTS.seed + number, numRuns })
      await pMap(inputs, ask, { concurrency: AT_A_TIME })
      const { status, json } = await post(router, { query: '{ version }' })
      expect([status, json.data]).toEqual([200, { version: 'products' }])
    }
    // Whatever is made once is made before memory is measured.
    await batch(0)
    const before = await heldBytes()
    for (let number = 1; number * IN_ONE_BATCH < INPUTS.runs; number++) await batch(number)
    const bad = router.logs.filter(({ level }) => level === 'error' || level === 'fatal')
    expect(bad).toEqual([])
    router.logs.length = 0
    expect((await heldBytes()) - before).toBeLessThan(MOST_GROWTH)
    // The inputs reach every layer: some are answered, and some refused by HTTP, JSON and GraphQL each.
    for (const status of [200, 400, 404, 405, 415])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0)
  },
  INPUTS.timeout(180_000),
)

it('keeps nothing of connections of HTTP/2 that are closed', async () => {
  const connections = (count: number) =>
    pMap(Array.from({ length: count }), () => closed(begunHttp2(connect(router.port, '127.0.0.1'))), {
      concurrency: AT_A_TIME,
    })
  await connections(500)
  const before = await heldBytes()
  await connections(3000)
  expect((await heldBytes()) - before).toBeLessThan(4 * 1024 * 1024)
})

/** Ends the connection once the router has said something. */
async function closed(socket: Socket): Promise<void> {
  socket.once('data', () => socket.end())
  await once(socket.resume(), 'close')
}
