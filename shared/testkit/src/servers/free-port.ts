import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ListenOptions } from 'node:net'

const LOWEST_PORT = 15_000
const LOWEST_EPHEMERAL_PORT = 32_768

/** Returns a loopback port that is free, as `freePorts` does. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('No port was found.')
  return port
}

/**
 * Returns different loopback ports that are free, and that no other test process of this machine is given
 * until this process ends. They are not among the ports that the system gives to whoever asks for any: a
 * connection of somebody else would take one before the program that it is for has started.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(LOWEST_PORT, LOWEST_EPHEMERAL_PORT)
    if ((await isReserved(port)) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

/**
 * Reserves a port among test processes. Between the check that a port is free and the start of the program
 * that it is for, a minute may pass, in which another test may check and find the same. The reservation is a
 * Unix socket with an abstract name, which ends with the process, however that ends. Returns false if another
 * process, or this one, has the port.
 */
async function isReserved(port: number): Promise<boolean> {
  return process.platform !== 'linux' || (await canListen({ path: `\0switchyard-test-port-${port}` }, 'stay'))
}

function isFree(port: number): Promise<boolean> {
  return canListen({ port, host: '127.0.0.1' }, 'close')
}

async function canListen(at: ListenOptions, then: 'stay' | 'close'): Promise<boolean> {
  const server = createServer()
  server.unref()
  server.listen(at)
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  if (then === 'stay') return true
  server.close()
  await once(server, 'close')
  return true
}
