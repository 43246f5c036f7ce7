/** Calls of subgraphs over real sockets, where names resolve to one thing and then to another. */
import type { LookupAddress } from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressRules, createAddressGuard, type Resolve } from '../../src/addresses/address-guard.ts'
import type { SubgraphsConfig } from '../../src/call/settings.ts'
import { Origins } from '../../src/call/origins.ts'
import { LoadWatch } from '../../src/transport/load/load-watch.ts'
import { send } from '../transport/http1/support.ts'
import { closeServer } from '../support/subgraph.ts'

/** Two hosts on one machine, of which only the first may be called. */
const ALLOWED = '127.0.0.2'
const INTERNAL = '127.0.0.1'
const RULES: AddressRules = { allowedNetworks: ['public', `${ALLOWED}/32`], allowedHosts: null }

type Host = { readonly requests: string[]; connections: number; answer: (response: ServerResponse) => void }
const hosts = new Map<string, Host>()
const stack = new AsyncDisposableStack()
let port = 0

beforeAll(async () => {
  port = await startHost(ALLOWED, 0)
  await startHost(INTERNAL, port)
})
afterAll(() => stack.disposeAsync())

async function startHost(address: string, wanted: number): Promise<number> {
  const host: Host = { requests: [], connections: 0, answer: (response) => response.end(address) }
  hosts.set(address, host)
  const server = createServer((request: IncomingMessage, response) => {
    host.requests.push(String(request.url))
    host.answer(response)
  })
  server.on('connection', () => host.connections++)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, address, resolve))
  stack.defer(() => closeServer(server))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on an address, not on a path
  return (server.address() as AddressInfo).port
}

function host(address: string): Host {
  const found = hosts.get(address)
  if (found === undefined) throw new Error(`nothing listens on ${address}`)
  return found
}

/** Answers with the next of these each time, and with the last of them from then on. */
function nameServer(...answers: readonly (readonly string[])[]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = []
  const resolve: Resolve = (name, _options, callback) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(name)
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    )
    setImmediate(callback, null, found)
  }
  return { resolve, asked }
}

function open(use: AsyncDisposableStack, resolve?: Resolve, rules = RULES): Origins {
  const limits = { connectTimeout: 5000, maxConnections: 3 }
  const config = {
    ...rules,
    ...limits,
    all: { socketPath: null, http2: false },
    bySubgraph: new Map(),
  } as unknown as SubgraphsConfig
  return use.use(new Origins(config, { loads: new LoadWatch(), ...(resolve && { resolve }) }))
}

/** By a connection of its own: the body, or the code of the failure. */
async function call(origins: Origins, name: string): Promise<string> {
  using lease = origins.lease(`http://${name}:${port}`, 'products')
  const { status, body, error } = await send(lease.value, { path: '/' }).done
  if (error !== null) return 'code' in error ? String(error.code) : String(error)
  return status === 200 ? body : String(status)
}

const REFUSED = 'SUBGRAPH_ADDRESS_NOT_ALLOWED'

describe('a subgraph call', () => {
  it('does not follow a name that resolves to another address a moment later', async () => {
    await using use = new AsyncDisposableStack()
    const before = host(INTERNAL).connections
    const { resolve, asked } = nameServer([ALLOWED], [INTERNAL])
    const origins = open(use, resolve)
    expect(await call(origins, 'rebound.example')).toBe(ALLOWED)
    expect(asked).toEqual(['rebound.example'])
    for (let again = 0; again < 5; again++) expect(await call(origins, 'rebound.example')).toBe(REFUSED)
    expect(asked).toHaveLength(6)
    expect(host(INTERNAL).connections).toBe(before)
  })

  it('connects to what was looked up for it, and does not look a second time', async () => {
    await using use = new AsyncDisposableStack()
    const before = host(INTERNAL).connections
    const flapping = Array.from({ length: 20 }, (_, turn) => [turn % 2 === 0 ? ALLOWED : INTERNAL])
    const { resolve, asked } = nameServer(...flapping)
    const origins = open(use, resolve)
    for (const expected of flapping.map(([address]) => (address === ALLOWED ? ALLOWED : REFUSED)))
      expect(await call(origins, 'flapping.example')).toBe(expected)
    expect(asked).toHaveLength(20)
    expect(host(INTERNAL).connections).toBe(before)
  })

  it('goes to the allowed ones among the addresses of a name, also when these do not answer', async () => {
    await using use = new AsyncDisposableStack()
    const before = host(INTERNAL).connections
    const mixed = nameServer([INTERNAL, '::1', ALLOWED, '10.0.0.1'])
    expect(await call(open(use, mixed.resolve), 'mixed.example')).toBe(ALLOWED)
    const rules = { ...RULES, allowedNetworks: ['127.0.0.3'] }
    const dead = nameServer(['127.0.0.3', INTERNAL])
    expect(await call(open(use, dead.resolve, rules), 'dead.example')).toBe('ECONNREFUSED')
    expect(host(INTERNAL).connections).toBe(before)
  })

  it('looks at the first 64 addresses of a name, however many there are', async () => {
    await using use = new AsyncDisposableStack()
    const after = (others: number) =>
      nameServer([...Array.from({ length: others }, () => INTERNAL), ALLOWED]).resolve
    expect(await call(open(use, after(63)), 'many.example')).toBe(ALLOWED)
    expect(await call(open(use, after(64)), 'too-many.example')).toBe(REFUSED)
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '017700000001',
    '2130706433',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::1]',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST.',
    'anything.localhost',
  ])('to http://%s/ on this machine is refused without a connection, and said before', async (name) => {
    await using use = new AsyncDisposableStack()
    const before = host(INTERNAL).connections
    const { hostname } = new URL(`http://${name}/`)
    const origins = open(use)
    expect(origins.objectionTo(`http://${hostname}:${port}`, 'products')?.message).toMatch(
      /allowed_networks: \[public, 127\.0\.0\.2\/32, loopback\]/,
    )
    expect(await call(origins, hostname)).toBe(REFUSED)
    expect(host(INTERNAL).connections).toBe(before)
  })

  it('does not go where a redirect leads', async () => {
    await using use = new AsyncDisposableStack()
    const before = host(INTERNAL).connections
    const { answer } = host(ALLOWED)
    use.defer(() => void (host(ALLOWED).answer = answer))
    host(ALLOWED).answer = (response) =>
      response.writeHead(307, { location: `http://${INTERNAL}:${port}/` }).end()
    expect(await call(open(use), ALLOWED)).toBe('307')
    expect(host(INTERNAL).connections).toBe(before)
  })

  it('to a name that means nothing fails as it did', async () => {
    await using use = new AsyncDisposableStack()
    const resolve: Resolve = (_name, _options, callback) =>
      setImmediate(callback, Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    expect(await call(open(use, resolve), 'nothing.example')).toBe('ENOTFOUND')
    expect(await call(open(use, nameServer([]).resolve), 'empty.example')).toBe(REFUSED)
  })
})

