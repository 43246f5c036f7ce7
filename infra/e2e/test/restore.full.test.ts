/** docs/restore.md, followed to the letter: its commands are read from the page. */
import { readFileSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  askRedis,
  natsServerAvailable,
  redisServerAvailable,
  type SpawnedServer,
  waitFor,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  type Finished,
  GRAPH,
  type OnRealServers,
  openShop,
  publishShop,
  startEmbedded,
  startOnRealServers,
  waitForReady,
  waitForVariant,
} from '../src/index.ts'

const page = readFileSync(new URL('../../../docs/restore.md', import.meta.url), 'utf8')

/**
 * Runs the commands of a section of the page, without what is below it, and returns what each has printed.
 * Those for Compose are followed by infra/docker/test.
 */
async function follow(system: Constellation, section: string): Promise<Finished[]> {
  const text = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)```/gm)].map(([, block = '']) => block)
  const lines = blocks.flatMap((block) => block.trim().split('\n')).map((line) => line.trim())
  expect(lines.length, section).toBeGreaterThan(0)
  const finished: Finished[] = []
  for (const line of lines) {
    const [program, ...words] = line.split(' ')
    expect(program).toBe('switchyard')
    const done = await system.cli(...words)
    if (done.code !== 0) throw new Error(`${line}\n${done.stderr}\n${system.report()}`)
    finished.push(done)
  }
  return finished
}

type View = { readonly serves: string; readonly epoch: number; readonly revision: number }

async function routersOf(system: Constellation): Promise<readonly View[]> {
  const { routers } = JSON.parse((await system.cli('router', 'list', '--json')).stdout).result
  return routers
}

/** Publishes what the backup does not have; every router serves it afterwards. */
async function goOn(system: Constellation): Promise<void> {
  for (const action of ['disable', 'enable', 'disable']) {
    const { code } = await system.cli('feature-flag', action, 'next')
    expect(code).toBe(0)
  }
  for (const url of system.routerUrls) await waitForVariant(system, url, 'base')
}

async function expectRestored(system: Constellation, routers: number, before: number): Promise<void> {
  for (const url of system.routerUrls) await waitForVariant(system, url, 'next')
  await waitFor('every router to serve the newest of the log', async () => {
    const views = await routersOf(system)
    if (views.length !== routers) throw new Error(JSON.stringify(views))
    if (!views.every(({ serves, epoch }) => serves === 'newest' && epoch > before)) {
      throw new Error(JSON.stringify(views))
    }
    return true
  })
  // And it goes on: what is published is served, and the tools say so.
  const disabled = await system.cli('feature-flag', 'disable', 'next', '--json')
  expect(disabled.code, disabled.stderr).toBe(0)
  for (const url of system.routerUrls) await waitForVariant(system, url, 'base')
  await waitFor('every router to be counted', async () => {
    const { stdout } = await system.cli('graph', 'get', GRAPH, '--json')
    expect(JSON.parse(stdout).routers).toMatchObject({ serving: routers, total: routers })
    return true
  })
}

const PLATFORM = ['registry-0', 'composer-0', 'composer-1', 'config-distribution']

/** Steps 1 to 3 of the page. */
async function emptyStorage(system: OnRealServers): Promise<void> {
  for (const name of PLATFORM) await system.programs.get(name)?.kill9()
  await system.nats.stop()
  await rm(system.nats.dataDirectory, { recursive: true, force: true })
  await mkdir(system.nats.dataDirectory)
  await system.nats.restart()
  for (const name of PLATFORM) await system.programs.get(name)?.start()
  await waitForReady(system, system.registryUrls[0] ?? '')
}

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('a restore on NATS and Redis', () => {
  it('is taken by routers that served what came after the backup, running or started again', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    await follow(system, 'Backup')
    await goOn(system)
    const before = (await routersOf(system))[0]?.epoch ?? 0
    await emptyStorage(system)
    // One goes on running, one starts with the copy that it kept.
    await system.programs.get('router-1')?.kill9()
    await follow(system, 'Restore')
    await system.programs.get('router-1')?.start()
    await expectRestored(system, 2, before)
  })
})

/** A copy of the files of a server, as a snapshot of its disk is. Returns what puts it back. */
async function snapshot(system: Constellation, server: SpawnedServer): Promise<() => Promise<void>> {
  const copy = join(system.folder, `snapshot-${server.port}`)
  await server.stop()
  await cp(server.dataDirectory, copy, { recursive: true })
  await server.restart()
  return async () => {
    await server.stop()
    await rm(server.dataDirectory, { recursive: true, force: true })
    await cp(copy, server.dataDirectory, { recursive: true })
    await server.restart()
  }
}

async function expectNewest(system: OnRealServers, variant: string): Promise<void> {
  for (const url of system.routerUrls) await waitForVariant(system, url, variant)
  await waitFor('the tools to say so', async () => {
    const views = await routersOf(system)
    if (views.length === 2 && views.every(({ serves }) => serves === 'newest')) return true
    throw new Error(JSON.stringify(views))
  })
}

/** Its copy of the last configuration is gone as well: it has nothing but the config store. */
async function startAnew(system: OnRealServers, index: number): Promise<void> {
  const router = system.programs.get(`router-${index}`)
  await router?.kill9()
  await rm(join(system.folder, `last-known-good-${index}`), { recursive: true, force: true })
  await router?.start()
}

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('what routers serve after', () => {
  it('Redis was given an old dump, or was flushed, is what the log has, also for a router that starts with nothing', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    const putBack = await snapshot(system, system.redis)
    await goOn(system)
    await putBack()
    await startAnew(system, 1)
    await expectNewest(system, 'base')
    const enabled = await system.cli('feature-flag', 'enable', 'next')
    expect(enabled.code, enabled.stderr).toBe(0)
    await expectNewest(system, 'next')

    await askRedis(system.redis, {}, 'FLUSHALL')
    await startAnew(system, 0)
    await expectNewest(system, 'next')
    const disabled = await system.cli('feature-flag', 'disable', 'next')
    expect(disabled.code, disabled.stderr).toBe(0)
    await expectNewest(system, 'base')
  })

  it('NATS was given a snapshot of its files is what the snapshot has, once the services that ran were restarted', async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    const putBack = await snapshot(system, system.nats)
    await waitFor(
      'commands to be taken',
      async () => (await system.cli('feature-flag', 'disable', 'next')).code === 0,
    )
    await goOn(system)
    const before = (await routersOf(system))[0]?.epoch ?? 0
    await putBack()
    for (const name of PLATFORM) {
      const lost = () => system.programs.get(name)?.events.find(({ event }) => event === 'log.lost')
      await waitFor(`${name} to say what is lost`, () => lost() !== undefined)
      expect(lost(), name).toMatchObject({ end: expect.any(Number) as number })
    }
    for (const name of PLATFORM) {
      await system.programs.get(name)?.stop()
      await system.programs.get(name)?.start()
    }
    await waitForReady(system, system.registryUrls[0] ?? '')
    await expectRestored(system, 2, before)
  })
})

describe('a restore of `switchyard up`', () => {
  it('brings back the backup into an emptied data directory', async () => {
    await using shop = await openShop()
    await using system = await startEmbedded()
    await publishShop(system, shop)
    await follow(system, 'Backup')
    await goOn(system)
    const before = (await routersOf(system))[0]?.epoch ?? 0
    const up = system.programs.get('up')
    await up?.stop()
    const data = join(system.folder, 'data')
    await rm(data, { recursive: true })
    await up?.start()
    await waitForReady(system, system.registryUrls[0] ?? '')
    await follow(system, 'Restore')
    await expectRestored(system, 1, before)
    await follow(system, 'When the log was set back in another way')
    await waitFor('the revision that was asked for', async () => {
      const { stdout } = await system.cli('config', 'history', GRAPH)
      return stdout.includes('republished')
    })
  })
})
