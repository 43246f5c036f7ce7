/** The test kit is no dependency of this package, which ships without it. */
export {
  freePort,
  natsServerAvailable,
  type SpawnedServer,
  startNatsServer,
  waitFor,
} from '../../../shared/testkit/src/index.ts'
