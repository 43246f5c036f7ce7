/** Clients that come all at once, while the router is busy with something else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { waitFor } from '@switchyard/testkit'

/** More than the 511 that Node.js lets wait. */
const CLIENTS = 1000
const SERVER = new URL('../../src/listen/server.ts', import.meta.url)
/** Listens as a router does, and then accepts nothing: it waits as long as it lives. */
const BUSY = `
import { createServer } from 'node:net'
import { bound } from ${JSON.stringify(SERVER.href)}
const server = createServer()
await bound(server, { host: '127.0.0.1', port: 0 })
console.log(server.address().port)
setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
`

const allowed = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

describe.skipIf(allowed() < CLIENTS)('while the event loop is busy', () => {
  it('connections wait, as many as the system allows', async () => {
    const server = spawn(process.execPath, ['--input-type=module-typescript', '--eval', BUSY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const sockets: Socket[] = []
    try {
      const [port] = await once(createInterface(server.stdout), 'line')
      let connected = 0
      for (let client = 0; client < CLIENTS; client++) {
        const socket = connect(Number(port), '127.0.0.1', () => void connected++)
        sockets.push(socket.on('error', () => {}))
      }
      await waitFor('all connections', () => connected === CLIENTS)
      expect(connected).toBe(CLIENTS)
    } finally {
      for (const socket of sockets) socket.destroy()
      server.kill('SIGKILL')
    }
  })
})
