/** What these tests need of the test kit. By path: the kit depends on this package, so this one cannot depend on it. */
export type { SpawnedServer } from '../../testkit/src/servers/child-server.ts'
export { natsServerAvailable, startNatsServer } from '../../testkit/src/servers/nats-server.ts'
export { waitFor } from '../../testkit/src/wait-for.ts'
