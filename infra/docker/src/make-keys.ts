/**
 * `node make-keys.ts <folder>`: makes every key and secret of a set-up at its first start and does nothing
 * afterwards. `node make-keys.ts --kubernetes`: makes them as Secrets, one for each service, and prints these
 * for `kubectl create`; there are two more, of the job that makes backups and of the events of subgraphs.
 *
 * Each goes only where a program needs it: the folders below `<folder>` are volumes, one for each service. A
 * service reads its variables from `env`; NATS and Redis read who is let in and what each of them may do.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeToken } from '@switchyard/contracts'
import { createSigningKey, publicJwks, saveSigningKey } from '@switchyard/config-distribution'
import { newTraceKey, TraceKeyFile } from '@switchyard/registry/trace-keys'
import { kubernetesSecrets } from './kubernetes-secrets.ts'
import { type NatsUser, natsConfig } from './nats-config.ts'
import { type RedisUser, redisUsers } from './redis-users.ts'

const SECRET_BYTES = 32
/** NATS and Redis run as the same user as we do, from images in which it has no name. */
const MINE_ALONE = 0o600

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('Usage: make-keys.ts <folder> | --kubernetes\n')
  process.exitCode = 2
} else if (folder === '--kubernetes') {
  process.stdout.write(await kubernetesSecrets((folder) => makeKeys(folder, { backup: secret() })))
} else if (existsSync(join(folder, 'cli', 'env'))) {
  // Written last.
  process.stdout.write('The keys are there already; nothing was changed.\n')
  if (!existsSync(join(folder, 'events', 'env')))
    process.stdout.write(
      'They were made by an earlier version: NATS has no account for events (docs/docker.md, "Events").\n',
    )
} else {
  await makeKeys(folder)
  process.stdout.write('Keys and passwords were made.\n')
}

/** `others` are users of NATS that are no services. */
async function makeKeys(folder: string, others: { readonly backup?: string } = {}): Promise<void> {
  const passwords: Partial<Record<NatsUser, string>> = {
    registry: secret(),
    composer: secret(),
    'config-distribution': secret(),
    router: secret(),
    ...others,
  }
  const eventsPassword = secret()
  const redis = { 'config-distribution': secret(), router: secret() }
  const fleetKey = secret()
  const apiKey = secret()
  const natsAddress = process.env['NATS_ADDRESS'] ?? 'nats:4222'
  const redisAddress = process.env['REDIS_ADDRESS'] ?? 'redis:6379'
  const natsUrl = (user: NatsUser) => `nats://${user}:${passwords[user] ?? ''}@${natsAddress}`
  const redisUrl = (user: RedisUser) => `redis://${user}:${redis[user]}@${redisAddress}/0`
  const [namespace = '', ...graph] = (process.env['SWITCHYARD_GRAPH'] ?? 'default/shop').split('/')

  await write(folder, 'nats', 'nats.conf', [
    natsConfig({
      passwords,
      eventsPassword,
      graph: `${encodeToken(namespace)}.${encodeToken(graph.join('/'))}`,
      syncInterval: process.env['NATS_SYNC_INTERVAL'] ?? 'always',
    }),
  ])
  await write(folder, 'events', 'password', [eventsPassword])
  // The variable that programs of NATS read.
  await write(folder, 'events', 'env', [`NATS_URL=nats://events:${eventsPassword}@${natsAddress}`])
  await write(folder, 'redis', 'users.acl', [redisUsers(redis)])

  const signingKey = await createSigningKey()
  await mkdir(join(folder, 'config-distribution'), { recursive: true })
  await saveSigningKey(join(folder, 'config-distribution', 'signing-key.json'), signingKey)
  await write(folder, 'config-distribution', 'env', [
    `SWITCHYARD_NATS_URL=${natsUrl('config-distribution')}`,
    `SWITCHYARD_REDIS_URL=${redisUrl('config-distribution')}`,
    `SWITCHYARD_FLEET_KEY=${fleetKey}`,
  ])
  await write(folder, 'router', 'config-keys.json', [JSON.stringify(publicJwks(signingKey))])
  await write(folder, 'router', 'env', [
    `SWITCHYARD_NATS_URL=${natsUrl('router')}`,
    `SWITCHYARD_REDIS_URL=${redisUrl('router')}`,
    `SWITCHYARD_FLEET_KEY=${fleetKey}`,
  ])
  await mkdir(join(folder, 'registry'), { recursive: true })
  await new TraceKeyFile(join(folder, 'registry', 'trace-keys.json')).add(await newTraceKey())
  await write(folder, 'registry', 'env', [
    `SWITCHYARD_NATS_URL=${natsUrl('registry')}`,
    `SWITCHYARD_BOOTSTRAP_API_KEY=${apiKey}`,
    `SWITCHYARD_FLEET_KEY=${fleetKey}`,
    `SWITCHYARD_SESSION_KEY=${secret()}`,
  ])
  await write(folder, 'composer', 'env', [`SWITCHYARD_NATS_URL=${natsUrl('composer')}`])
  if (others.backup !== undefined) {
    await write(folder, 'backup', 'env', [`SWITCHYARD_NATS_URL=${natsUrl('backup')}`])
  }
  await write(folder, 'cli', 'env', [`SWITCHYARD_API_KEY=${apiKey}`])
}

/** Letters, digits, `-` and `_`: it stands in URLs and in files as it is. */
function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

async function write(folder: string, service: string, name: string, lines: readonly string[]): Promise<void> {
  await mkdir(join(folder, service), { recursive: true })
  await writeFile(join(folder, service, name), `${lines.join('\n')}\n`, { mode: MINE_ALONE, flag: 'w' })
}
