/** Who may do what on NATS and Redis, with the very files that `make-keys.ts` writes, on real servers. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openConfigStore } from '@switchyard/config-store'
import { connectNats, openNatsStorage } from '@switchyard/event-log'
import {
  askRedis,
  freePort,
  natsServerAvailable,
  natsVersions,
  redisServerAvailable,
  startServer,
  temporaryDirectory,
  waitFor,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { natsAccounts, natsConfig, type NatsUser } from '../src/nats-config.ts'
import { type RedisUser, redisUsers } from '../src/redis-users.ts'

const PASSWORDS = {
  registry: 'a',
  composer: 'b',
  'config-distribution': 'c',
  router: 'd',
  backup: 'e',
} as const
const EVENTS_PASSWORD = 'f'

/** What each must not do; the rest of the table is what the whole constellation works with. */
const FORBIDDEN: Readonly<Record<NatsUser, readonly string[]>> = {
  registry: [
    '$JS.API.STREAM.DELETE.compositions',
    '$JS.API.STREAM.DELETE.configs',
    'config.default.shop',
    '$JS.API.STREAM.DELETE.registry',
  ],
  composer: [
    'registry.events.default',
    'registry.status.x',
    'configs.default.shop',
    'config.default.shop',
    '$JS.API.STREAM.DELETE.compositions',
  ],
  'config-distribution': [
    '$O.switchyard-pieces.M.x',
    'registry.events.default',
    'compositions.default.shop',
    '$JS.API.STREAM.DELETE.configs',
  ],
  router: [
    'config.default.shop',
    'configs.default.shop',
    'router.status.default.other.x',
    'router.figures.default.other.x',
    'router.differences.default.other.x',
    'router.usage.default.other.x',
    'composer.status.x',
    'registry.status.x',
    '$KV.switchyard-usage.hour.default.shop.1',
    '$JS.API.INFO',
    '_INBOX.x',
  ],
  backup: [
    'registry.events.default',
    'compositions.default.shop',
    'configs.default.shop',
    'config.default.shop',
    '$O.switchyard-blobs.M.x',
    '$JS.API.STREAM.PURGE.OBJ_switchyard-blobs',
    '$O.switchyard-pieces.M.x',
    '$JS.API.STREAM.CREATE.OBJ_switchyard-pieces',
    '$JS.API.STREAM.CREATE.registry',
    '$JS.API.STREAM.DELETE.registry',
  ],
}

describe.skipIf(!natsServerAvailable())('the users of NATS', () => {
  it.each(Object.keys(FORBIDDEN) as NatsUser[])('%s may write nothing of the others', async (user) => {
    await using use = new AsyncDisposableStack()
    const server = use.use(await startNats())
    const url = server.url.replace('nats://', `nats://${user}:${PASSWORDS[user]}@`)
    const { connection } = use.use(await connectNats({ url, name: user }))
    const refused: string[] = []
    void (async () => {
      for await (const status of connection.status()) refused.push(JSON.stringify(status))
    })()
    const subjects = FORBIDDEN[user]
    for (const subject of subjects) connection.publish(subject, '{}')
    await connection.flush()
    await waitFor('every one to be refused', async () => {
      const seen = refused.join('\n').toLowerCase()
      return (
        subjects.every(
          (subject) => seen.includes(`"${subject.toLowerCase()}`) || seen.includes(subject.toLowerCase()),
        ) || undefined
      )
    })
  })
})

describe.skipIf(!natsServerAvailable())('a user without rights on the pieces of compositions', () => {
  it('has none, hears so once, and works with all else', async () => {
    await using use = new AsyncDisposableStack()
    const withoutPieces = (config: string) => config.replaceAll(/,"[^"]*switchyard-pieces[^"]*"/g, '')
    const server = use.use(await startNats(withoutPieces))
    const url = server.url.replace('nats://', `nats://composer:${PASSWORDS.composer}@`)
    // The registry creates what the composer needs.
    const owner = server.url.replace('nats://', `nats://registry:${PASSWORDS.registry}@`)
    const registry = { url: owner, name: 'registry', owns: ['registry'], reads: ['registry'] } as const
    use.use(await openNatsStorage({ ...registry, ownsBlobs: true, ownsPieces: true }))
    const composer = { url, name: 'composer', owns: ['compositions'], reads: ['registry'] } as const
    const { blobs, pieces } = use.use(
      await openNatsStorage({ ...composer, ownsBlobs: false, ownsPieces: true }),
    )
    const bytes = new TextEncoder().encode('text')
    await expect(pieces.put(bytes)).rejects.toMatchObject({ code: 'BLOB_STORE_UNAVAILABLE' })
    await expect(pieces.put(bytes)).rejects.toMatchObject({ code: 'BLOB_STORE_UNAVAILABLE' })
    expect(await blobs.has(await blobs.put(bytes))).toBe(true)
  })
})

