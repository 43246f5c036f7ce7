import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath, type SpawnedServer, startServer } from './child-server.ts'

const BINARY = 'haproxy'

/** True if HAProxy is on this machine. Use it as `describe.skipIf(!haproxyAvailable())`. */
export function haproxyAvailable(): boolean {
  return programPath(BINARY) !== null
}

/** HAProxy with a configuration that listens on this loopback port. */
export function startHaproxy(configuration: (port: number) => string): Promise<SpawnedServer> {
  return startServer({
    binary: BINARY,
    scheme: 'http',
    arguments: (port, folder) => {
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, configuration(port))
      return ['-db', '-f', file]
    },
  })
}
