/**
 * What needs a registry of its own: nothing composes behind it, it counts its own failures, and it may have
 * no key.
 */
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import { NoApiKeyError, type Registry, type RegistryOptions, startRegistry } from '@switchyard/registry'
import { createLogger } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { URL_OF } from '../world.ts'

const API_KEY = `swy_own_${'0'.repeat(64)}`

export const ownRegistry: readonly Case[] = [
  {
    rules: ['wait.pending', 'wait.require-composed'],
    it: 'a wait that runs out is exit 0 and pending, with --require-composed exit 4, and the write is kept',
    async run() {
      await using alone = await startAlone({ bootstrapApiKey: API_KEY })
      const cli = (...args: string[]) =>
        runCommand(
          args,
          { SWITCHYARD_REGISTRY_URL: alone.registry.url, SWITCHYARD_API_KEY: API_KEY },
          alone.folder,
        )
      const patient = await cli('graph', 'create', 'g', '--wait', '1', '--json')
      expect(patient.code, patient.stderr).toBe(0)
      expect(JSON.parse(patient.stdout)).toMatchObject({ ok: true, result: { changed: true, pending: true } })
      const strict = await cli('graph', 'create', 'h', '--wait', '1', '--require-composed', '--json')
      expect(strict.code, strict.stderr).toBe(4)
      expect(JSON.parse(strict.stdout)).toMatchObject({ ok: false, result: { changed: true, pending: true } })
      // What composes nothing has nothing to wait for.
      const idle = ['subgraph', 'create', 's', '--routing-url', URL_OF, '--label', 'a=1']
      expect((await cli(...idle, '--wait', '1', '--require-composed')).code).toBe(0)
      const listed = JSON.parse((await cli('graph', 'list', '--json')).stdout) as {
        result: { graphs: { name: string }[] }
      }
      expect(listed.result.graphs.map(({ name }) => name)).toEqual(['g', 'h'])
    },
  },
  {
    rules: ['auth.rate'],
    it: 'whoever offers too many wrong keys is refused unseen, other addresses and valid keys are not',
    async run() {
      await using alone = await startAlone({ bootstrapApiKey: API_KEY, trustedProxies: ['127.0.0.1'] })
      const ask = (address: string, key: string): Promise<Response> =>
        fetch(`${alone.registry.url}/v1/namespaces`, {
          headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
        })
      const wrong = `swy_e2e_${'1'.repeat(64)}`
      const guesses: Response[] = []
      // More than anybody may: the limit refills while this runs, but slower than a machine asks.
      while (guesses.at(-1)?.status !== 429 && guesses.length < 200)
        guesses.push(await ask('192.0.2.1', wrong))
      expect(guesses.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401))
      const refused = guesses.at(-1)
      expect(refused?.status).toBe(429)
      expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(await refused?.json()).toMatchObject({ code: 'TOO_MANY_FAILED_AUTHENTICATIONS' })
      expect((await ask('192.0.2.2', wrong)).status).toBe(401)
      expect((await ask('192.0.2.1', API_KEY)).status).toBe(200)
    },
  },
  {
    rules: ['auth.rate'],
    it: 'the address that a stranger writes into X-Forwarded-For does not lift the limit',
    async run() {
      await using alone = await startAlone({ bootstrapApiKey: API_KEY })
      const ask = async (at: number): Promise<number> => {
        const headers = { authorization: 'Bearer nonsense', 'x-forwarded-for': `192.0.2.${at}` }
        return (await fetch(`${alone.registry.url}/v1/namespaces`, { headers })).status
      }
      const statuses: number[] = []
      while (statuses.at(-1) !== 429 && statuses.length < 200) statuses.push(await ask(statuses.length))
      expect(statuses.at(-1)).toBe(429)
    },
  },
  {
    rules: ['auth.needs-a-key'],
    it: 'a registry that nobody could use does not start: no key in its log, none given',
    async run() {
      await expect(startAlone({})).rejects.toThrow(NoApiKeyError)
      await expect(startAlone({})).rejects.toThrow('Set SWITCHYARD_BOOTSTRAP_API_KEY')
    },
  },
]

type Alone = AsyncDisposable & { readonly registry: Registry; readonly folder: string }

/** With no composer, config-distribution or router on its log. */
async function startAlone(
  options: Pick<RegistryOptions, 'bootstrapApiKey' | 'trustedProxies'>,
): Promise<Alone> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { log, blobs, pieces } = parts.use(await openSqliteEventLog({ dataDir: join(folder, 'data') }))
  const announcer = parts.use(createMemoryAnnouncer())
  const logger = createLogger({ name: 'registry', level: 'silent' })
  const registry = parts.use(
    await startRegistry({ log, blobs, pieces, announcer, logger, host: '127.0.0.1', port: 0, ...options }),
  )
  await waitFor('the registry to have read its log', async () => registry.ready().ok)
  const all = parts.move()
  return { registry, folder, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