describe.skipIf(!natsServerAvailable())('the account of events', () => {
  it('hears and writes nothing of the services, and they nothing of it', async () => {
    await using use = new AsyncDisposableStack()
    const server = use.use(await startNats())
    const as = async (user: string, password: string) => {
      const url = server.url.replace('nats://', `nats://${user}:${password}@`)
      return use.use(await connectNats({ url, name: user })).connection
    }
    const url = server.url.replace('nats://', `nats://registry:${PASSWORDS.registry}@`)
    const registry = { url, name: 'registry', owns: ['registry'], reads: ['registry'] } as const
    use.use(await openNatsStorage({ ...registry, ownsBlobs: true, ownsPieces: true }))
    const events = await as('events', EVENTS_PASSWORD)
    const service = await as('registry', PASSWORDS.registry)
    const router = await as('router', PASSWORDS.router)
    const heard: Record<string, string[]> = { events: [], service: [] }
    const all = events.subscribe('>', { callback: (_, { subject }) => void heard['events']?.push(subject) })
    service.subscribe('router.status.>', {
      callback: (_, message) => void heard['service']?.push(message.string()),
    })
    await Promise.all([events.flush(), service.flush()])
    events.publish('router.status.default.shop.x', 'forged')
    events.publish('registry.events.default', 'forged')
    router.publish('router.status.default.shop.x', 'true')
    await Promise.all([events.flush(), router.flush()])
    await waitFor('what the router says', async () => heard['service']?.includes('true') || undefined)
    expect(heard['service']).toEqual(['true'])
    // Its own messages, and its own requests below.
    const own = await events.request('$JS.API.STREAM.NAMES', '')
    expect(own.json()).toMatchObject({ total: 0 })
    for (const request of ['$JS.API.STREAM.INFO.registry', '$JS.API.STREAM.DELETE.registry'])
      expect((await events.request(request, '')).json()).toMatchObject({ error: { code: 404 } })
    all.unsubscribe()
    await expect(events.request('registry.events.default', 'forged', { timeout: 5_000 })).rejects.toThrow(
      'no responders',
    )
    expect(heard['events']?.filter((subject) => subject.startsWith('router.status.'))).toHaveLength(1)
    const info = (await service.request('$JS.API.STREAM.INFO.registry', '')).json()
    expect(info).toMatchObject({ state: { messages: 0 } })
  })

  it('has streams of its own, which leave room for the logs', async () => {
    await using use = new AsyncDisposableStack()
    const server = use.use(await startNats())
    const url = server.url.replace('nats://', `nats://events:${EVENTS_PASSWORD}@`)
    const { connection } = use.use(await connectNats({ url, name: 'events' }))
    const create = async (name: string, more: object) =>
      (
        await connection.request(
          `$JS.API.STREAM.CREATE.${name}`,
          JSON.stringify({ name, subjects: [`${name}.>`], storage: 'file', retention: 'limits', ...more }),
        )
      ).json()
    expect(await create('orders', {})).toMatchObject({ config: { name: 'orders' } })
    expect(await create('large', { max_bytes: 2 ** 31 })).toMatchObject({
      error: { description: 'insufficient storage resources available' },
    })
  })
})

const SERVERS = [{ version: 'of this machine', path: undefined }, ...natsVersions()]

describe.skipIf(!natsServerAvailable())('services that had no account of their own', () => {
  it.each(SERVERS)('keep their logs by a folder that is renamed: NATS $version', async ({ path }) => {
    await using use = new AsyncDisposableStack()
    let folder = ''
    let users = `authorization { users: [{ user: registry, password: ${PASSWORDS.registry} }] }`
    const server = use.use(
      await startServer({
        binary: 'nats-server',
        ...(path === undefined ? {} : { path }),
        scheme: 'nats',
        arguments: (port, dataDirectory) => {
          folder = dataDirectory
          const config = join(folder, 'nats.conf')
          writeFileSync(config, `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}" }\n${users}`)
          return ['-c', config]
        },
      }),
    )
    const url = server.url.replace('nats://', `nats://registry:${PASSWORDS.registry}@`)
    const owner = { url, name: 'registry', owns: ['registry'], reads: ['registry'] } as const
    const opened = await openNatsStorage({ ...owner, ownsBlobs: true, ownsPieces: true })
    const reference = await opened.blobs.put(new TextEncoder().encode('kept'))
    await opened[Symbol.asyncDispose]()
    await server.stop()
    const [command = ''] = renaming()
    execFileSync('sh', ['-c', command.replaceAll('/data', folder)])
    users = natsAccounts({ passwords: PASSWORDS, graph: 'default.shop' })
    await server.restart()
    const { blobs } = use.use(await openNatsStorage({ ...owner, ownsBlobs: true, ownsPieces: true }))
    expect(await blobs.has(reference)).toBe(true)
  })
})

