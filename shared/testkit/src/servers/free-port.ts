import { createServer } from 'node:net'

/**
 * A loopback port that was free a moment ago. Another process may take it before the caller does, so whoever starts a
 * server on it tries again with another one when that server does not come up.
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
