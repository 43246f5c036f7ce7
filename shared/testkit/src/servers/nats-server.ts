import { programPath, type SpawnedServer, startServer } from './child-server.ts'

const BINARY = 'nats-server'

/** For `describe.skipIf(!natsServerAvailable())`. */
export function natsServerAvailable(): boolean {
  return programPath(BINARY) !== null
}

/** A NATS server with JetStream, on a free loopback port. */
export function startNatsServer(): Promise<SpawnedServer> {
  return startServer({
    binary: BINARY,
    scheme: 'nats',
    arguments: (port, dataDirectory) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dataDirectory],
  })
}
