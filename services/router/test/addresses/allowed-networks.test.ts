/**
 * `subgraphs.allowed_networks` against every way in which an address can be written and every way in which
 * IPv6 carries IPv4. What is expected comes from the tables of IANA, typed again here, and from `BlockList`
 * of Node.js. `SEED=… RUNS=… vitest run services/router/test/subgraph/allowed-networks.test.ts` repeats or
 * lengthens a run.
 */
import * as fc from 'fast-check'
import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { RandomRun } from '@switchyard/testkit/random-run'
import { parseAddress } from '../../src/addresses/address-readings.ts'
import {
  AllowedNetworks,
  LOCAL_NETWORKS,
  problemOfNetwork,
  SERVICE_NETWORKS,
} from '../../src/addresses/allowed-networks.ts'
import { machineAddresses } from '../../src/addresses/machine-addresses.ts'

const RUN = new RandomRun(import.meta.url, 3000)

type Octets = readonly [number, number, number, number]

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']
const LOOPBACK = ['127.0.0.0/8', '0.0.0.0/8']
const NEITHER = [
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
]
const BLOCKED = [...PRIVATE, ...LOOPBACK, ...NEITHER]

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]
const METADATA_V6 = [
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fe80::a9fe:a9fe',
]

const hex = (...octets: readonly number[]): string =>
  octets.map((octet) => octet.toString(16).padStart(2, '0')).join('')
const inverted = (octets: Octets) => octets.map((octet) => 255 - octet)

/** 128 bits as 32 digits → eight groups. */
function groups(digits: string): string {
  expect(digits).toHaveLength(32)
  return digits.match(/.{4}/g)?.join(':') ?? ''
}

/** Every way in which IPv6 carries an IPv4 address, as eight full groups. */
const EMBEDDINGS: Readonly<Record<string, (octets: Octets) => string>> = {
  'IPv4-mapped': (ip) => groups(`00000000000000000000ffff${hex(...ip)}`),
  'IPv4-translated': (ip) => groups(`0000000000000000ffff0000${hex(...ip)}`),
  'IPv4-compatible': (ip) => groups(`000000000000000000000000${hex(...ip)}`),
  NAT64: (ip) => groups(`0064ff9b0000000000000000${hex(...ip)}`),
  '6to4': (ip) => groups(`2002${hex(...ip)}00000000000000000001`),
  'Teredo client': (ip) => groups(`20010000${hex(8, 8, 4, 4)}00000000${hex(...inverted(ip))}`),
  'Teredo server': (ip) => groups(`20010000${hex(...ip)}00000000${hex(...inverted([8, 8, 4, 4]))}`),
  ISATAP: (ip) => groups(`2600123456789abc00005efe${hex(...ip)}`),
  'ISATAP, universal': (ip) => groups(`2600123456789abc02005efe${hex(...ip)}`),
}

/** RFC 6052, section 2.2, below the prefix of RFC 8215. */
const LOCAL_NAT64: Readonly<Record<string, (octets: Octets) => string>> = {
  '48': ([a, b, c, d]) => groups(`0064ff9b0001${hex(a, b)}00${hex(c, d)}0000000000`),
  '56': ([a, b, c, d]) => groups(`0064ff9b000100${hex(a)}00${hex(b, c, d)}00000000`),
  '64': (ip) => groups(`0064ff9b0001000000${hex(...ip)}000000`),
  '96': (ip) => groups(`0064ff9b0001000000000000${hex(...ip)}`),
}

/** The same IPv6 address as people, libraries and attackers write it. */
function writings(full: string): string[] {
  const short = new URL(`http://[${full}]/`).hostname.slice(1, -1)
  const digits = full.replaceAll(':', '')
  const octets = digits.slice(24).match(/../g) ?? []
  const dotted = octets.map((octet) => Number.parseInt(octet, 16)).join('.')
  const mixed = `${full.split(':').slice(0, 6).join(':')}:${dotted}`
  return [full, short, full.toUpperCase(), mixed, `${short}%eth0`]
}

function octetsOf(text: string): Octets {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  return [a, b, c, d]
}

