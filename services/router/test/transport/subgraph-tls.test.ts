/** Subgraphs behind TLS: whom the router believes to be one, and as whom it calls them. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { createCertificate, type TestCertificate } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'

const stack = new AsyncDisposableStack()
const authority = createCertificate({ name: 'test authority', authority: true })
const signed = (name: string, hosts?: readonly string[]) =>
  createCertificate({ name, signedBy: authority, ...(hosts && { hosts }) })
const MTLS = { ca: authority.cert, requestCert: true, rejectUnauthorized: true }
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-subgraph-tls-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path('ca.pem'), authority.cert)
})
afterAll(() => stack.disposeAsync())

/** Node.js says it in one of two ways, by whether the authority is in the chain. */
const UNKNOWN_AUTHORITY = /^SUBGRAPH_UNREACHABLE: (?:unable to verify|self-signed certificate in)/

const path = (name: string): string => join(folder, name)

async function write(name: string, { cert, key }: TestCertificate): Promise<string> {
  await writeFile(path(`${name}.crt`), cert)
  await writeFile(path(`${name}.key`), key)
  return `cert_file: ${path(`${name}.crt`)}, key_file: ${path(`${name}.key`)}`
}

type TlsSubgraph = {
  readonly url: string
  /** Names in the certificates of those who connected; null: they showed none. */
  readonly callers: (string | null)[]
  readonly requests: () => number
  /** Holds answers back until the result is called. */
  readonly hold: () => () => void
}

/** Answers any query with the name of its caller as `version` and as the name of a product. */
async function startTlsSubgraph(use: AsyncDisposableStack, options: ServerOptions): Promise<TlsSubgraph> {
  const callers: (string | null)[] = []
  let open = Promise.resolve()
  let requests = 0
  const server = createServer(options, (request, response) => {
    const { socket } = request
    const caller = callerOn(socket as TLSSocket)
    request.resume().on('end', () => {
      requests++
      void open.then(() => response.end(JSON.stringify({ data: { version: caller ?? 'nobody' } })))
    })
  })
  server.on('secureConnection', (socket) => void callers.push(callerOn(socket)))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  use.defer(() => closed(server))
  const { port } = server.address() as AddressInfo
  const hold = () => {
    const held = Promise.withResolvers<void>()
    open = held.promise
    return () => {
      open = Promise.resolve()
      held.resolve()
    }
  }
  return { url: `https://localhost:${port}/graphql`, callers, requests: () => requests, hold }
}

