/**
 * The command that the CronJob of the chart runs, with the Secret that make-keys prints and the rights of the
 * user in it, on a real NATS server. Skipped where there is no Helm, NATS or Redis.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  Program,
  type ProgramOptions,
  openShop,
  publishShop,
  startDistributed,
  startEmbedded,
  waitForReady,
  waitForVariant,
} from '@switchyard/e2e'
import {
  natsServerAvailable,
  redisServerAvailable,
  startRedisServer,
  startServer,
  temporaryDirectory,
} from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { helmMissing, template } from '../src/helm.ts'
import { ROOT } from '../src/paths.ts'
import { objectsIn, podsOf } from './objects.ts'

const reason =
  helmMissing() ?? (natsServerAvailable() && redisServerAvailable() ? null : 'there is no NATS or Redis')

const KEPT = 2

type Secret = { metadata: { name: string }; stringData: Record<string, string> }

describe.skipIf(reason !== null)(`the CronJob${reason === null ? '' : ` (${reason})`}`, () => {
  it('writes backups with the rights that its Secret gives, keeps as many as it is told, and they can be restored', async () => {
    await using use = new AsyncDisposableStack()
    const secrets = new Map<string, Secret['stringData']>()
    const nats = use.use(
      await startServer({
        binary: 'nats-server',
        scheme: 'nats',
        arguments: (port, dataDirectory) => {
          for (const [name, data] of makeSecrets(`127.0.0.1:${port}`)) secrets.set(name, data)
          const file = join(dataDirectory, 'nats.conf')
          const config = secrets.get('switchyard-nats')?.['nats.conf'] ?? ''
          const local = config
            .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
            .replace('http: "0.0.0.0:8222"\n', '')
            .replace('"/data"', JSON.stringify(join(dataDirectory, 'jetstream')))
          writeFileSync(file, local)
          return ['-c', file]
        },
      }),
    )
    const redis = use.use(await startRedisServer())
    const shop = use.use(await openShop())
    const optionsOf = (program: string): ProgramOptions => ({
      natsUrl: secrets.get(`switchyard-${program.replace(/-\d$/, '')}`)?.['SWITCHYARD_NATS_URL'] ?? '',
    })
    const system = use.use(await startDistributed({ natsUrl: nats.url, redisUrl: redis.url, optionsOf }))
    await publishShop(system, shop)

    const folder = use.use(await temporaryDirectory()).path
    const { args, env } = job(folder, secrets)
    for (let round = 0; round < KEPT + 1; round++) {
      const run = new Program('backup', 'services/registry/src/main.ts', args, env)
      expect(await run.exited(), run.output).toBe(0)
      expect(run.output).toMatch(/^Wrote \S+: \d+ changes, \d+ compositions, \d+ published revisions/)
      expect(run.output).not.toMatch(/Permissions Violation|NATS_PERMISSION_MISSING/)
    }
    const backups = readdirSync(folder).sort()
    expect(backups).toHaveLength(KEPT)

    await using restored = await startEmbedded()
    await waitForReady(restored, restored.registryUrls[0] ?? '')
    const file = join(restored.folder, 'backup.ndjson')
    writeFileSync(file, gunzipSync(readFileSync(join(folder, backups.at(-1) ?? ''))))
    const imported = await restored.cli('registry', 'import', file)
    expect(imported.code, imported.stderr).toBe(0)
    await waitForVariant(restored, restored.routerUrls[0] ?? '', 'next')
  })
})

/** By the name of the Secret. */
function makeSecrets(natsAddress: string): ReadonlyMap<string, Secret['stringData']> {
  const made = spawnSync(process.execPath, [join(ROOT, 'infra/docker/src/make-keys.ts'), '--kubernetes'], {
    encoding: 'utf8',
    // The newest server that Debian has does not know the setting.
    env: { ...process.env, NATS_ADDRESS: natsAddress, NATS_SYNC_INTERVAL: '' },
  })
  const { items } = JSON.parse(made.stdout) as { items: Secret[] }
  return new Map(items.map(({ metadata, stringData }) => [metadata.name, stringData]))
}

/** What the container of the CronJob is started with, its volume being `folder`. */
function job(folder: string, secrets: ReadonlyMap<string, Secret['stringData']>) {
  const values = `{ backup: { enabled: true, keep: ${KEPT} } }`
  const pods = new Map(podsOf(objectsIn(template(values).stdout)))
  const [container] = pods.get('backup')?.containers ?? []
  const mountPath = '/var/lib/switchyard/backups'
  expect(container).toMatchObject({
    image: expect.stringMatching(/\/registry:/) as string,
    volumeMounts: [{ name: 'backups', mountPath }],
  })
  const variables = (container?.env ?? []).map(({ name, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {}
    return [name, secrets.get(secret)?.[key] ?? ''] as const
  })
  return {
    args: (container?.args ?? []).map((word) => (word === mountPath ? folder : word)),
    env: Object.fromEntries(variables),
  }
}
