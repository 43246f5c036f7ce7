/**
 * Finds out where a packet to an IP address may end.
 *
 * Translators and tunnels read IPv4 addresses out of IPv6 addresses: a router behind a NAT64 that connects to
 * `64:ff9b::a9fe:a9fe` reaches 169.254.169.254. So a rule about an IPv4 address has to hold for every IPv6
 * address that carries it.
 */
import ipaddr from 'ipaddr.js'

/** An address of either version of IP, as ipaddr.js reads it. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Prefixes under which an address is an IPv4 address and nothing else; it is in the last 32 bits. */
const SUBSTITUTES = [
  '::ffff:0:0/96', // IPv4-mapped, RFC 4291, section 2.5.5.2
  '::ffff:0:0:0/96', // IPv4-translated, RFC 2765, section 2.1
  '64:ff9b::/96', // NAT64, the well-known prefix, RFC 6052, section 2.1
  '::/96', // IPv4-compatible, RFC 4291, section 2.5.5.1; also holds :: and ::1
].map((text) => ipaddr.IPv6.parseCIDR(text))

/** The bytes that hold the IPv4 address, by the length of the translator's prefix (RFC 6052, section 2.2). */
const TRANSLATED = [
  [6, 7, 9, 10], // 48 bits
  [7, 9, 10, 11], // 56
  [9, 10, 11, 12], // 64
  [12, 13, 14, 15], // 96
] as const

type AddressBytes = readonly number[]
type Positions = readonly [number, number, number, number]

/**
 * Parses an address. Returns null if `text` is none. A zone (`fe80::1%eth0`) only says by which interface the
 * address is reached.
 */
export function parseAddress(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : null
}

/**
 * Returns the address itself, unless it only stands for an IPv4 address, and every IPv4 address that may be
 * read from it.
 */
export function readingsOf(address: Address): readonly Address[] {
  if (!isIPv6(address)) return [address]
  const bytes = address.toByteArray()
  if (isSubstitute(address)) return [ipv4At(bytes, [12, 13, 14, 15])]
  return [address, ...tunnelled(address, bytes)]
}

/** Returns whether the address is written as IPv6, but only stands for an IPv4 address. */
export function isSubstitute(address: Address): address is ipaddr.IPv6 {
  if (!isIPv6(address)) return false
  const range = address.range()
  if (range === 'loopback' || range === 'unspecified') return false
  return SUBSTITUTES.some((prefix) => address.match(prefix))
}

function isIPv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

function tunnelled(address: ipaddr.IPv6, bytes: AddressBytes): readonly ipaddr.IPv4[] {
  const found: ipaddr.IPv4[] = []
  // 6to4, RFC 3056, section 2: the router of the site.
  if (address.match(SIX_TO_FOUR)) found.push(ipv4At(bytes, [2, 3, 4, 5]))
  // Teredo, RFC 4380, section 4: the server, and the client with all bits inverted.
  if (address.match(TEREDO)) {
    const inverted = bytes.map((byte) => byte ^ 0xff)
    found.push(ipv4At(bytes, [4, 5, 6, 7]), ipv4At(inverted, [12, 13, 14, 15]))
  }
  if (address.match(LOCAL_NAT64)) found.push(...translated(bytes))
  // ISATAP, RFC 5214, section 6.1: the interface identifier, with or without the universal and group bits.
  if (((bytes[8] ?? 0) & 0xfc) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe)
    found.push(ipv4At(bytes, [12, 13, 14, 15]))
  return found
}

const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32')
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')

/**
 * Returns the IPv4 addresses in an address with a NAT64 prefix for local use (RFC 8215). Only the translator
 * knows how long the prefix is, so every length is read. If a longer prefix leaves zeros, a shorter one reads
 * an address in 0.0.0.0/8, to which nothing is translated.
 */
function translated(bytes: AddressBytes): readonly ipaddr.IPv4[] {
  const all = TRANSLATED.map((positions) => ipv4At(bytes, positions))
  const usable = all.filter(({ octets }) => octets[0] !== 0)
  return usable.length === 0 ? all : usable
}

function ipv4At(bytes: AddressBytes, positions: Positions): ipaddr.IPv4 {
  return new ipaddr.IPv4(positions.map((position) => bytes[position] ?? 0))
}