function callerOn(socket: TLSSocket): string | null {
  const { subject } = socket.getPeerCertificate() as { subject?: { CN: string } }
  return subject?.CN ?? null
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

async function routerFor(
  use: AsyncDisposableStack,
  subgraphs: string,
  urls: { readonly products: string; readonly reviews?: string },
): Promise<TestRouter> {
  const world = use.use(await ConfigWorld.create())
  const base = buildArtifact('base', { reviews: 'http://127.0.0.1:9/', ...urls })
  await world.publish({ revision: 1, base })
  const router = use.use(await routerOn(world, { settings: `subgraphs: ${subgraphs}` }))
  await router.ready
  return router
}

/** What the subgraph says who called it, or the code of the error with what the log says of it. */
async function callOf(router: TestRouter): Promise<unknown> {
  const { json } = await post(router, { query: '{ version }' })
  if (json.errors === undefined) return json.data?.['version']
  const failed = router.logs.findLast(({ event }) => event === 'subgraph.failed')
  return `${String(json.errors[0]?.extensions['code'])}: ${String(failed?.['detail'])}`
}

describe('a subgraph behind TLS', () => {
  it('is not believed without an authority that the router knows', async () => {
    await using use = new AsyncDisposableStack()
    const { url, callers } = await startTlsSubgraph(use, signed('subgraph'))
    const router = await routerFor(use, '{}', { products: url })
    expect(await callOf(router)).toMatch(UNKNOWN_AUTHORITY)
    expect(callers).toEqual([])
  })

  it('is believed with a certificate of the authorities in ca_file', async () => {
    await using use = new AsyncDisposableStack()
    const { url } = await startTlsSubgraph(use, signed('subgraph'))
    const router = await routerFor(use, `{ tls: { ca_file: ${path('ca.pem')} } }`, { products: url })
    expect(await callOf(router)).toBe('nobody')
  })

  it('has to show a certificate for the host in its URL, or for server_name', async () => {
    await using use = new AsyncDisposableStack()
    const { url } = await startTlsSubgraph(use, signed('subgraph', ['products.internal']))
    const tls = `ca_file: ${path('ca.pem')}`
    const wrong = await routerFor(use, `{ tls: { ${tls} } }`, { products: url })
    expect(await callOf(wrong)).toMatch(/^SUBGRAPH_UNREACHABLE: .*does not match certificate/)
    const named = await routerFor(use, `{ tls: { ${tls}, server_name: products.internal } }`, {
      products: url,
    })
    expect(await callOf(named)).toBe('nobody')
  })

  it('that asks who calls it is not reached without a certificate, or with a foreign one', async () => {
    await using use = new AsyncDisposableStack()
    const { url, callers } = await startTlsSubgraph(use, { ...signed('subgraph'), ...MTLS })
    const tls = `ca_file: ${path('ca.pem')}`
    const without = await routerFor(use, `{ tls: { ${tls} } }`, { products: url })
    expect(await callOf(without)).toMatch(/^SUBGRAPH_UNREACHABLE: /)
    const foreign = await write('foreign', createCertificate({ name: 'foreign' }))
    const stranger = await routerFor(use, `{ tls: { ${tls}, ${foreign} } }`, { products: url })
    expect(await callOf(stranger)).toMatch(/^SUBGRAPH_UNREACHABLE: /)
    const own = await write('own', signed('router'))
    const known = await routerFor(use, `{ tls: { ${tls}, ${own} } }`, { products: url })
    expect(await callOf(known)).toBe('router')
    expect(callers).toContain('router')
    expect(callers).not.toContain('foreign')
  })
})

describe('settings for one subgraph', () => {
  it('take the place of all that is said for all of them', async () => {
    await using use = new AsyncDisposableStack()
    const { url } = await startTlsSubgraph(use, { ...signed('subgraph'), ...MTLS, rejectUnauthorized: false })
    const general = `ca_file: ${path('ca.pem')}, ${await write('general', signed('general'))}`
    const plain = `{ tls: { ${general} }, overrides: { products: { tls: { ca_file: ${path('ca.pem')} } } } }`
    expect(await callOf(await routerFor(use, plain, { products: url }))).toBe('nobody')
    const none = `{ tls: { ${general} }, overrides: { products: { tls: {} } } }`
    expect(await callOf(await routerFor(use, none, { products: url }))).toMatch(UNKNOWN_AUTHORITY)
    const other = `{ tls: { ${general} }, overrides: { reviews: { tls: {} } } }`
    expect(await callOf(await routerFor(use, other, { products: url }))).toBe('general')
  })

  it('keep connections and equal fetches of two subgraphs at one address apart', async () => {
    await using use = new AsyncDisposableStack()
    const seen: string[] = []
    const server = createServer({ ...signed('subgraph'), ...MTLS }, (request, response) => {
      const caller = String(callerOn(request.socket as TLSSocket))
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        seen.push(caller)
        const { query } = JSON.parse(body) as { query: string }
        const [, field = ''] = /\{\s*(\w+)/.exec(query) ?? []
        response.end(JSON.stringify({ data: { [field]: caller } }))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    use.defer(() => closed(server))
    const url = `https://localhost:${(server.address() as AddressInfo).port}/graphql`
    const ca = `ca_file: ${path('ca.pem')}`
    const own = async (name: string) =>
      `${name}: { tls: { ${ca}, ${await write(name, signed(`for ${name}`))} } }`
    const overrides = `{ overrides: { ${await own('products')}, ${await own('reviews')} } }`
    const router = await routerFor(use, overrides, { products: url, reviews: url })
    const query = '{ version reviewHeader(name: "x") }'
    for (let again = 0; again < 3; again++)
      expect((await post(router, { query })).json.data).toEqual({
        version: 'for products',
        reviewHeader: 'for reviews',
      })
    expect(seen.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'for products'),
      ...Array.from({ length: 3 }, () => 'for reviews'),
    ])
  })
})

describe('certificates that are renewed', () => {
  it('are shown by new connections, while calls in progress end on theirs', async () => {
    await using use = new AsyncDisposableStack()
    const { url, hold, callers, requests } = await startTlsSubgraph(use, { ...signed('subgraph'), ...MTLS })
    const files = await write('renewed', signed('old'))
    const tls = `ca_file: ${path('ca.pem')}, ${files}, reload_interval: 1h`
    const router = await routerFor(use, `{ tls: { ${tls} } }`, { products: url })
    expect(await callOf(router)).toBe('old')
    const release = hold()
    const inProgress = callOf(router)
    await until(() => requests() === 2, 'the call is in progress')
    await write('renewed', signed('new'))
    router.reload()
    const renewed = await until(
      () => router.logs.find(({ event }) => event === 'subgraph.tls-renewed'),
      'the renewal is told',
    )
    expect(renewed).toMatchObject({ level: 'info', section: 'subgraphs.tls', validTo: expect.any(String) })
    release()
    expect(await inProgress).toBe('old')
    expect(await callOf(router)).toBe('new')
    expect(new Set(callers)).toEqual(new Set(['old', 'new']))
  })

  it('are found by looking from time to time, and half of a pair is told and not used', async () => {
    await using use = new AsyncDisposableStack()
    const { url } = await startTlsSubgraph(use, { ...signed('subgraph'), ...MTLS })
    const files = await write('half', signed('old'))
    const tls = `ca_file: ${path('ca.pem')}, ${files}`
    const settings = `{ tls: { reload_interval: 20ms }, overrides: { products: { tls: { ${tls} } } } }`
    const router = await routerFor(use, settings, { products: url })
    const renewed = signed('new')
    await writeFile(path('half.crt'), renewed.cert)
    const told = await until(
      () => router.logs.find(({ event }) => event === 'subgraph.tls-not-renewed'),
      'the mismatch is told',
    )
    expect(told).toMatchObject({
      level: 'error',
      section: 'subgraphs.overrides.products.tls',
      reason: expect.stringMatching(/^subgraphs\.overrides\.products\.tls\.key_file: .* does not belong/),
    })
    expect(await callOf(router)).toBe('old')
    await writeFile(path('half.key'), renewed.key)
    await until(async () => (await callOf(router)) === 'new', 'the new certificate is shown')
  })

  it('are believed by a renewed ca_file', async () => {
    await using use = new AsyncDisposableStack()
    const { url } = await startTlsSubgraph(use, signed('subgraph'))
    await writeFile(path('ca-renewed.pem'), createCertificate({ name: 'other', authority: true }).cert)
    const tls = `ca_file: ${path('ca-renewed.pem')}, reload_interval: 20ms`
    const router = await routerFor(use, `{ tls: { ${tls} } }`, { products: url })
    expect(await callOf(router)).toMatch(UNKNOWN_AUTHORITY)
    await writeFile(path('ca-renewed.pem'), authority.cert)
    await until(async () => (await callOf(router)) === 'nobody', 'the subgraph is believed')
  })

  it('are told of when their time is over', async () => {
    await using use = new AsyncDisposableStack()
    const over = createCertificate({ name: 'over', signedBy: authority, to: Date.now() - 1000 })
    const tls = `tls: { ${await write('over', over)}, reload_interval: 20ms }`
    const router = await routerFor(use, `{ ${tls} }`, { products: 'http://127.0.0.1:9/' })
    const told = () => router.logs.filter(({ event }) => event === 'subgraph.certificate-expired')
    expect(told()).toEqual([expect.objectContaining({ level: 'warn', section: 'subgraphs.tls' })])
  })
})

describe('files that cannot be used', () => {
  it('stop the start, with all that is wrong', async () => {
    await writeFile(path('text.pem'), 'hello')
    await writeFile(path('broken.pem'), authority.cert.replace(/\n.{20}/, '\n'))
    await write('one', signed('one'))
    await write('two', signed('two'))
    const settings = `{
      tls: { ca_file: ${path('missing.pem')} },
      overrides: {
        a: { tls: { ca_file: ${path('text.pem')}, cert_file: ${path('one.crt')}, key_file: ${path('two.key')} } },
        b: { tls: { ca_file: ${path('broken.pem')} } } } }`
    await using use = new AsyncDisposableStack()
    const started = routerFor(use, settings, { products: 'http://127.0.0.1:9/' })
    const message = await started.then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    expect(message).toMatch(/^RouterConfigError: .*nothing was started/)
    for (const problem of [
      /subgraphs\.tls\.ca_file: the file cannot be read \(ENOENT.*missing\.pem/,
      /subgraphs\.overrides\.a\.tls\.ca_file: ".*text\.pem" holds no certificate; expected those of auth/,
      /subgraphs\.overrides\.a\.tls\.key_file: the key in ".*two\.key" does not belong to .*\(CN=one\)/,
      /subgraphs\.overrides\.b\.tls\.ca_file: ".*broken\.pem" holds a certificate that cannot be read, number 1/,
    ])
      expect(message).toMatch(problem)
  })

  it('tells of subgraphs that are called without it although the settings secure them', async () => {
    await using use = new AsyncDisposableStack()
    const secured = 'tls: { server_name: a.example }'
    const router = await routerFor(
      use,
      `{ overrides: { products: { ${secured} }, reviews: { timeout: 1s } } }`,
      {
        products: 'http://127.0.0.1:9/',
      },
    )
    const told = () => router.logs.filter(({ event }) => event === 'config.subgraphs-not-secured')
    expect(told()).toMatchObject([{ level: 'warn', subgraphs: ['products'], count: 1 }])
    const plain = await routerFor(
      use,
      `{ tls: { server_name: a.example }, overrides: { reviews: { tls: {} } } }`,
      {
        products: 'http://127.0.0.1:9/',
      },
    )
    expect(plain.logs.filter(({ event }) => event === 'config.subgraphs-not-secured')).toEqual([])
  })

  it.each([
    ['{ tls: { cert_file: a.crt } }', /cert_file and key_file belong together: expected both/],
    ['{ overrides: { a: { tls: { key_file: a.key } } } }', /cert_file and key_file belong together/],
    ['{ tls: { server_name: 127.0.0.1 } }', /expected a host name, which an address is not/],
    ['{ tls: { server_name: "a b" } }', /expected a host name/],
    ['{ tls: { verify: false } }', /unknown setting "subgraphs.tls.verify"/],
  ])('are missed in %s', async (settings, problem) => {
    await using use = new AsyncDisposableStack()
    await expect(routerFor(use, settings, { products: 'http://127.0.0.1:9/' })).rejects.toThrow(problem)
  })
})