function inNetwork(network: string): fc.Arbitrary<Octets> {
  const [base = '', bits = ''] = network.split('/')
  const [a, b, c, d] = octetsOf(base)
  const first = ((a * 256 + b) * 256 + c) * 256 + d
  const size = 2 ** (32 - Number(bits))
  return fc
    .oneof(fc.constantFrom(0, size - 1), fc.nat(size - 1))
    .map((offset) => first + offset)
    .map((value): Octets => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
}

const special = new BlockList()
for (const network of [...BLOCKED, '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24']) {
  const [base = '', bits = ''] = network.split('/')
  special.addSubnet(base, Number(bits))
}
for (const address of METADATA) special.addAddress(address)
const publicIp = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  .filter((octets) => !special.check(octets.join('.')))

const embedding = fc.constantFrom(...Object.keys(EMBEDDINGS))
const embedded = (name: string, ip: Octets): string => EMBEDDINGS[name]?.(ip) ?? ''

/** The addresses of the machine that runs this are none of the business of most tests. */
const nowhere = () => new Set<string>()
const service = new AllowedNetworks(SERVICE_NETWORKS, nowhere)
const local = new AllowedNetworks(LOCAL_NETWORKS, nowhere)

/** The addresses that are allowed although none should be, or are not although all should be. */
function judged(networks: AllowedNetworks, addresses: readonly string[], expected: boolean): string[] {
  return addresses.filter((address) => (networks.refusalOf(address) === null) !== expected)
}

describe('allowed networks', () => {
  it.each([
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '::ffff:a9fe:a9fe',
    '::ffff:169.254.169.254',
    'fd20:ce::254',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:a9:fe:a9fe::',
    '64:ff9b:1:0:a9:fea9:fe00:0',
    '64:ff9b:1::a9fe:a9fe',
    '2001:0:a9fe:a9fe:0:0:f7f7:fbfb',
    '2001:0:808:404:0:0:5601:5601',
    'fe80::5efe:169.254.169.254',
    '::1',
    '::',
    '0.0.0.0',
    '127.0.0.1',
    '127.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    'fd12::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '5f00::1',
    '4000::1',
    'not an address',
    '',
  ])('do not hold %s for a service', (address) => {
    expect(service.refusalOf(address)).not.toBeNull()
  })

  it.each(['8.8.8.8', '2606:4700:4700::1111', '64:ff9b::808:808', '2002:808:808::1', '172.32.0.1'])(
    'hold %s for a service',
    (address) => {
      expect(service.refusalOf(address)).toBeNull()
    },
  )

  it('hold no address of a special range, in any embedding and any writing', {
    timeout: RUN.timeout(30_000),
  }, () => {
    const blocked = fc.oneof(...BLOCKED.map(inNetwork), fc.constantFrom(...METADATA.map(octetsOf)))
    fc.assert(
      fc.property(blocked, embedding, fc.constantFrom(...Object.keys(LOCAL_NAT64)), (ip, name, length) => {
        const carried = LOCAL_NAT64[length]?.(ip) ?? ''
        const written = [ip.join('.'), ...writings(embedded(name, ip)), ...writings(carried)]
        expect(judged(service, written, false)).toEqual([])
      }),
      RUN.parameters,
    )
  })

  it('hold every public address, in any embedding and any writing', { timeout: RUN.timeout(30_000) }, () => {
    const translating = new AllowedNetworks(['public', '64:ff9b:1::/96'])
    fc.assert(
      fc.property(publicIp, embedding, (ip, name) => {
        expect(judged(service, [ip.join('.'), ...writings(embedded(name, ip))], true)).toEqual([])
        const carried = writings(LOCAL_NAT64['96']?.(ip) ?? '')
        expect(judged(service, carried, false)).toEqual([])
        expect(judged(translating, carried, true)).toEqual([])
      }),
      RUN.parameters,
    )
  })

  it('of one machine hold its own and private addresses, and no others', {
    timeout: RUN.timeout(30_000),
  }, () => {
    const metadata = new Set(METADATA)
    fc.assert(
      fc.property(
        fc.oneof(...[...PRIVATE, ...LOOPBACK].map(inNetwork)).filter((ip) => !metadata.has(ip.join('.'))),
        fc.oneof(...NEITHER.map(inNetwork)),
        embedding,
        (near, other, name) => {
          expect(judged(local, [near.join('.'), ...writings(embedded(name, near))], true)).toEqual([])
          expect(judged(local, [other.join('.'), ...writings(embedded(name, other))], false)).toEqual([])
        },
      ),
      RUN.parameters,
    )
    expect(judged(local, ['::1', '::', 'fd12:3456::1', 'fc00::1'], true)).toEqual([])
    expect(judged(local, ['fe80::1', 'fec0::1', 'ff02::1', '2001:db8::1'], false)).toEqual([])
  })

  it('name a network below a translator only for the IPv4 networks that are named, too', () => {
    const named = new AllowedNetworks(['public', '64:ff9b:1::/48', '10.0.0.0/8'])
    for (const [length, write] of Object.entries(LOCAL_NAT64)) {
      expect(named.refusalOf(write([169, 254, 169, 254])), length).not.toBeNull()
      expect(named.refusalOf(write([192, 168, 7, 9])), length).not.toBeNull()
    }
    expect(named.refusalOf(LOCAL_NAT64['96']?.([10, 1, 2, 3]) ?? '')).toBeNull()
  })

  it('hold a metadata service only if its very address is named', () => {
    const everything = new AllowedNetworks(['0.0.0.0/0', '::/0', ...LOCAL_NETWORKS])
    expect(everything.refusalOf('169.254.1.1')).toBeNull()
    for (const address of METADATA) {
      const written = [address, ...Object.keys(EMBEDDINGS).map((name) => embedded(name, octetsOf(address)))]
      expect(judged(everything, written, false)).toEqual([])
      const networks = ['::/0', '8.8.4.4', address]
      expect(judged(new AllowedNetworks(networks), written, true)).toEqual([])
      expect(judged(new AllowedNetworks(['::/0', '8.8.4.4', `${address}/32`]), written, true)).toEqual([])
    }
    for (const address of METADATA_V6) {
      expect(judged(everything, writings(groups(digitsOf(address))), false)).toEqual([])
      expect(new AllowedNetworks([address]).refusalOf(address)).toBeNull()
    }
  })

  it('count every address that this machine has as loopback', () => {
    const own = () => new Set(['8.8.8.8', '10.1.2.3', '2606:4700::1'])
    const open = new AllowedNetworks(['public', 'private'], own)
    expect(judged(open, ['8.8.4.4', '10.1.2.4', '2606:4700::2'], true)).toEqual([])
    const addresses = ['8.8.8.8', '10.1.2.3', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::808:808']
    expect(judged(open, addresses, false)).toEqual([])
    expect(open.refusalOf('8.8.8.8')).toMatchObject({
      reason: expect.stringMatching(/^is this machine itself/),
      name: 'loopback',
    })
    expect(judged(new AllowedNetworks(LOCAL_NETWORKS, own), addresses, true)).toEqual([])
    expect(judged(new AllowedNetworks(['8.8.0.0/16'], own), ['8.8.8.8', '::ffff:8.8.8.8'], true)).toEqual([])
  })

  it('know the addresses of the machine that they are on', () => {
    const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    const expected = interfaces.map(({ address }) => parseAddress(address)?.toString())
    expect(expected).toContain('127.0.0.1')
    expect([...machineAddresses()()].toSorted()).toEqual([...new Set(expected)].toSorted())
  })

  it.each([
    ['10.1.2.3', 'is a private address', '10.0.0.0/8'],
    ['172.20.1.1', 'is a private address', '172.16.0.0/12'],
    ['100.64.1.1', 'is a private address', '100.64.0.0/10'],
    ['fd12::5', 'is a private address', 'fc00::/7'],
    ['::1', 'is this machine itself (loopback)', 'loopback'],
    ['169.254.1.1', 'is a link-local address', '169.254.1.1'],
    ['203.0.113.5', 'is a reserved address', '203.0.113.5'],
    ['64:ff9b::a01:203', 'leads to 10.1.2.3, a private address', '10.0.0.0/8'],
    ['::ffff:10.1.2.3', 'leads to 10.1.2.3, a private address', '10.0.0.0/8'],
    [
      '169.254.169.254',
      'is the metadata service of cloud machines (only its very address allows it)',
      '169.254.169.254',
    ],
  ])('say why %s is refused, and what to name', (address, reason, name) => {
    const said = `${reason}, which subgraphs.allowed_networks does not name`
    expect(service.refusalOf(address)).toEqual({ reason: said, name })
    expect(new AllowedNetworks([...SERVICE_NETWORKS, name]).refusalOf(address)).toBeNull()
  })
})

describe('an entry of allowed networks', () => {
  it.each(['public', 'private', 'loopback', '10.0.0.0/8', '10.1.2.3', '::1', 'fd12::/16', '64:ff9b:1::/96'])(
    'may be %s',
    (entry) => {
      expect(problemOfNetwork(entry)).toBeNull()
    },
  )

  it.each([
    '',
    'Private',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.1',
    '0x7f.1',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
  ])('may not be "%s"', (entry) => {
    expect(problemOfNetwork(entry)).toMatch(/^expected public, private, loopback, an address, or a network/)
  })

  it.each(['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', '64:ff9b::/96', '64:ff9b::a00:0/104'])(
    'may not be IPv4 in disguise: %s',
    (entry) => {
      expect(problemOfNetwork(entry)).toMatch(/name the IPv4 address or network itself/)
    },
  )
})

/** Of an address with at most one `::`. */
function digitsOf(address: string): string {
  const [head = '', tail] = address.split('::')
  const parts = (text: string) => text.split(':').filter((part) => part !== '')
  const missing = 8 - parts(head).length - parts(tail ?? '').length
  return [...parts(head), ...Array.from({ length: missing }, () => '0'), ...parts(tail ?? '')]
    .map((part) => part.padStart(4, '0'))
    .join('')
}
