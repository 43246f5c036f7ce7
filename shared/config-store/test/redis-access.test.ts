/** Getting in: TLS, passwords in files, and what a service says while Redis cannot be used. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerProblem } from '@switchyard/service-kit'
import {
  askRedis,
  createCertificate,
  freePort,
  recordProblems,
  redisServerAvailable,
  type SpawnedServer,
  startRedisCluster,
  startServer,
  temporaryDirectory,
  waitFor,
  writeCertificate,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type ConfigStore, openRedisConfigStore } from '../src/index.ts'
import { manifestOf, SHOP } from './samples.ts'

describe.skipIf(!redisServerAvailable())('the way into Redis', () => {
  it('is by TLS with files that are read again when the connection is made anew', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const authority = createCertificate({ name: 'authority', authority: true })
    const files = writeCertificate(folder, authority, createCertificate({ signedBy: authority }))
    const server = use.use(await startTls(files))
    const tls = { caFile: files.ca, certFile: files.cert, keyFile: files.key }
    const url = `rediss://127.0.0.1:${server.port}`
    const { problems, onProblem } = recordProblems<ServerProblem>()
    const store = use.use(await openRedisConfigStore({ url, tls, onProblem }))
    await store.ping()

    const next = createCertificate({ name: 'next authority', authority: true })
    writeCertificate(folder, next, createCertificate({ signedBy: next }))
    await server.restart()
    await waitFor('Redis to be used again', () => answers(store))
    expect(problems.filter(({ code }) => code !== 'REDIS_UNREACHABLE')).toEqual([])
  })

  it.each([
    ['an authority that is not believed', 'SERVER_CERTIFICATE_UNKNOWN', { unknown: true }],
    ['a certificate that has expired', 'SERVER_CERTIFICATE_EXPIRED', { to: Date.now() - 60_000 }],
    ['a certificate for another host', 'SERVER_NAME_MISMATCH', { hosts: ['elsewhere.example'] }],
    ['a file that is not there', 'ACCESS_FILE_UNUSABLE', { missing: true }],
  ])('says what is wrong with %s, and goes in when it was put right', async (_, code, options) => {
    const { unknown = false, missing = false, ...certificate } = options as Record<string, unknown>
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const authority = createCertificate({ name: 'authority', authority: true })
    const files = writeCertificate(
      folder,
      authority,
      createCertificate({ signedBy: authority, ...certificate }),
    )
    const server = use.use(await startTls(files))
    const caFile = join(folder, 'mine')
    if (missing !== true) writeFileSync(caFile, unknown === true ? createCertificate().cert : authority.cert)
    const { problems, last, onProblem } = recordProblems<ServerProblem>()
    const url = `rediss://127.0.0.1:${server.port}`
    const tls = { caFile, certFile: files.cert, keyFile: files.key }
    const store = use.use(await openRedisConfigStore({ url, tls, onProblem }))
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({ code })
    expect(await answers(store)).toBe(false)

    writeCertificate(folder, authority, createCertificate({ signedBy: authority }))
    writeFileSync(caFile, authority.cert)
    if (Object.keys(certificate).length > 0) await server.restart()
    await waitFor('Redis to be used', () => answers(store))
    await waitFor('the end of the problem', () => last() === null)
  })

  it.each(['redis', 'redis-cluster'])(
    'is by a password in a file, also when it changed: %s',
    async (scheme) => {
      await using use = new AsyncDisposableStack()
      const folder = use.use(await temporaryDirectory()).path
      const options = scheme === 'redis' ? '' : `--cluster-enabled yes --cluster-port ${await freePort()}`
      const server = use.use(await startPlain(options))
      if (scheme !== 'redis') await ownAllSlots(server)
      const setPassword = (password: string, access = {}) =>
        askRedis(
          server,
          access,
          'ACL',
          'SETUSER',
          'writer',
          'reset',
          'on',
          `>${password}`,
          '~switchyard:*',
          '+@all',
        )
      await setPassword('sesame')
      const file = join(folder, 'password')
      writeFileSync(file, 'abracadabra\n')
      const { problems, last, onProblem } = recordProblems<ServerProblem>()
      const url = `${scheme}://writer@127.0.0.1:${server.port}`
      const store = use.use(await openRedisConfigStore({ url, passwordFile: file, onProblem }))
      expect(await waitFor('the problem', () => problems[0])).toMatchObject({
        code: 'REDIS_CREDENTIALS_REFUSED',
      })
      writeFileSync(file, 'sesame\n')
      await waitFor('Redis to be used', () => answers(store))

      await setPassword('next')
      await askRedis(server, {}, 'CLIENT', 'KILL', 'USER', 'writer')
      await waitFor('the problem', () => last()?.code === 'REDIS_CREDENTIALS_REFUSED')
      expect(JSON.stringify(problems)).not.toMatch(/abracadabra|sesame/)
      writeFileSync(file, 'next\n')
      await waitFor('Redis to be used again', () => answers(store))
      await waitFor('the end of the problem', () => last() === null)
    },
  )

  it('says that it is at a replica, and writes when that was promoted', async () => {
    await using use = new AsyncDisposableStack()
    const primary = use.use(await startPlain(''))
    const replica = use.use(await startPlain(`--replicaof 127.0.0.1 ${primary.port}`))
    const { problems, last, onProblem } = recordProblems<ServerProblem>()
    const store = use.use(await openRedisConfigStore({ url: replica.url, onProblem }))
    await waitFor('the replica to be refused writes', async () => {
      await store.putManifest(SHOP, manifestOf(1, 1)).catch(() => {})
      return problems.some(({ code }) => code === 'REDIS_READ_ONLY')
    })
    await askRedis(replica, {}, 'REPLICAOF', 'NO', 'ONE')
    await waitFor('the write', () =>
      store.putManifest(SHOP, manifestOf(1, 1)).then(
        () => true,
        () => false,
      ),
    )
    expect(last()).toBeNull()
  })

  it('says that a node of a cluster was taken for a single server', async () => {
    await using cluster = await startRedisCluster()
    const key = `switchyard:{${SHOP.namespace}/${SHOP.graph}}:manifest`
    const owner = await cluster.ownerOf(key)
    const other = cluster.nodes.find((node) => node !== owner)
    const { problems, onProblem } = recordProblems<ServerProblem>()
    await using store = await openRedisConfigStore({ url: other?.url ?? '', onProblem })
    await expect(store.getManifest(SHOP)).rejects.toThrow('MOVED')
    expect(problems).toMatchObject([
      { code: 'REDIS_IS_A_CLUSTER', message: expect.stringContaining('redis-cluster://') },
    ])
  })

  it('says that a single server was taken for a cluster', async () => {
    await using server = await startPlain('')
    const { problems, onProblem } = recordProblems<ServerProblem>()
    await using _store = await openRedisConfigStore({
      url: server.url.replace('redis', 'redis-cluster'),
      onProblem,
    })
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({ code: 'REDIS_IS_NO_CLUSTER' })
  })

  it('says which right is missing, once, and goes on when it was given', async () => {
    await using server = await startPlain('')
    const rules = ['reset', 'on', '>p', '~switchyard:*', '+eval', '+type', '+ping', '+info']
    await askRedis(server, {}, 'ACL', 'SETUSER', 'router', ...rules)
    const { warnings, onWarning } = recordProblems<ServerProblem>()
    const url = `redis://router:p@127.0.0.1:${server.port}`
    await using store = await openRedisConfigStore({ url, name: 'router', onWarning })
    await expect(store.getHead(SHOP)).rejects.toThrow('NOPERM')
    expect(warnings).toMatchObject([
      { code: 'REDIS_PERMISSION_MISSING', message: expect.stringMatching(/router needs.*getrange/) },
    ])
    await askRedis(server, {}, 'ACL', 'SETUSER', 'router', '+getrange')
    expect(await store.getHead(SHOP)).toBeNull()
  })

  it('is by sentinels with credentials of their own, which say when they do not know the primary', async () => {
    await using use = new AsyncDisposableStack()
    const folder = use.use(await temporaryDirectory()).path
    const primary = use.use(await startPlain(''))
    const sentinel = use.use(await startSentinel(primary.port, 'sesame'))
    const file = join(folder, 'sentinel-password')
    writeFileSync(file, 'abracadabra')
    const { problems, last, onProblem } = recordProblems<ServerProblem>()
    const url = (name: string) => `redis-sentinel://127.0.0.1:${sentinel.port}/0?name=${name}`
    const options = { sentinelPasswordFile: file, onProblem }
    const store = use.use(await openRedisConfigStore({ url: url('yard'), ...options }))
    expect(await waitFor('the problem', () => problems[0])).toMatchObject({
      code: 'REDIS_CREDENTIALS_REFUSED',
    })
    writeFileSync(file, 'sesame')
    await waitFor('Redis to be used', () => answers(store))
    await waitFor('the end of the problem', () => last() === null)

    const elsewhere = recordProblems<ServerProblem>()
    await using _lost = await openRedisConfigStore({
      ...options,
      url: url('track'),
      onProblem: elsewhere.onProblem,
    })
    expect(await waitFor('the problem', () => elsewhere.problems[0])).toMatchObject({
      code: 'REDIS_MASTER_UNKNOWN',
    })
  })
})

function answers(store: ConfigStore): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  )
}

function startTls({ ca, cert, key }: { ca: string; cert: string; key: string }): Promise<SpawnedServer> {
  return startRedis((port) => [
    '--port',
    '0',
    '--tls-port',
    String(port),
    '--tls-ca-cert-file',
    ca,
    '--tls-cert-file',
    cert,
    '--tls-key-file',
    key,
  ])
}

function startPlain(options: string): Promise<SpawnedServer> {
  return startRedis((port) => ['--port', String(port), ...options.split(' ').filter((word) => word !== '')])
}

function startRedis(argumentsOf: (port: number) => readonly string[]): Promise<SpawnedServer> {
  return startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) => {
      const bus = String(port < 55_000 ? port + 10_000 : port - 10_000)
      const options = ['--bind', '127.0.0.1', '--save', '', '--dir', dataDirectory, '--cluster-port', bus]
      return [...options, ...argumentsOf(port)]
    },
  })
}

async function ownAllSlots(server: SpawnedServer): Promise<void> {
  await askRedis(server, {}, 'CONFIG', 'SET', 'cluster-announce-ip', '127.0.0.1')
  await askRedis(server, {}, 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await waitFor('the cluster to be complete', async () =>
    String(await askRedis(server, {}, 'CLUSTER', 'INFO')).includes('cluster_state:ok'),
  )
}

function startSentinel(primaryPort: number, password: string): Promise<SpawnedServer> {
  return startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, folder) => {
      const file = join(folder, 'sentinel.conf')
      const monitor = `sentinel monitor yard 127.0.0.1 ${primaryPort} 1`
      writeFileSync(file, `bind 127.0.0.1\nport ${port}\n${monitor}\nrequirepass ${password}\n`)
      return [file, '--sentinel']
    },
  })
}
