/** Subscriptions at a router with several workers, each a process: its main module, and real signals. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { listeningAt, runRouterMain } from '../support/router-main.ts'
import { send, until } from '../support/router.ts'
import { Talk } from './sockets/talk.ts'
import { startEventGraph } from './support/event-graph.ts'
import { subscribe } from './support/read-events.ts'

const WORKERS = 2
const PATIENCE_MS = 90_000
const QUERY = 'subscription { changed { upc price } }'
const priced = (upc: string) => ({ data: { changed: { upc, price: Number(upc) * 10 } } })
const changed = (upc: string) => ({ changed: { upc } })

it('each worker serves subscriptions of its own, and those of another go on when it dies', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  await using stack = new AsyncDisposableStack()
  const { events, base } = stack.use(await startEventGraph())
  const { path } = stack.use(await temporaryDirectory())
  const [served, settings] = [join(path, 'served.json'), join(path, 'router.yaml')]
  await writeFile(served, JSON.stringify({ formatVersion: 1, base: base.artifact, featureFlags: {} }))
  await writeFile(
    settings,
    `workers: ${WORKERS}\nhost: 127.0.0.1\nport: 0\nsubscriptions: { enabled: true }\n`,
  )
  const main = runRouterMain({ SWITCHYARD_EXECUTION_CONFIG: served, SWITCHYARD_CONFIG: settings }, path)
  stack.defer(async () => {
    main.child.kill('SIGKILL')
    await main.exit
  })
  const graphqlUrl = await listeningAt(main, PATIENCE_MS)
  await until(
    async () => {
      const { status, json } = await send(graphqlUrl.replace('/graphql', '/health/ready'))
      return status === 200 && json.warning === undefined
    },
    'all workers serve',
    PATIENCE_MS,
  )

  // Connections go to the workers in turn.
  const talks: Talk[] = []
  for (let n = 0; n < 6; n++) {
    const talk = stack.use(await Talk.ready(graphqlUrl))
    talk.subscribe('1', QUERY)
    talks.push(talk)
  }
  const readings = Array.from({ length: 6 }, () => subscribe({ graphqlUrl }, { query: QUERY }))
  stack.defer(() => readings.forEach((reading) => reading.leave()))
  await until(() => readings.every(({ status }) => status === 200), 'the event streams')
  // What is equal is shared in a worker, and not between workers.
  await until(() => events.open.length === WORKERS, 'a subscription of each worker')

  const open = () => talks.filter(({ ws }) => ws.readyState === ws.OPEN)
  const going = () => readings.filter(({ end }) => end === null)
  const left = () => open().length + going().length
  /** Whether all that are left have the event. */
  const isHeard = (upc: string): boolean => {
    const expected = JSON.stringify(priced(upc))
    const isIn = (result: unknown) => JSON.stringify(result) === expected
    return (
      open().every(({ heard }) => heard.some(({ payload }) => isIn(payload))) &&
      going().every((reading) => reading.events.some(([, data]) => isIn(data)))
    )
  }
  // The last of them may still be about to join the others of its worker.
  await until(() => {
    events.send(changed('1'))
    return isHeard('1')
  }, 'an event for everybody')

  const lines = main.output.text.split('\n').filter((line) => line.includes('"event":"worker.up"'))
  const [first] = lines.map((line): number => JSON.parse(line)['workerPid'])
  if (first === undefined) throw new Error('no worker')
  process.kill(first, 'SIGKILL')
  await until(() => left() < talks.length + readings.length, 'the ends of one worker')
  events.send(changed('2'))
  await until(() => isHeard('2'), 'another event for those that are left')
  expect(left()).toBeGreaterThan(0)

  main.child.kill('SIGTERM')
  for (const talk of open()) expect(await talk.closed).toMatchObject({ code: 1001 })
  await until(() => going().length === 0, 'the ends of the streams')
  expect(await main.exit).toEqual([0, null])
})
