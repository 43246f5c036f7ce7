/**
 * The platform as it should be run: every service with its own rights and nothing more, over TLS, on a
 * cluster of NATS.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsAccounts, redisUsers } from '@switchyard/docker'
import {
  type CertificateFiles,
  createCertificate,
  natsClusterAvailable,
  type NatsCluster,
  redisServerAvailable,
  type SpawnedServer,
  startNatsCluster,
  startServer,
  temporaryDirectory,
  writeCertificate,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { openShop, type ProgramOptions, publishShop, startDistributed, waitForVariant } from '../src/index.ts'

const PASSWORDS = {
  registry: 'first-secret',
  composer: 'second-secret',
  'config-distribution': 'third-secret',
  router: 'fourth-secret',
} as const
type Service = keyof typeof PASSWORDS

type Files = CertificateFiles & { readonly folder: string }

describe.skipIf(!natsClusterAvailable() || !redisServerAvailable())(
  'every service with its own rights',
  () => {
    it('does all its work over TLS on three NATS servers and Redis, also when one of the three is killed', async () => {
      await using use = new AsyncDisposableStack()
      const folder = use.use(await temporaryDirectory()).path
      const authority = createCertificate({ name: 'authority', authority: true })
      const files = {
        folder,
        ...writeCertificate(folder, authority, createCertificate({ signedBy: authority })),
      }
      const nats = use.use(await startNats(files))
      const redis = use.use(await startRedis(files))
      const shop = use.use(await openShop())
      const system = use.use(
        await startDistributed({
          natsUrl: '',
          redisUrl: '',
          registries: 1,
          optionsOf: (program) => optionsOf(program.replace(/-\d$/, '') as Service, files, nats, redis),
        }),
      )
      await publishShop(system, shop)
      for (const url of system.routerUrls) await waitForVariant(system, url, 'next')

      const leader = await nats.leaderOf('registry')
      await leader.kill9()
      await nats.leaderOf('registry')
      await expect
        .poll(async () => (await system.cli('feature-flag', 'disable', 'next')).code, {
          timeout: 60_000,
          interval: 500,
        })
        .toBe(0)
      for (const url of system.routerUrls) await waitForVariant(system, url, 'base')
      for (const [name, { output }] of system.programs) {
        expect(output, name).not.toMatch(/PERMISSION_MISSING|NOPERM|Permissions Violation/)
        expect(output, name).not.toMatch(/-secret/)
      }
    })
  },
)

function optionsOf(service: Service, files: Files, nats: NatsCluster, redis: SpawnedServer): ProgramOptions {
  const password = join(files.folder, `${service}.password`)
  writeFileSync(password, `${PASSWORDS[service]}\n`)
  const [first = '', ...others] = nats.nodes.map(({ port }) => `127.0.0.1:${port}`)
  const access = { CA_FILE: files.ca, CERT_FILE: files.cert, KEY_FILE: files.key, PASSWORD_FILE: password }
  const variables = (server: string) =>
    Object.fromEntries(Object.entries(access).map(([name, value]) => [`SWITCHYARD_${server}_${name}`, value]))
  return {
    natsUrl: [`tls://${service}@${first}`, ...others].join(','),
    redisUrl: `rediss://${service}@127.0.0.1:${redis.port}`,
    environment: { ...variables('NATS'), ...variables('REDIS'), SWITCHYARD_NATS_REPLICAS: '3' },
  }
}

function startNats({ ca, cert, key }: Files): Promise<NatsCluster> {
  const accounts = natsAccounts({ passwords: PASSWORDS, graph: 'default.shop' })
  const tls = `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${ca}", verify: true }`
  return startNatsCluster({ config: `${tls}\n${accounts}` })
}

function startRedis({ ca, cert, key, folder }: Files): Promise<SpawnedServer> {
  const users = join(folder, 'users.acl')
  writeFileSync(users, redisUsers(PASSWORDS))
  return startServer({
    binary: 'redis-server',
    scheme: 'rediss',
    arguments: (port, dataDirectory) => {
      const files = [
        '--tls-ca-cert-file',
        ca,
        '--tls-cert-file',
        cert,
        '--tls-key-file',
        key,
        '--aclfile',
        users,
      ]
      const place = ['--bind', '127.0.0.1', '--port', '0', '--tls-port', String(port), '--dir', dataDirectory]
      return [...place, ...files, '--save', '']
    },
  })
}