/** The commands of the page for that. */
function renaming(): readonly string[] {
  const page = readFileSync(new URL('../../../docs/nats-and-redis.md', import.meta.url), 'utf8')
  return [...page.matchAll(/^mv .*$/gm)].map(([command]) => command)
}

describe('docs/nats-and-redis.md', () => {
  it('names every right that the configurations of NATS and Redis give', () => {
    const page = readFileSync(new URL('../../../docs/nats-and-redis.md', import.meta.url), 'utf8')
    const config = natsConfig({ passwords: PASSWORDS, graph: 'default.shop', syncInterval: '' })
    const given = [...config.matchAll(/"(\$JS[^"]+)"/g)].map(([, subject = '']) =>
      subject.replace(
        /\.(?:registry|compositions|configs|usage|(?:OBJ|KV)_switchyard-(?:blobs|pieces|usage))(?=\.|$)/,
        '.<stream>',
      ),
    )
    expect(given.length).toBeGreaterThan(50)
    const rules = redisUsers({ 'config-distribution': 'a', router: 'b' }).replaceAll(/#[0-9a-f]{64}/g, '#…')
    expect(page).toContain(rules)
    expect(given.filter((subject) => !page.includes(`\`${subject}\``))).toEqual([])
  })
})

describe.skipIf(!natsServerAvailable())('replies on NATS', () => {
  it('are heard by the service that asked, and by no other', async () => {
    await using use = new AsyncDisposableStack()
    const server = use.use(await startNats())
    const users = Object.keys(FORBIDDEN) as NatsUser[]
    for (const user of users) {
      const url = server.url.replace('nats://', `nats://${user}:${PASSWORDS[user]}@`)
      const { connection } = use.use(await connectNats({ url, name: user }))
      const refused = new Set<string>()
      const others = users.filter((other) => other !== user).map((other) => `_INBOX.${other}.>`)
      for (const subject of ['_INBOX.>', '>', ...others]) {
        connection.subscribe(subject, {
          callback: (error) => {
            if (error !== null) refused.add(subject)
          },
        })
      }
      await waitFor(`${user} to be refused`, () => refused.size === users.length + 1)
      if (user !== 'router') {
        expect((await connection.request('$JS.API.INFO', '', { timeout: 5_000 })).string()).toContain(
          '"streams"',
        )
      }
    }
  })
})

