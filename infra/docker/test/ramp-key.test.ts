/** The API key with which config-distribution moves ramps in Compose, made by a real registry. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiKeyList } from '@switchyard/contracts'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import { startRegistry } from '@switchyard/registry'
import { createLogger } from '@switchyard/service-kit'
import { temporaryDirectory, waitFor } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runProgram } from '../src/run-program.ts'

const MAKE_RAMP_KEY = fileURLToPath(new URL('../src/make-ramp-key.ts', import.meta.url))
const ADMIN = 'admin-key-of-this-test'

async function startWorld() {
  const parts = new AsyncDisposableStack()
  onTestFinished(() => parts.disposeAsync())
  const folder = parts.use(await temporaryDirectory())
  const { log, blobs, pieces } = parts.use(await openSqliteEventLog({ dataDir: join(folder.path, 'data') }))
  const registry = parts.use(
    await startRegistry({
      log,
      blobs,
      pieces,
      announcer: parts.use(createMemoryAnnouncer()),
      logger: createLogger({ name: 'registry', level: 'silent' }),
      host: '127.0.0.1',
      port: 0,
      bootstrapApiKey: ADMIN,
    }),
  )
  await waitFor('the registry to have read its log', () => registry.ready().ok)
  const file = join(folder.path, 'api-key')
  const { url } = registry
  const env = { SWITCHYARD_REGISTRY_URL: url, SWITCHYARD_API_KEY: ADMIN }
  const ask = (path: string, key: string, body?: object) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    file,
    ask,
    make: (more: Readonly<Record<string, string>> = {}) =>
      runProgram(process.execPath, [MAKE_RAMP_KEY, file], { env: { ...env, ...more } }),
    key: async () => (await readFile(file, 'utf8')).trim(),
    keys: async () => ApiKeyList.parse(await (await ask('/v1/api-keys', ADMIN)).json()).apiKeys,
  }
}

describe('the key for ramps', () => {
  it('may release in the namespace of the graph, and nothing else', async () => {
    const world = await startWorld()
    const made = await world.make({ SWITCHYARD_GRAPH: 'default/brand' })
    expect(made).toEqual({
      code: 0,
      stderr: '',
      stdout: 'The key for ramps was made: "ramps-of-compose", with the scope rollout:default.\n',
    })
    expect((await stat(world.file)).mode & 0o777).toBe(0o600)
    const key = await world.key()
    expect((await world.ask('/v1/rollouts/default', key)).status).toBe(200)
    const abort = await world.ask('/v1/rollouts/default/unknown/abort', key, {})
    expect(abort.status).toBe(404)
    const graph = { name: 'shop', labelMatchers: [] }
    expect((await world.ask('/v1/graphs/default', key, graph)).status).toBe(403)
    expect((await world.ask('/v1/api-keys', key)).status).toBe(403)
  })

  it('is kept while the registry knows it', async () => {
    const world = await startWorld()
    await world.make()
    const [key, keys] = [await world.key(), await world.keys()]
    const again = await world.make()
    expect(again.stdout).toBe('The key for ramps is there already; nothing was changed.\n')
    expect([await world.key(), await world.keys()]).toEqual([key, keys])
  })

  it.each([
    ['is unknown to the registry', 'swy_0000000000000000_00\n'],
    ['is no key', 'broken'],
  ])('is replaced if the one that is there %s', async (_, text) => {
    const world = await startWorld()
    await world.make()
    const former = await world.key()
    await writeFile(world.file, text)
    expect(await world.make()).toMatchObject({ code: 0, stderr: '' })
    expect((await world.keys()).map(({ name, scopes }) => [name, scopes])).toEqual([
      ['ramps-of-compose', ['rollout:default']],
    ])
    expect((await world.ask('/v1/rollouts/default', await world.key())).status).toBe(200)
    expect((await world.ask('/v1/rollouts/default', former)).status).toBe(401)
  })

  it('is replaced if the graph moved to another namespace', async () => {
    const world = await startWorld()
    await world.make()
    await world.make({ SWITCHYARD_GRAPH: 'staging/shop' })
    expect((await world.keys()).map(({ scopes }) => scopes)).toEqual([['rollout:staging']])
  })

  it('is not made without an admin key', async () => {
    const world = await startWorld()
    const refused = await world.make({ SWITCHYARD_API_KEY: 'of-a-stranger' })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('GET /v1/api-keys?consistency=strong was answered with 401')
    expect(refused.stderr).not.toContain('of-a-stranger')
  })
})
