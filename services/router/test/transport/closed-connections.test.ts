/** Subgraphs that accept connections and end them. Judged by counting connections, not by the clock. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { createCertificate } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn } from '../support/router.ts'

const certificate = createCertificate({ name: 'test authority', authority: true, hosts: ['127.0.0.1'] })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-closed-'))
  await writeFile(join(folder, 'ca.pem'), certificate.cert)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The frames SETTINGS and GOAWAY of HTTP/2, as a server sends them that drains. */
const DRAINS = Buffer.from('0000000400000000000000080700000000000000000000000000', 'hex')

const WAYS = [
  ['HTTP/1.1', false, ''],
  ['HTTPS', true, ''],
  ['HTTP/2', false, 'http2: true'],
  ['HTTP/2 with TLS', true, 'http2: true'],
] as const
const ENDS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['closes it', (socket) => socket.end()],
  ['breaks it', (socket) => socket.destroy()],
  ['says SETTINGS and GOAWAY', (socket) => socket.write(DRAINS)],
]
const CASES = WAYS.flatMap(([way, tls, setting]) =>
  ENDS.map(([ending, end]) => ({ way, tls, setting, ending, end })),
)

describe('a subgraph that accepts a connection', () => {
  it.each(CASES)('by $way, and $ending, gets four for a query at most', async ({ tls, setting, end }) => {
    await using use = new AsyncDisposableStack()
    const sockets: Socket[] = []
    const accept = (socket: Socket): void => {
      socket.on('error', () => {})
      socket.resume()
      end(socket)
    }
    const { cert, key } = certificate
    const server = tls
      ? createTlsServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'] }, accept)
      : createServer(accept)
    server.on('connection', (socket: Socket) => void sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    use.defer(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/graphql`
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: buildArtifact('base', { products: url, reviews: url }) })
    const subgraphs = [setting, `tls: { ca_file: ${join(folder, 'ca.pem')} }`].filter(Boolean).join(', ')
    const router = use.use(await routerOn(world, { settings: `{ subgraphs: { ${subgraphs} } }` }))
    await router.ready
    const { json } = await post(router, { query: '{ version }' })
    expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_UNREACHABLE')
    expect(sockets.length).toBeGreaterThan(0)
    expect(sockets.length).toBeLessThanOrEqual(4)
  })
})
