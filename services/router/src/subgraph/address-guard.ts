/**
 * Which addresses subgraph calls may reach. Decided on the address that is connected to, not on the URL: a name can
 * resolve to anything, and to something else a second later.
 *
 * By default everything but link-local addresses and the metadata services of cloud machines, which give credentials to
 * whoever asks. With `subgraphs.allowed_hosts` only what is listed; a listed name still may not resolve to one of those.
 */
import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError'
  readonly code = 'SUBGRAPH_ADDRESS_NOT_ALLOWED'
  readonly host: string
  constructor(host: string, reason: string) {
    super(`${host} ${reason}; it was not connected to. See the setting subgraphs.allowed_hosts.`)
    this.host = host
  }
}

export interface AddressGuard {
  /** Throws AddressNotAllowedError when no address behind this host could be allowed. Called before connecting. */
  checkHost(host: string): void
  /** Resolves like `dns.lookup`, without the addresses that are not allowed. */
  readonly lookup: LookupFunction
}

export function createAddressGuard(allowedHosts: readonly string[] | null): AddressGuard {
  const refused = neverByDefault()
  const allowed = allowedHosts === null ? null : allowList(allowedHosts)

  const allowsAddress = (host: string, address: string): boolean => {
    const plain = withoutMapping(address)
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
    if (allowed?.addresses.check(plain, family)) return true
    if (refused.check(plain, family)) return false
    return allowed === null || allowed.names(host)
  }

  return {
    checkHost(host) {
      const bare = host.startsWith('[') ? host.slice(1, -1) : host
      if (isIP(bare) !== 0) {
        if (!allowsAddress(bare, bare)) throw new AddressNotAllowedError(bare, 'is not an allowed address')
        return
      }
      if (allowed !== null && !allowed.hasAddresses && !allowed.names(bare)) {
        throw new AddressNotAllowedError(bare, 'is not an allowed host')
      }
    },
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, '', 0)
        const usable = addresses.filter(({ address }) => allowsAddress(host, address))
        const [first] = usable
        if (first === undefined) {
          return callback(new AddressNotAllowedError(host, 'resolves to no allowed address'), '', 0)
        }
        if (options.all === true) return callback(null, usable)
        callback(null, first.address, first.family)
      })
    },
  }
}

function neverByDefault(): BlockList {
  const list = new BlockList()
  list.addSubnet('169.254.0.0', 16, 'ipv4')
  list.addSubnet('fe80::', 10, 'ipv6')
  list.addAddress('fd00:ec2::254', 'ipv6')
  list.addAddress('100.100.100.200', 'ipv4')
  list.addAddress('168.63.129.16', 'ipv4')
  list.addAddress('192.0.0.192', 'ipv4')
  return list
}

function allowList(entries: readonly string[]) {
  const addresses = new BlockList()
  const names = new Set<string>()
  const suffixes: string[] = []
  let hasAddresses = false
  for (const entry of entries) {
    const [host = '', bits] = entry.toLowerCase().split('/')
    const family = isIP(host)
    if (family !== 0) {
      hasAddresses = true
      const kind = family === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) addresses.addAddress(host, kind)
      else addresses.addSubnet(host, Number(bits), kind)
    } else if (host.startsWith('*.')) suffixes.push(host.slice(1))
    else names.add(host)
  }
  return {
    addresses,
    hasAddresses,
    names(host: string): boolean {
      const lower = host.toLowerCase()
      return names.has(lower) || suffixes.some((suffix) => lower.endsWith(suffix))
    },
  }
}

/** `::ffff:169.254.169.254` is the IPv4 address to the system, so it is to the rules. */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address)
  if (mapped === null) return address
  if (mapped[1] !== undefined) return mapped[1]
  const high = Number.parseInt(mapped[2] ?? '0', 16)
  const low = Number.parseInt(mapped[3] ?? '0', 16)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
