/**
 * NATS and Redis of a set-up, with the users and rights that Compose gives them. NATS keeps its logs on disk and Redis nothing: what it
 * holds is made again from the logs.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsConfig, type NatsUser, redisUsers } from '@switchyard/docker'
import { GRAPH } from '@switchyard/e2e'
import { type SpawnedServer, startServer } from '@switchyard/testkit'

const USERS: readonly NatsUser[] = ['registry', 'composer', 'config-distribution', 'router']
const secret = () => randomBytes(24).toString('base64url')

export type Servers = {
  readonly nats: SpawnedServer
  readonly redis: SpawnedServer
  readonly passwords: Passwords
}
export type Passwords = Readonly<Record<NatsUser | 'admin', string>>

export function newPasswords(): Passwords {
  return {
    registry: secret(),
    composer: secret(),
    'config-distribution': secret(),
    router: secret(),
    admin: secret(),
  }
}

/** `storeFolder`: where the logs are. */
export function startNats(passwords: Passwords, storeFolder: string): Promise<SpawnedServer> {
  return startServer({
    binary: 'nats-server',
    scheme: 'nats',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'nats.conf')
      writeFileSync(file, natsFile(passwords, port, storeFolder), { mode: 0o600 })
      return ['-c', file]
    },
  })
}

/** As Compose has it, but on a port of its own, with an operator, and quick to give up a client that does not read. */
function natsFile(passwords: Passwords, port: number, storeFolder: string): string {
  const operator = `    { user: admin, password: ${JSON.stringify(passwords.admin)} }`
  const config = natsConfig({ passwords, graph: `default.${GRAPH}`, syncInterval: '' })
  return config
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${port}"`)
    .replace('http: "0.0.0.0:8222"', 'write_deadline: "2s"\nmax_pending: 1048576')
    .replace('"/data"', JSON.stringify(storeFolder))
    .replace('  users: [\n', `  users: [\n${operator}\n`)
}

/** `folder`: where a dump is read from at a start. */
export function startRedis(passwords: Passwords, folder: string): Promise<SpawnedServer> {
  return startServer({
    binary: 'redis-server',
    scheme: 'redis',
    arguments: (port, dataDirectory) => {
      const file = join(dataDirectory, 'users.acl')
      const users = redisUsers(passwords)
      writeFileSync(file, `${users}user admin on >${passwords.admin} ~* &* +@all\n`, { mode: 0o600 })
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

/** The user of a program, such as `registry-0`. */
export function userOf(program: string): NatsUser {
  const user = USERS.find((name) => program.startsWith(name))
  if (user === undefined) throw new Error(`${program} has no user`)
  return user
}
