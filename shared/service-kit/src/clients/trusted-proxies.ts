/**
 * Proxies that are believed when they say, in `X-Forwarded-For`, for whom they send a request. From anybody
 * else that header says nothing: every client can send it.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** More proxies than one request passes through. */
const MAX_HOPS = 32

export class TrustedProxies {
  readonly #networks = new BlockList()
  readonly isEmpty: boolean

  /** Addresses, and networks such as `10.0.0.0/8`. Throws RangeError for what is neither. */
  constructor(networks: readonly string[]) {
    this.isEmpty = networks.length === 0
    for (const text of networks) {
      if (!isNetwork(text)) throw new RangeError(`"${text}" is neither an address nor a network.`)
      const [address = '', prefix] = text.split('/')
      const family = familyOf(address)
      if (prefix === undefined) this.#networks.addAddress(address, family)
      else this.#networks.addSubnet(address, Number(prefix), family)
    }
  }

  /**
   * Whether the address is trusted. An IPv4 address may also be written as IPv6 sockets show it
   * (`::ffff:10.0.0.1`). False if the text is no address.
   */
  trusts(address: string): boolean {
    if (this.isEmpty) return false
    const bare = withoutZone(address)
    return isIP(bare) !== 0 && this.#networks.check(bare, familyOf(bare))
  }

  /**
   * The address that a request comes from. `peer` sent it; `forwardedFor` is its header `X-Forwarded-For`, to
   * which each proxy adds, at the end, whom it got the request from. So the list is read backwards, for as
   * long as the speaker is trusted. Where a proxy says something that is no address (`unknown`), it stands
   * for its client itself.
   */
  clientOf(peer: string, forwardedFor: string | undefined): string {
    let client = peer
    let end = forwardedFor?.length ?? 0
    for (let hop = 0; hop < MAX_HOPS && end > 0 && this.trusts(client); hop++) {
      const comma = forwardedFor?.lastIndexOf(',', end - 1) ?? -1
      const address = addressIn(forwardedFor?.slice(comma + 1, end) ?? '')
      if (address === null) break
      client = address
      end = comma
    }
    return client
  }
}

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const IPV4_NETWORK = `${BYTE}(?:\\.${BYTE}){3}(?:/(?:3[0-2]|[12]?[0-9]))?`
const IPV6_NETWORK = '[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(?:/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))?'

/**
 * The texts that `isNetwork` accepts, as a part of a pattern for JSON schemas, without groups that look
 * ahead. The pattern is exact for IPv4; of IPv6 it tells the characters and the length of the prefix.
 */
export const NETWORK_PATTERN: string = `${IPV4_NETWORK}|${IPV6_NETWORK}`

/** An address, or one with the length of its prefix. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

/**
 * Returns the address in an entry, without the port that some proxies write as well; null if there is none.
 */
function addressIn(entry: string): string | null {
  const text = entry.trim()
  const [, address = text] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  const bare = withoutZone(address)
  return isIP(bare) === 0 ? null : bare
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** The name of the network interface after a link-local address. */
function withoutZone(address: string): string {
  const zone = address.indexOf('%')
  return zone < 0 ? address : address.slice(0, zone)
}
