/** NATS loses its data, or gets older ones, under services that run. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Changes, createLogger } from '@switchyard/service-kit'
import { natsServerAvailable, type SpawnedServer, startNatsServer, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type EventLog,
  LogFollower,
  type LogLoss,
  openNatsEventLog,
  StreamMissingError,
  tellLogLost,
} from '../src/index.ts'

const SUBJECT = 'registry.events.default'
const WHOLE = { kind: 'log', log: 'registry' } as const
const open = (server: SpawnedServer) =>
  openNatsEventLog({ url: server.url, name: 'test', owns: ['registry'], reads: [] })

async function fill(log: EventLog, count: number): Promise<void> {
  let last = (await log.last(WHOLE))?.sequence ?? 0
  for (let added = 0; added < count; added++) last = await log.append(SUBJECT, {}, last)
}

function startFollower(log: EventLog) {
  const told: LogLoss[] = []
  const stopped: unknown[] = []
  const follower = LogFollower.following({
    reader: 'test',
    log,
    filter: WHOLE,
    apply: () => {},
    changes: new Changes(),
    signal: new AbortController().signal,
    events: {
      logInterrupted: () => {},
      readerStopped: (_, error) => stopped.push(error),
      logLost: (loss) => told.push(loss),
    },
  })
  return { follower, told, stopped, [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose]() }
}

/** Stops the server, has its files changed, and starts it again. */
async function changeData(server: SpawnedServer, change: (folder: string) => void): Promise<void> {
  await server.stop()
  change(server.dataDirectory)
  await server.restart()
}

const emptied = (folder: string) => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
}

describe.skipIf(!natsServerAvailable())('a log that is lost while a service runs', () => {
  it('is told without a restart when the stream is gone, and nothing is made anew', async () => {
    await using server = await startNatsServer()
    await using log = await open(server)
    await fill(log, 3)
    await using following = startFollower(log)
    await waitFor('all to be read', () => following.follower.position === 3)
    await changeData(server, emptied)
    await waitFor('it to be told', () => following.told.length > 0)
    expect(following.told[0]).toEqual({ log: 'registry', readUpTo: 3, end: null })
    await expect(log.last(WHOLE)).rejects.toBeInstanceOf(StreamMissingError)
    await expect(log.append(SUBJECT, {}, 3)).rejects.toThrow('The event log is not available')
    await expect(log.last(WHOLE)).rejects.toBeInstanceOf(StreamMissingError)
  })

  it('is told when somebody made the stream anew, and is not read any further', async () => {
    await using server = await startNatsServer()
    await using log = await open(server)
    await fill(log, 3)
    await using following = startFollower(log)
    await waitFor('all to be read', () => following.follower.position === 3)
    await changeData(server, emptied)
    await using other = await open(server)
    await fill(other, 2)
    await waitFor('reading to end', () => following.stopped.length > 0)
    expect(following.told.at(-1)).toEqual({ log: 'registry', readUpTo: 3, end: expect.any(Number) as number })
    expect(following.follower.stopReason).toContain('The log registry has lost records')
    expect(following.follower.position).toBe(3)
  })

  it('is told when the files of NATS were replaced by older ones', async () => {
    await using server = await startNatsServer()
    await using log = await open(server)
    await fill(log, 2)
    const copy = join(server.dataDirectory, '..', `copy-of-${process.pid}-${server.port}`)
    await changeData(server, (folder) => cpSync(folder, copy, { recursive: true }))
    await waitFor('it to be there again', () => fill(log, 1).then(() => true))
    await using following = startFollower(log)
    await waitFor('all to be read', () => following.follower.position === 3)
    await changeData(server, (folder) => {
      emptied(folder)
      cpSync(copy, folder, { recursive: true })
      rmSync(copy, { recursive: true })
    })
    await waitFor('reading to end', () => following.stopped.length > 0)
    expect(following.told).toEqual([{ log: 'registry', readUpTo: 3, end: 2 }])
  })

  it('goes on being read when the files come back whole', async () => {
    await using server = await startNatsServer()
    await using log = await open(server)
    await fill(log, 3)
    await using following = startFollower(log)
    await waitFor('all to be read', () => following.follower.position === 3)
    const copy = join(server.dataDirectory, '..', `copy-of-${process.pid}-${server.port}`)
    await changeData(server, (folder) => {
      cpSync(folder, copy, { recursive: true })
      emptied(folder)
    })
    await waitFor('it to be told', () => following.told.length > 0)
    await changeData(server, (folder) => {
      emptied(folder)
      cpSync(copy, folder, { recursive: true })
      rmSync(copy, { recursive: true })
    })
    await waitFor('it to be there again', () => fill(log, 1).then(() => true))
    await waitFor('the next record', () => following.follower.position === 4)
    expect(following.stopped).toEqual([])
  })
})

it('says where the log was read up to, that nothing is made anew, and where the way back is', () => {
  const lines: string[] = []
  const to = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ name: 'test', level: 'error', to })
  tellLogLost(logger, { log: 'registry', readUpTo: 18, end: null })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'log.lost',
    log: 'registry',
    readUpTo: 18,
    end: null,
    msg: expect.stringMatching(/up to sequence 18, and NATS has no such stream.*docs\/restore\.md/) as string,
  })
})
