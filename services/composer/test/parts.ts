/** What these tests need of the test kit, by path: it is no dependency of a service. */
export { waitFor } from '../../../shared/testkit/src/wait-for.ts'
export { freePort } from '../../../shared/testkit/src/servers/free-port.ts'
export { natsServerAvailable, startNatsServer } from '../../../shared/testkit/src/servers/nats-server.ts'
export { redisServerAvailable, startRedisServer } from '../../../shared/testkit/src/servers/redis-server.ts'
