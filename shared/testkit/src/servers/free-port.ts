import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const LOWEST_PORT = 15_000
const LOWEST_EPHEMERAL_PORT = 32_768

/**
 * A loopback port that was free a moment ago. Another process may take it before the caller does, so whoever
 * starts a server on it tries again with another one when that server does not come up.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The operating system named no port.'))
      })
    })
  })
}

/**
 * Ports that were free a moment ago, all different. Not such as the system gives to whoever asks for any: a
 * connection of somebody else would take one before the program that it is for has started.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(LOWEST_PORT, LOWEST_EPHEMERAL_PORT)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
