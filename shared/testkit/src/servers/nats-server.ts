import { programPath, type SpawnedServer, startServer } from './child-server.ts'

const BINARY = 'nats-server'

/** True if a NATS server is on this machine. Use it as `describe.skipIf(!natsServerAvailable())`. */
export function natsServerAvailable(): boolean {
  return programPath(BINARY) !== null
}

/**
 * A NATS server with JetStream, on a free loopback port. `path`: one of `natsVersions()`, else the machine's.
 */
export function startNatsServer({ path }: { readonly path?: string } = {}): Promise<SpawnedServer> {
  return startServer({
    binary: BINARY,
    ...(path === undefined ? {} : { path }),
    scheme: 'nats',
    arguments: (port, dataDirectory) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dataDirectory],
  })
}
