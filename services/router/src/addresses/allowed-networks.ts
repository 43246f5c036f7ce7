/**
 * Decides which addresses subgraphs may have, by the setting `subgraphs.allowed_networks`: words for kinds of
 * addresses, and networks.
 *
 * An address with an IPv4 address in it is allowed only if every address that can be read from it is allowed.
 * The metadata services of cloud machines, which give credentials to whoever asks, are allowed only if their
 * very address is named, because a private network that somebody allows may hold one. Whatever address this
 * machine has, to connect to it counts as `loopback`: servers that listen on all addresses are there, and no
 * firewall is in between.
 */
import { isNetwork } from '@switchyard/service-kit'
import ipaddr from 'ipaddr.js'
import { machineAddresses } from './machine-addresses.ts'
import { type Address, isSubstitute, parseAddress, readingsOf } from './address-readings.ts'

/** The kinds of addresses that a word can name; all others are named by network. */
export const NETWORK_WORDS = ['public', 'private', 'loopback'] as const
type NetworkWord = (typeof NETWORK_WORDS)[number]
type NetworkKind = NetworkWord | 'link-local' | 'reserved'

/** The default of services, whose graphs are written by whoever may deploy. */
export const SERVICE_NETWORKS: readonly string[] = ['public']
/**
 * The default of routers on one's own machine, and of those that serve a file: whoever starts them writes the
 * routing URLs, too.
 */
export const LOCAL_NETWORKS: readonly string[] = NETWORK_WORDS

/** The addresses of metadata services, as `Address.toString()` writes them. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(
  [
    '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean, Hetzner, OpenStack, IBM and others
    '169.254.170.2', // AWS: credentials of ECS tasks
    '169.254.170.23', // AWS: credentials of EKS pods
    '169.254.0.23', // Tencent
    '169.254.42.42', // Scaleway
    '100.100.100.200', // Alibaba, within the range of carrier-grade NAT
    '168.63.129.16', // Azure, a public address
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS: credentials of EKS pods
    'fd20:ce::254', // Google
    'fd00:c1::a9fe:a9fe', // Oracle
    'fd00:42::42', // Scaleway
    'fd00:a9fe:a9fe::1', // Akamai (Linode)
    'fe80::a9fe:a9fe', // OpenStack
  ].map((text) => ipaddr.parse(text).toString()),
)

/**
 * Our kinds by those of `ipaddr.js`. Kinds that are not listed are reserved, as are those that it does not
 * know yet.
 */
const KINDS: ReadonlyMap<string, NetworkKind> = new Map<string, NetworkKind>([
  ['unicast', 'public'],
  // The IPv4 addresses in these are judged apart.
  ['6to4', 'public'],
  ['teredo', 'public'],
  ['private', 'private'],
  ['carrierGradeNat', 'private'],
  ['uniqueLocal', 'private'],
  ['loopback', 'loopback'],
  // To connect to it means this machine.
  ['unspecified', 'loopback'],
  ['linkLocal', 'link-local'],
])
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The networks that an operator would name to allow private addresses. */
const SUGGESTED = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(
  (text) => ({ text, network: ipaddr.parseCIDR(text) }),
)

/** Why an address may not be connected to, and which setting would allow it. */
export type NetworkRefusal = {
  /** The objection to the address, as the end of a sentence that begins with the address. */
  readonly reason: string
  /** The word, network or address to name so that it is allowed. */
  readonly name: string
}

/** The networks and addresses that may be connected to, as the settings name them. */
export class AllowedNetworks {
  /** The entries as they are written in the settings. */
  readonly entries: readonly string[]
  readonly #kinds: ReadonlySet<string>
  readonly #networks: readonly [Address, number][]
  readonly #addresses: ReadonlySet<string>
  readonly #ownAddresses: () => ReadonlySet<string>

  /**
   * Every entry must be one that `problemOfNetwork` accepts. `ownAddresses` replaces the addresses of this
   * machine in tests.
   */
  constructor(entries: readonly string[], ownAddresses = machineAddresses()) {
    this.entries = entries
    this.#ownAddresses = ownAddresses
    this.#kinds = new Set(entries.filter(isWord))
    const networks = entries.filter((entry) => !isWord(entry)).map(networkOf)
    this.#networks = networks
    this.#addresses = new Set(
      networks
        .filter(([address, bits]) => bits === bitsOf(address))
        .map(([address]) => withoutZone(address).toString()),
    )
  }

  /** Returns why an address is refused. Null if it may be connected to. Text that is no address may not. */
  refusalOf(address: string): NetworkRefusal | null {
    const parsed = parseAddress(address)
    if (parsed === null) return { reason: 'is no IP address', name: address }
    const readings = readingsOf(withoutZone(parsed))
    const refused = readings.find((reading) => !this.#allows(reading))
    if (refused === undefined) return null
    const isItself = readings[0] === refused && !isSubstitute(parsed)
    const kind = this.#kindOf(refused)
    const described = `${describe(refused, kind)}, which subgraphs.allowed_networks does not name`
    return {
      reason: isItself ? `is ${described}` : `leads to ${refused.toString()}, ${described}`,
      name: suggestionFor(refused, kind),
    }
  }

  #allows(address: Address): boolean {
    const text = address.toString()
    if (this.#addresses.has(text)) return true
    if (METADATA_SERVICES.has(text)) return false
    return this.#kinds.has(this.#kindOf(address)) || this.#networks.some((network) => isIn(address, network))
  }

  #kindOf(address: Address): NetworkKind {
    const kind = kindOf(address)
    if (kind === 'reserved' || this.#kinds.has('loopback')) return kind
    return this.#ownAddresses().has(address.toString()) ? 'loopback' : kind
  }
}

/** Returns what is wrong with an entry, or null if `subgraphs.allowed_networks` may hold it. */
export function problemOfNetwork(entry: string): string | null {
  if (isWord(entry)) return null
  if (!isNetwork(entry) || entry.includes('%'))
    return `expected ${NETWORK_WORDS.join(', ')}, an address, or a network such as 10.0.0.0/8`
  const [address] = networkOf(entry)
  if (!isSubstitute(address)) return null
  return 'this is an IPv4 address written as IPv6: name the IPv4 address or network itself'
}

function isWord(entry: string): entry is NetworkWord {
  return (NETWORK_WORDS as readonly string[]).includes(entry)
}

function networkOf(entry: string): [Address, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.parse(entry)
  return [address, bitsOf(address)]
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

function withoutZone(address: Address): Address {
  return 'zoneId' in address ? new ipaddr.IPv6(address.toByteArray()) : address
}

function isIn(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function kindOf(address: Address): NetworkKind {
  const kind = KINDS.get(address.range()) ?? 'reserved'
  if (kind !== 'public' || address.kind() === 'ipv4') return kind
  return address.match(GLOBAL_UNICAST) ? 'public' : 'reserved'
}

function describe(address: Address, kind: NetworkKind): string {
  if (METADATA_SERVICES.has(address.toString()))
    return 'the metadata service of cloud machines (only its very address allows it)'
  switch (kind) {
    case 'public':
    case 'private':
    case 'reserved':
    case 'link-local':
      return `a ${kind} address`
    case 'loopback':
      return 'this machine itself (loopback)'
    default:
      return kind satisfies never
  }
}

function suggestionFor(address: Address, kind: NetworkKind): string {
  if (METADATA_SERVICES.has(address.toString())) return address.toString()
  if (kind === 'loopback' || kind === 'public') return kind
  return SUGGESTED.find(({ network }) => isIn(address, network))?.text ?? address.toString()
}
