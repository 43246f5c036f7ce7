import { programPath, type SpawnedServer, startServer } from './child-server.ts'

const BINARY = 'redis-server'

/** True if a Redis server is on this machine. Use it as `describe.skipIf(!redisServerAvailable())`. */
export function redisServerAvailable(): boolean {
  return programPath(BINARY) !== null
}

/** A Redis server that writes everything to disk before it answers, on a free loopback port. */
export function startRedisServer(): Promise<SpawnedServer> {
  return startServer({
    binary: BINARY,
    scheme: 'redis',
    arguments: (port, dataDirectory) =>
      `--bind 127.0.0.1 --port ${port} --appendonly yes --appendfsync always`
        .split(' ')
        .concat('--save', '', '--dir', dataDirectory),
  })
}
