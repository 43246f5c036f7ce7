import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { checkHealth } from '@switchyard/service-kit/check-health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificate, type TestCertificate } from '@switchyard/testkit'
import { ConfigWorld } from '../support/config-world.ts'
import { readParts } from '../support/parts.ts'
import { routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const DEFERRED = '{ product(upc: "1") { name ...@defer { reviews { body } } } }'
const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let folder: string
let certificate: TestCertificate
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  folder = await mkdtemp(join(tmpdir(), 'switchyard-tls-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  certificate = createCertificate()
  router = stack.use(await start(await written('first', certificate)))
})
afterAll(() => stack.disposeAsync())

type Files = { readonly certFile: string; readonly keyFile: string }

async function written(name: string, { cert, key }: TestCertificate): Promise<Files> {
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) }
  await writeFile(files.certFile, cert)
  await writeFile(files.keyFile, key)
  return files
}

async function start({ certFile, keyFile }: Files, interval = '20ms'): Promise<TestRouter> {
  const settings = `
engine: { enable_defer: true }
traffic: { headers_timeout: 500ms, write_timeout: 500ms }
tls: { cert_file: ${certFile}, key_file: ${keyFile}, reload_interval: ${interval} }
`
  const started = await routerOn(world, { settings })
  await started.ready
  return started
}

function overHttps(query: string, ca = certificate.cert): Promise<{ version: string; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(
      `https://localhost:${router.port}/graphql`,
      { method: 'POST', ca, agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => resolve({ version: response.httpVersion, text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ query }))
  })
}

async function overHttp2(query: string): Promise<string> {
  const session = connectHttp2(`https://localhost:${router.port}`, { ca: certificate.cert })
  try {
    await once(session, 'connect')
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    stream.end(JSON.stringify({ query }))
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    return text
  } finally {
    session.destroy()
  }
}

async function handshake(target: TestRouter, ALPNProtocols: string[]): Promise<TLSSocket> {
  const socket = connectTls({
    port: target.port,
    host: '127.0.0.1',
    servername: 'localhost',
    rejectUnauthorized: false,
    ALPNProtocols,
  })
  await once(socket, 'secureConnect')
  return socket
}

/** The name in the certificate that a new connection gets. */
async function shownBy(target: TestRouter): Promise<unknown> {
  const socket = await handshake(target, ['http/1.1'])
  const name = socket.getPeerCertificate().subject.CN
  socket.destroy()
  return name
}

describe('a router with a certificate', () => {
  it('answers HTTP/1.1 and HTTP/2 over TLS on one port', async () => {
    expect(router.url).toBe(`https://127.0.0.1:${router.port}`)
    expect(await overHttps('{ version }')).toEqual({
      version: '1.1',
      text: '{"data":{"version":"products"}}',
    })
    expect(await overHttp2('{ version }')).toBe('{"data":{"version":"products"}}')
  })

  it('is asked for its health by a container as one without is', async () => {
    const at = { host: '127.0.0.1', port: router.port }
    expect(await checkHealth('ready', at)).toMatchObject({ ok: true })
  })

  it('agrees on the protocol with the client', async () => {
    for (const [offered, agreed] of [
      [['h2', 'http/1.1'], 'h2'],
      [['http/1.1'], 'http/1.1'],
      [[], false],
    ] as const) {
      const socket = await handshake(router, [...offered])
      expect(socket.alpnProtocol).toBe(agreed)
      socket.destroy()
    }
    await expect(handshake(router, ['spdy/3'])).rejects.toThrow()
    await until(
      () => router.logs.find(({ event }) => event === 'tls.handshake-failed'),
      'the failure is in the log',
    )
  })

  it('sends streams over both', async () => {
    const parts = (text: string) => readParts([Buffer.from(text)]).map((part) => part.text)
    const expected = [
      '{"data":{"product":{"name":"Table"}},"pending":[{"id":"1","path":["product"]}],"hasNext":true}',
      '{"incremental":[{"data":{"reviews":[{"body":"Review of 1"}]},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}',
    ]
    expect(parts((await overHttps(DEFERRED)).text)).toEqual(expected)
    expect(parts(await overHttp2(DEFERRED))).toEqual(expected)
  })

  it('gives nothing to a client that speaks without TLS, or says nothing', async () => {
    for (const bytes of ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', '']) {
      const socket = connectTcp(router.port, '127.0.0.1')
      socket.on('error', () => {})
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.write(bytes)
      await once(socket, 'close')
      expect(text).not.toContain('HTTP/')
    }
  })

  it('ends at once, whatever state its connections are in', async () => {
    const stopping = await start(await written('stopping', certificate))
    const sockets = [
      await handshake(stopping, ['h2']),
      await handshake(stopping, ['http/1.1']),
      connectTcp(stopping.port, '127.0.0.1'),
    ] as const
    await once(sockets[2], 'connect')
    for (const socket of sockets) socket.on('error', () => {}).resume()
    const closed = sockets.map((socket) => once(socket, 'close'))
    await stopping[Symbol.asyncDispose]()
    await Promise.all(closed)
  })
})

