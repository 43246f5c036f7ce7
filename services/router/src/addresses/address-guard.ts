/**
 * Decides which addresses subgraph calls may reach. It judges the address that is connected to, not the URL:
 * a name can resolve to anything, and to something else a second later. Each connection looks its name up
 * once, here, and connects to an address that was allowed.
 *
 * `subgraphs.allowed_networks` says which addresses may be connected to; `subgraphs.allowed_hosts`, if it is
 * set, which hosts routing URLs may name. Addresses and networks that are listed there count for both.
 */
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { AllowedNetworks, type NetworkRefusal } from './allowed-networks.ts'

/** A subgraph is at an address that the settings do not allow; nothing was sent to it. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError'
  readonly code = 'SUBGRAPH_ADDRESS_NOT_ALLOWED'
  readonly host: string
  constructor(host: string, reason: string, remedy: string) {
    super(`${host} ${reason}; it was not connected to. ${remedy}`.trimEnd())
    this.host = host
  }
}

/** Resolves a name like `dns.lookup`. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Decides which hosts and addresses may be connected to. */
export interface AddressGuard {
  /**
   * Returns why a host is refused whatever its name may resolve to. Null if that is only known once it is
   * resolved.
   */
  objectionTo(host: string): AddressNotAllowedError | null
  /** Resolves like `dns.lookup`, without the addresses that are not allowed. */
  readonly lookup: LookupFunction
}

/** The settings `subgraphs.allowed_networks` and `subgraphs.allowed_hosts`. */
export type AddressRules = {
  readonly allowedNetworks: readonly string[]
  /** The hosts that may be connected to. Null if hosts may have any name. */
  readonly allowedHosts: readonly string[] | null
  /**
   * Returns advice about a refused address. `entries` are the networks to name, as YAML lists them. If it is
   * absent, the advice is about subgraphs.
   */
  readonly remedy?: (entries: string) => string
}

/** Creates a guard. `resolve` replaces the system's look-up of names in tests. */
export function createAddressGuard(rules: AddressRules, resolve: Resolve = systemLookup): AddressGuard {
  const { remedy = remedyForSubgraphs } = rules
  const networks = new AllowedNetworks(rules.allowedNetworks)
  const hosts = rules.allowedHosts === null ? null : new AllowedHosts(rules.allowedHosts)

  const refusalOf = (host: string, address: string): NetworkRefusal | 'host' | null => {
    if (hosts?.networks.refusalOf(address) === null) return null
    if (hosts !== null && !hosts.names(host)) return 'host'
    return networks.refusalOf(address)
  }
  /** Returns the error for a host with these addresses, all of which are refused. */
  const refused = (host: string, addresses: readonly string[]): AddressNotAllowedError => {
    const [address] = addresses
    if (address === undefined) return new AddressNotAllowedError(host, 'resolves to no address', '')
    const refusal = refusalOf(host, address)
    if (refusal === 'host' || refusal === null) return notListed(host)
    const { reason, name } = refusal
    return new AddressNotAllowedError(
      host,
      address === host ? reason : `resolves to ${address}, which ${reason}`,
      remedy([...networks.entries, name].map(quoted).join(', ')),
    )
  }

  return {
    objectionTo(host) {
      const bare = host.startsWith('[') ? host.slice(1, -1) : host
      if (isIP(bare) !== 0) return refusalOf(bare, bare) === null ? null : refused(bare, [bare])
      if (hosts !== null && !hosts.hasAddresses && !hosts.names(bare)) return notListed(bare)
      if (!isLocalhost(bare)) return null
      // RFC 6761, section 6.3: the name localhost always means a loopback address.
      return LOOPBACK.some((address) => refusalOf(bare, address) === null) ? null : refused(bare, LOOPBACK)
    },
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error !== null) return callback(error, '', 0)
        const addresses = found.slice(0, MAX_ADDRESSES)
        const usable = addresses.filter(({ address }) => refusalOf(host, address) === null)
        const [first] = usable
        if (first === undefined) {
          const all = addresses.map(({ address }) => address)
          return callback(refused(host, all), '', 0)
        }
        if (options.all === true) return callback(null, usable)
        callback(null, first.address, first.family)
      })
    },
  }
}

/**
 * The number of addresses of one name that are looked at. The owner of the name decides how many there are,
 * up to some thousands.
 */
const MAX_ADDRESSES = 64
const LOOPBACK = ['127.0.0.1', '::1']

class AllowedHosts {
  /** Addresses and networks among the entries. */
  readonly networks: AllowedNetworks
  readonly hasAddresses: boolean
  readonly #names = new Set<string>()
  readonly #suffixes: string[] = []

  constructor(entries: readonly string[]) {
    const networks: string[] = []
    for (const entry of entries.map(normalName)) {
      if (isIP(entry.replace(/\/\d+$/, '')) !== 0) networks.push(entry)
      else if (entry.startsWith('*.')) this.#suffixes.push(entry.slice(1))
      else this.#names.add(entry)
    }
    this.networks = new AllowedNetworks(networks)
    this.hasAddresses = networks.length > 0
  }

  names(host: string): boolean {
    const name = normalName(host)
    return this.#names.has(name) || this.#suffixes.some((suffix) => name.endsWith(suffix))
  }
}

/** Returns the name in lower case and without a dot at its end, which means the same. */
function normalName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost$/.test(normalName(host))
}

function notListed(host: string): AddressNotAllowedError {
  return new AddressNotAllowedError(
    host,
    'is not named in subgraphs.allowed_hosts',
    'If subgraphs may be there, add the host to that setting of the router.',
  )
}

function remedyForSubgraphs(entries: string): string {
  return (
    `If subgraphs may be there, name the network in the settings of the router, as in ` +
    `"subgraphs: { allowed_networks: [${entries}] }", or with SUBGRAPHS_ALLOWED_NETWORKS=${entries.replaceAll(/[' ]/g, '')}.`
  )
}

/** Quotes an entry if YAML in flow style needs it. */
function quoted(entry: string): string {
  return entry.includes(':') ? `'${entry}'` : entry
}
