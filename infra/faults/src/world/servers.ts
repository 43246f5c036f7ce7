/**
 * NATS and Redis of a set-up, with the users and rights that Compose gives them. NATS keeps its logs on disk
 * and Redis nothing: what it holds is made again from the logs.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsConfig, type NatsUser, redisUsers } from '@switchyard/docker'
import { GRAPH } from '@switchyard/e2e'
import {
  freePort,
  type NatsCluster,
  natsVersions,
  type RedisSentinels,
  type SpawnedServer,
  startNatsCluster,
  startRedisSentinels,
  startServer,
  WATCHED_NAME,
} from '@switchyard/testkit'

/** The users of NATS that are services. */
type ServiceUser = Exclude<NatsUser, 'backup'>

const USERS: readonly ServiceUser[] = ['registry', 'composer', 'config-distribution', 'router']
const secret = () => randomBytes(24).toString('base64url')

/** `admin` is the operator of both servers. */
export type Passwords = Readonly<Record<ServiceUser | 'admin', string>>

export function newPasswords(): Passwords {
  return {
    registry: secret(),
    composer: secret(),
    'config-distribution': secret(),
    router: secret(),
    admin: secret(),
  }
}

/** The user of a program, such as `registry-0`. */
export function userOf(program: string): ServiceUser {
  const user = USERS.find((name) => program.startsWith(name))
  if (user === undefined) throw new Error(`${program} has no user`)
  return user
}

export type MonitoredNats = SpawnedServer & {
  /** The URL at which the server tells about itself, such as `/varz`. */
  readonly monitoringUrl: string
}

/** Starts the newest NATS server of this machine. `storeFolder` is the folder of the logs. */
export async function startNats(passwords: Passwords, storeFolder: string): Promise<MonitoredNats> {
  const monitoring = await freePort()
  const newest = natsVersions().at(-1)
  const server = await startServer({
    binary: 'nats-server',
    ...(newest === undefined ? {} : { path: newest.path }),
    scheme: 'nats',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'nats.conf')
      writeFileSync(file, natsFile(passwords, port, monitoring, storeFolder), { mode: 0o600 })
      return ['-c', file]
    },
  })
  return Object.assign(server, { monitoringUrl: `http://127.0.0.1:${monitoring}` })
}

/**
 * Returns the configuration of Compose with other ports, with an operator, and with a server that quickly
 * gives up a client that does not read.
 */
function natsFile(passwords: Passwords, port: number, monitoring: number, storeFolder: string): string {
  return composeConfig(passwords)
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
    .replace('"0.0.0.0:8222"', `"127.0.0.1:${monitoring}"\nwrite_deadline: "2s"\nmax_pending: 1048576`)
    .replace('"/data"', JSON.stringify(storeFolder))
}

/** Three servers, each of which has all logs. */
export function startNatsReplicas(passwords: Passwords): Promise<NatsCluster> {
  const config = composeConfig(passwords)
  return startNatsCluster({ config: config.slice(config.indexOf('accounts {')) })
}

function composeConfig(passwords: Passwords): string {
  const operator = `    { user: admin, password: ${JSON.stringify(passwords.admin)} }`
  const config = natsConfig({
    passwords,
    graph: `default.${GRAPH}`,
    syncInterval: natsVersions().length === 0 ? '' : 'always',
  })
  return config.replace('  users: [\n', `  users: [\n${operator}\n`)
}

/** Starts Redis. `folder` is the folder from which it reads a dump at its start. */
export function startRedis(passwords: Passwords, folder: string): Promise<SpawnedServer> {
  return startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) => {
      const file = writeUsers(passwords, dataDirectory)
      return ['--bind', '127.0.0.1', '--port', String(port), '--aclfile', file].concat([
        '--protected-mode',
        'no',
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        folder,
      ])
    },
  })
}

/** Starts a primary, a replica and three sentinels. `folder` is the folder of the file of users. */
export function startSentinels(passwords: Passwords, folder: string): Promise<RedisSentinels> {
  const { admin } = passwords
  return startRedisSentinels({
    serverConfig: [`aclfile ${writeUsers(passwords, folder)}`, 'masteruser admin', `masterauth ${admin}`],
    sentinelConfig: [
      `sentinel auth-user ${WATCHED_NAME} admin`,
      `sentinel auth-pass ${WATCHED_NAME} ${admin}`,
    ],
    serverAccess: { username: 'admin', password: admin },
  })
}

function writeUsers(passwords: Passwords, folder: string): string {
  const file = join(folder, 'users.acl')
  const users = redisUsers(passwords)
  writeFileSync(file, `${users}user admin on >${passwords.admin} ~* &* +@all\n`, { mode: 0o600 })
  return file
}