describe('a certificate that is renewed', () => {
  it('is shown at once when the router is told to look', async () => {
    const files = await written('reloaded', createCertificate({ name: 'old' }))
    await using own = await start(files, '1h')
    await written('reloaded', createCertificate({ name: 'renewed' }))
    expect(await shownBy(own)).toBe('old')
    own.reload()
    await until(async () => (await shownBy(own)) === 'renewed', 'the new certificate is shown')
  })

  it('is shown to new connections, and half of one to nobody', async () => {
    const old = createCertificate({ name: 'old' })
    const renewed = createCertificate({ name: 'renewed' })
    const files = await written('renewed', old)
    await using own = await start(files)
    const shown = () => shownBy(own)
    expect(await shown()).toBe('old')
    await writeFile(files.certFile, renewed.cert)
    const told = await until(
      () => own.logs.find(({ event }) => event === 'tls.certificate-not-renewed'),
      'the mismatch is told',
    )
    expect(told).toMatchObject({
      level: 'error',
      // Nothing of a start that failed: this router runs.
      reason: expect.stringMatching(/^tls\.key_file: the key in .* does not belong/),
    })
    expect(await shown()).toBe('old')
    await writeFile(files.keyFile, renewed.key)
    await until(async () => (await shown()) === 'renewed', 'the new certificate is shown')
    expect(own.logs.filter(({ event }) => event === 'tls.certificate-not-renewed')).toHaveLength(1)
    expect(own.logs.find(({ event }) => event === 'tls.certificate-renewed')).toMatchObject({ level: 'info' })
  })

  it('is told of when it is over', async () => {
    const over = createCertificate({ to: Date.now() - 1000 })
    await using own = await start(await written('over', over))
    expect(own.logs.filter(({ event }) => event === 'tls.certificate-expired')).toEqual([
      expect.objectContaining({ level: 'warn' }),
    ])
    const socket = await handshake(own, ['h2'])
    socket.destroy()
  })
})

describe('a certificate that cannot be used', () => {
  const refused = async (files: Files) =>
    start(files).then(
      () => 'it started',
      (error: unknown) => String(error),
    )

  it('stops the start, with what is wrong', async () => {
    const good = await written('good', certificate)
    expect(await refused({ ...good, certFile: join(folder, 'missing.crt') })).toMatch(
      /RouterConfigError: .*nothing was started.*tls\.cert_file: the file cannot be read \(ENOENT.*missing\.crt/,
    )
    const other = await written('other', createCertificate())
    expect(await refused({ ...good, keyFile: other.keyFile })).toMatch(
      /tls\.key_file: the key in ".*other\.key" does not belong to the certificate in ".*good\.crt" \(CN=localhost\)/,
    )
    const text = await written('text', { cert: 'hello', key: 'hello' })
    expect(await refused(text)).toMatch(
      /\n {2}1\. .*text\.crt" holds no certificate.*\n {2}2\. .*text\.key" holds no private key/,
    )
    expect(await refused({ ...good, certFile: good.keyFile })).toMatch(/holds no certificate/)
  })

  it('is missed when only half of it is set', async () => {
    await expect(routerOn(world, { settings: 'tls: { cert_file: a.crt }' })).rejects.toThrow(
      /"tls": cert_file and key_file belong together/,
    )
  })

  it.each(['tls: {}', 'tls:', 'tls: { reload_interval: 1m }'])(
    'is missed when the section is there without it: %s',
    async (settings) => {
      await expect(routerOn(world, { settings })).rejects.toThrow(
        /"tls": the section names no certificate: expected cert_file and key_file in it, or no section/,
      )
    },
  )
})