describe('the users of Redis', () => {
  it('stand in the file with hashes of their passwords', () => {
    const text = redisUsers({ 'config-distribution': 'first password', router: 'second password' })
    expect(text).not.toContain('password')
    expect(text.match(/#[0-9a-f]{64}/g)).toHaveLength(2)
    expect(text).toMatch(/^user default on nopass resetkeys resetchannels -@all \+ping$/m)
  })
})

describe.skipIf(!redisServerAvailable())('on Redis', () => {
  it.each(['redis', 'redis-cluster'])('each service does its work and no more: %s', async (scheme) => {
    await using use = new AsyncDisposableStack()
    const server = use.use(await startRedis(scheme === 'redis-cluster'))
    const admin = { username: 'admin', password: 'admin' }
    if (scheme === 'redis-cluster') {
      await askRedis(server, admin, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
      await waitFor('the cluster to be complete', async () =>
        String(await askRedis(server, admin, 'CLUSTER', 'INFO')).includes('cluster_state:ok'),
      )
    }
    const url = (user: RedisUser) => `${scheme}://${user}:${PASSWORDS[user]}@127.0.0.1:${server.port}`
    const warnings: string[] = []
    const onWarning = ({ message }: { readonly message: string }) => void warnings.push(message)
    const open = async (user: RedisUser) =>
      use.use(await openConfigStore({ kind: 'redis', url: url(user) }, { name: user, onWarning }))
    const writer = await open('config-distribution')
    await waitFor('Redis to answer', () =>
      writer.ping().then(
        () => true,
        () => false,
      ),
    )
    const bytes = gzipSync('{}')
    const sha256 = createHash('sha256').update('{}').digest('hex')
    await writer.putArtifact(GRAPH, sha256, bytes)
    await writer.putManifest(GRAPH, MANIFEST)
    await writer.replaceManifest(GRAPH, MANIFEST)
    await writer.putHead(GRAPH, 'head')
    const reader = await open('router')
    for (const store of [writer, reader]) {
      await store.ping()
      expect(await store.getManifest(GRAPH)).toEqual(MANIFEST)
      expect(await store.getHead(GRAPH)).toBe('head')
      expect(await store.getArtifact(GRAPH, sha256)).toEqual(new Uint8Array(bytes))
    }
    expect(await writer.history(GRAPH, 5)).toHaveLength(1)
    expect(await writer.listArtifacts(GRAPH)).toMatchObject([{ sha256 }])
    expect(await writer.hasArtifact(GRAPH, sha256)).toBe(true)
    await writer.deleteArtifact(GRAPH, sha256)
    expect(warnings).toEqual([])
    for (const write of [
      () => reader.putHead(GRAPH, 'other'),
      () => reader.replaceManifest(GRAPH, MANIFEST),
      () => reader.deleteArtifact(GRAPH, sha256),
    ])
      await expect(write()).rejects.toThrow(/NOPERM|ACL failure|can't run this command/)
    for (const username of ['config-distribution', 'router'] as const) {
      const access = { username, password: PASSWORDS[username] }
      for (const command of [
        ['FLUSHALL'],
        ['KEYS', '*'],
        ['CONFIG', 'GET', '*'],
        ['ACL', 'LIST'],
        ['SHUTDOWN'],
      ])
        await expect(askRedis(server, access, command[0] ?? '', ...command.slice(1))).rejects.toThrow(
          'NOPERM',
        )
      await expect(askRedis(server, access, 'STRLEN', 'another')).rejects.toThrow('NOPERM')
    }
    await expect(askRedis(server, {}, 'GET', 'switchyard:x')).rejects.toThrow('NOPERM')
  })
})

const GRAPH = { namespace: 'default', graph: 'shop' }
const MANIFEST = {
  version: { epoch: 1, revision: 1 },
  manifest: new Uint8Array(Buffer.from('{}')),
  signature: 'a..b',
}

/** With the users of `redisUsers`, and one who may do everything. */
async function startRedis(cluster: boolean) {
  const busPort = await freePort()
  return startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'users.acl')
      writeFileSync(file, `${redisUsers(PASSWORDS)}user admin on >admin ~* &* +@all\n`)
      const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', dataDirectory]
      const nodes = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
      return [
        ...options,
        '--aclfile',
        file,
        ...(cluster ? [...nodes, '--cluster-announce-ip', '127.0.0.1'] : []),
      ]
    },
  })
}

/** `change` makes another configuration of the one that is written. */
async function startNats(change: (config: string) => string = (config) => config) {
  return startServer({
    binary: 'nats-server',
    scheme: 'nats',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'nats.conf')
      const config = natsConfig({
        passwords: PASSWORDS,
        eventsPassword: EVENTS_PASSWORD,
        graph: 'default.shop',
        syncInterval: '',
      })
      const local = change(config)
        .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
        .replace('http: "0.0.0.0:8222"\n', '')
        .replace('"/data"', JSON.stringify(join(dataDirectory, 'jetstream')))
      writeFileSync(file, local)
      return ['-c', file]
    },
  })
}

describe('the keys of a set-up', () => {
  it('are made once, each for its owner alone, and are not changed afterwards', async () => {
    await using folder = await temporaryDirectory()
    const make = () =>
      spawnSync(
        process.execPath,
        [fileURLToPath(new URL('../src/make-keys.ts', import.meta.url)), folder.path],
        {
          encoding: 'utf8',
        },
      )
    const contents = () =>
      readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder.path, name)).isFile())
        .sort()
        .map((name) => [name, readFileSync(join(folder.path, name), 'utf8')])
    expect(make()).toMatchObject({ status: 0, stdout: 'Keys and passwords were made.\n' })
    const first = contents()
    expect(first.map(([name]) => name)).toEqual([
      'cli/env',
      'composer/env',
      'config-distribution/env',
      'config-distribution/signing-key.json',
      'events/env',
      'events/password',
      'nats/nats.conf',
      'redis/users.acl',
      'registry/env',
      'registry/trace-keys.json',
      'router/config-keys.json',
      'router/env',
    ])
    for (const [name = ''] of first) expect(statSync(join(folder.path, name)).mode & 0o077, name).toBe(0)
    expect(make()).toMatchObject({
      status: 0,
      stdout: 'The keys are there already; nothing was changed.\n',
    })
    expect(contents()).toEqual(first)
  })
})
