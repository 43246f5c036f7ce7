/** What these tests need of the test kit. By path: the kit depends on this package, so this one cannot depend on it. */
export type { SpawnedServer } from '../../testkit/src/servers/child-server.ts'
export { startServer } from '../../testkit/src/servers/child-server.ts'
export { redisServerAvailable, startRedisServer } from '../../testkit/src/servers/redis-server.ts'
export { waitFor } from '../../testkit/src/wait-for.ts'