describe('the refusal', () => {
  const messageFor = (host: string, rules: Partial<AddressRules> = {}) =>
    createAddressGuard({ allowedNetworks: ['public'], allowedHosts: null, ...rules }).objectionTo(host)
      ?.message

  it('says what the address is and exactly what to set', () => {
    expect(messageFor('10.1.2.3')).toBe(
      '10.1.2.3 is a private address, which subgraphs.allowed_networks does not name; it was not connected to. ' +
        'If subgraphs may be there, name the network in the settings of the router, as in "subgraphs: { allowed_networks: [public, 10.0.0.0/8] }", ' +
        'or with SUBGRAPHS_ALLOWED_NETWORKS=public,10.0.0.0/8.',
    )
    expect(messageFor('[fd12::1]')).toContain("allowed_networks: [public, 'fc00::/7']")
  })

  it('says what a name resolved to', async () => {
    const { resolve } = nameServer(['192.168.3.4', '10.0.0.1'])
    const guard = createAddressGuard({ allowedNetworks: ['public'], allowedHosts: null }, resolve)
    expect(guard.objectionTo('products.svc')).toBeNull()
    const error = await new Promise<Error | null>((done) => guard.lookup('products.svc', {}, done))
    expect(error?.message).toMatch(
      /^products\.svc resolves to 192\.168\.3\.4, which is a private address.*SUBGRAPHS_ALLOWED_NETWORKS=public,192\.168\.0\.0\/16\.$/,
    )
  })

  it('names the list of hosts when it is that one', () => {
    const rules = { allowedHosts: ['*.shop.example'] }
    expect(messageFor('products.other.example', rules)).toMatch(/is not named in subgraphs\.allowed_hosts/)
    expect(messageFor('10.1.2.3', rules)).toMatch(/is not named in subgraphs\.allowed_hosts/)
    expect(messageFor('products.shop.example', rules)).toBeUndefined()
    expect(messageFor('Products.SHOP.example.', rules)).toBeUndefined()
    expect(messageFor('shop.example', rules)).toMatch(/allowed_hosts/)
  })
})

describe('allowed hosts', () => {
  const rules = (allowedHosts: string[], allowedNetworks = ['public']) => ({ allowedHosts, allowedNetworks })

  it('narrow what allowed networks hold, and do not widen it by a name', async () => {
    await using use = new AsyncDisposableStack()
    const { resolve } = nameServer([ALLOWED])
    const named = (networks: string[]) => open(use, resolve, rules(['*.shop.example'], networks))
    expect(await call(named(['public']), 'a.shop.example')).toBe(REFUSED)
    expect(await call(named([ALLOWED]), 'a.shop.example')).toBe(ALLOWED)
    expect(await call(named([ALLOWED]), 'a.other.example')).toBe(REFUSED)
  })

  it('allow the addresses and networks among them, by whatever name', async () => {
    await using use = new AsyncDisposableStack()
    const origins = open(use, nameServer([ALLOWED]).resolve, rules(['127.0.0.2/31']))
    expect(await call(origins, ALLOWED)).toBe(ALLOWED)
    expect(await call(origins, 'any.example')).toBe(ALLOWED)
    expect(await call(origins, INTERNAL)).toBe(REFUSED)
  })

  it('hold a metadata service only by its very address', () => {
    const guard = (...entries: string[]) => createAddressGuard(rules(entries, ['public', 'private']))
    expect(guard('169.254.0.0/16').objectionTo('169.254.169.254')).not.toBeNull()
    expect(guard('169.254.0.0/16').objectionTo('169.254.1.1')).toBeNull()
    expect(guard('169.254.169.254').objectionTo('169.254.169.254')).toBeNull()
  })
})
