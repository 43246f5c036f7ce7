import { InvalidStoreAddressError } from '../store/errors.ts'

export type HostAndPort = { readonly host: string; readonly port: number }

type Access = {
  readonly username: string | null
  readonly password: string | null
  readonly tls: boolean
}

/** The address of Redis, in the three ways it is run. */
export type RedisAddress =
  | (Access & { readonly kind: 'single'; readonly node: HostAndPort; readonly db: number })
  | (Access & {
      readonly kind: 'sentinel'
      readonly sentinels: readonly HostAndPort[]
      /** The name under which the sentinels watch the primary. */
      readonly master: string
      readonly db: number
    })
  | (Access & { readonly kind: 'cluster'; readonly nodes: readonly HostAndPort[] })

const SCHEMES: Readonly<Record<string, { readonly kind: RedisAddress['kind']; readonly tls: boolean }>> = {
  redis: { kind: 'single', tls: false },
  rediss: { kind: 'single', tls: true },
  'redis-sentinel': { kind: 'sentinel', tls: false },
  'rediss-sentinel': { kind: 'sentinel', tls: true },
  'redis-cluster': { kind: 'cluster', tls: false },
  'rediss-cluster': { kind: 'cluster', tls: true },
}

/**
 * Reads `SWITCHYARD_REDIS_URL`:
 *
 * - `redis://user:password@host:6379/0` – one server
 * - `redis-sentinel://user:password@host:26379,host:26379/0?name=mymaster` – the primary that these sentinels
 *   name; the
 *   credentials are those of the server
 * - `redis-cluster://user:password@host:6379,host:6379` – a cluster, found through these nodes
 *
 * with `rediss`, `rediss-sentinel`, `rediss-cluster` for TLS. Throws InvalidStoreAddressError, which never
 * repeats the text, since it may hold a password.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const match = /^([a-z-]+):\/\/(?:(.*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url)
  const scheme = SCHEMES[match?.[1] ?? '']
  if (match === null || scheme === undefined) {
    // Without "@" and "?" it holds no password.
    const isHost = /^[^/?@:,\s]+(?::\d{1,5})?(?:\/\d*)?$/.test(url)
    throw new InvalidStoreAddressError(
      isHost ? `redis:// is missing; did you mean "redis://${url}"?` : 'it has no known form',
    )
  }
  const [, , credentials, hosts = '', path = '', query = ''] = match
  const access = { ...parseCredentials(credentials), tls: scheme.tls }
  switch (scheme.kind) {
    case 'single': {
      const [node, ...more] = parseHosts(hosts, 6379)
      if (node === undefined || more.length > 0)
        throw new InvalidStoreAddressError('it should name one server')
      return { kind: 'single', ...access, node, db: parseDb(path) }
    }
    case 'sentinel': {
      const master = new URLSearchParams(query).get('name') ?? ''
      if (master === '')
        throw new InvalidStoreAddressError('"?name=" is missing, the name of the watched primary')
      return { kind: 'sentinel', ...access, sentinels: parseHosts(hosts, 26379), master, db: parseDb(path) }
    }
    case 'cluster':
      if (path !== '' && path !== '0') throw new InvalidStoreAddressError('a cluster has only database 0')
      return { kind: 'cluster', ...access, nodes: parseHosts(hosts, 6379) }
    default:
      return scheme.kind satisfies never
  }
}

/** The address without credentials, for messages. */
export function describeAddress(address: RedisAddress): string {
  switch (address.kind) {
    case 'single':
      return `Redis at ${hostText(address.node)}`
    case 'sentinel':
      return `Redis "${address.master}" by sentinels ${address.sentinels.map(hostText).join(', ')}`
    case 'cluster':
      return `Redis cluster at ${address.nodes.map(hostText).join(', ')}`
    default:
      return address satisfies never
  }
}

function hostText({ host, port }: HostAndPort): string {
  return `${host}:${port}`
}

function parseCredentials(text: string | undefined): { username: string | null; password: string | null } {
  if (text === undefined || text === '') return { username: null, password: null }
  const colon = text.indexOf(':')
  const username = colon === -1 ? text : text.slice(0, colon)
  const password = colon === -1 ? '' : text.slice(colon + 1)
  return {
    username: username === '' ? null : decode(username),
    password: password === '' ? null : decode(password),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidStoreAddressError('user name or password are not percent-encoded')
  }
}

function parseHosts(text: string, defaultPort: number): readonly HostAndPort[] {
  return text.split(',').map((part) => {
    const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/.exec(part.trim())
    const host = match?.[1]
    if (host === undefined) throw new InvalidStoreAddressError('a host is malformed')
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(match?.[2] ?? defaultPort) }
  })
}

function parseDb(path: string): number {
  if (path === '') return 0
  if (!/^[0-9]{1,5}$/.test(path)) throw new InvalidStoreAddressError('the database is not a number')
  return Number(path)
}
