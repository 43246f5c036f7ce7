/** `kill -9` of every kind of service while previews are created, composed, served, deleted, and expire. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@switchyard/samples'
import { FIXED_SEED, natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import {
  type Constellation,
  openShop,
  publishShop,
  query,
  type Shop,
  startOnRealServers,
  variantOf,
  waitForReady,
} from '../src/index.ts'

/** Who is killed in each round, in the middle of creating a preview and in the middle of deleting it. */
const VICTIMS = [['registry-0'], ['composer-0', 'composer-1'], ['config-distribution'], ['registry-1']]
/** The shortest life of a preview. */
const TTL_SECONDS = 60
/** Routers by what they may serve, in the order of their addresses. */
const [WITH_PREVIEWS, WITHOUT] = [0, 1]
const PATIENTLY = { withinMs: 120_000, everyMs: 100 }

type Event = { readonly type: string; readonly name?: string; readonly flag?: string }

it.skipIf(!natsServerAvailable() || !redisServerAvailable())(
  'previews are created once and end once, whoever is killed, and are served where they may be alone',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-previews-'))
    try {
      const settings = join(folder, 'previews.yaml')
      await writeFile(settings, 'previews: { serve: true }\n')
      await using shop = await openShop()
      await using system = await startOnRealServers({
        registries: 2,
        optionsOf: (name) => (name === 'router-0' ? { environment: { SWITCHYARD_CONFIG: settings } } : {}),
      })
      await publishShop(system, shop)
      const allowed = await system.manage('PATCH', '/v1/namespaces/default', { previewHosts: ['localhost'] })
      expect(allowed.status).toBe(200)
      const seed = Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED)
      console.log(`seed ${seed} (SWITCHYARD_TEST_SEED)`)
      const random = new Random(seed)
      await using watch = watchRouters(system)

      // The first one lives through all kills, until it ends by itself.
      const short = await create(system, shop, 'short')
      watch.flags.push(short)
      await waitForAnswer(system, short, 'next')
      for (const [round, victims] of VICTIMS.entries()) {
        const name = `pr-${round}`
        const flag = await killedDuring(system, random, victims, () => create(system, shop, name))
        watch.flags.push(flag)
        await waitForAnswer(system, flag, 'next')
        await killedDuring(system, random, victims, () =>
          persistently(system, 'DELETE', `/v1/previews/default/${name}`, `delete-${name}`),
        )
        await waitForAnswer(system, flag, 'base')
      }
      // Both registries end it, and one of them is killed again and again while they do.
      const isExpired = async () =>
        (await events(system)).some(({ type, name }) => type === 'preview.expired' && name === 'short')
      while (!(await isExpired())) {
        await killedDuring(system, random, ['registry-1'], () => sleep(random.next() * 1000))
        await sleep(random.next() * 2000)
      }
      await waitForAnswer(system, short, 'base')
      expect(await watch.stop(), system.report()).toEqual([])

      const written = await events(system)
      for (const name of ['short', ...VICTIMS.map((_, round) => `pr-${round}`)]) {
        const types = written.filter((event) => event.name === name).map(({ type }) => type)
        const end = name === 'short' ? 'preview.expired' : 'preview.deleted'
        expect(types, name).toEqual(['preview.created', end])
      }
      expect((await system.manage('GET', '/v1/previews/default')).body['previews']).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  400_000,
)

/** Returns the name that requests give. */
async function create(system: Constellation, shop: Shop, name: string): Promise<string> {
  const at = (url: string) => url.replace('127.0.0.1', 'localhost')
  const subgraphs = [
    { subgraph: 'catalogue', routingUrl: at(shop.catalogueNext.url), sdl: shop.catalogueNext.sdl },
    { subgraph: 'stock', routingUrl: at(shop.stockNext.url), sdl: shop.stockNext.sdl },
  ]
  const body = { name, subgraphs, ttlSeconds: TTL_SECONDS }
  await persistently(system, 'POST', '/v1/previews/default', `create-${name}`, body)
  let flag = ''
  await waitFor(
    `preview ${name} to be shown`,
    async () => {
      // The registry that is asked may be killed in this moment.
      const reply = await system.manage('GET', `/v1/previews/default/${name}`).catch(() => null)
      if (reply?.status !== 200) return false
      flag = String(reply.body['flag'])
      return true
    },
    PATIENTLY,
  )
  return flag
}

/** Sends a command until it is answered, always with the same key, as a pipeline does. */
async function persistently(
  system: Constellation,
  method: string,
  path: string,
  key: string,
  body: object = {},
): Promise<void> {
  await waitFor(
    `an answer to ${method} ${path}`,
    async () => {
      const headers = { 'idempotency-key': key }
      const reply = await system.manage(method, `${path}?wait=0`, body, { headers }).catch(() => null)
      if (reply === null || reply.status === 503) return false
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
      return true
    },
    PATIENTLY,
  )
}

/** Kills programs a moment after something began, starts them again, and waits until both are done. */
async function killedDuring<Value>(
  system: Constellation,
  random: Random,
  victims: readonly string[],
  work: () => Promise<Value>,
): Promise<Value> {
  const working = work()
  // Until it is awaited below, a failure is nobody's.
  working.catch(() => {})
  await sleep(random.next() * 150)
  const programs = victims.flatMap((name) => system.programs.get(name) ?? [])
  for (const program of programs) await program.kill9()
  for (const program of programs) await program.start()
  const value = await working
  await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))
  return value
}

async function waitForAnswer(system: Constellation, flag: string, variant: string): Promise<void> {
  await waitFor(
    `${flag} to be answered by ${variant}\n${system.report()}`,
    async () => (await answerOf(system, WITH_PREVIEWS, flag)) === variant,
    PATIENTLY,
  )
}

async function answerOf(system: Constellation, router: number, flag: string): Promise<string> {
  return variantOf(await query(system.routerUrls[router] ?? '', { 'X-Feature-Flag': flag }))
}

/** Asks both routers for all previews, as long as it lasts. Returns what no answer may be. */
function watchRouters(system: Constellation) {
  const ended = new AbortController()
  const flags: string[] = []
  const wrong: string[] = []
  const ask = async (router: number, allowed: readonly string[]) => {
    while (!ended.signal.aborted) {
      for (const flag of flags) {
        const variant = await answerOf(system, router, flag)
        if (!allowed.includes(variant)) wrong.push(`router ${router}, ${flag}: ${variant}`)
      }
      await sleep(50)
    }
  }
  const asking = Promise.all([ask(WITH_PREVIEWS, ['base', 'next']), ask(WITHOUT, ['base'])])
  const stop = async () => {
    ended.abort()
    await asking
    return wrong
  }
  return { flags, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

async function events(system: Constellation): Promise<readonly Event[]> {
  const { body } = await system.manage('GET', '/v1/log?namespace=default&limit=1000')
  return (body['records'] as { events: Event[] }[]).flatMap((record) => record.events)
}
