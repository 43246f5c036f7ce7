/**
 * Networks of addresses, as conditions name them.
 *
 * Node's `BlockList` takes 1 µs to look up one address, and each condition would ask it anew. Here an address
 * is read once for each request, in 0.1 to 0.4 µs, and compared as numbers.
 */
import { isIP } from 'node:net'

/** The first 64 bits of an address. Of an IPv4 address, `high` has all that there is. */
export type AddressBits = { readonly version: 4 | 6; readonly high: number; readonly low: number }

type Network = AddressBits & { readonly highMask: number; readonly lowMask: number }

/** Characters of the longest address in text form. */
const LONGEST = 45
/** Routers know clients with IPv6 addresses by this prefix, so longer ones count as long as it. */
const LONGEST_IPV6_PREFIX = 64
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i
const PREFIX = /^\d{1,3}$/

/**
 * Reads an address. Four groups without `::` are the network that an IPv6 client counts as. Null if the text
 * is no address.
 */
export function addressBits(text: string): AddressBits | null {
  if (text.length > LONGEST) return null
  const network = ipv6Network(text)
  if (network !== null) return network
  const bare = text.startsWith('::') ? text.replace(MAPPED_IPV4, '') : text
  switch (isIP(bare)) {
    case 4:
      return { version: 4, high: ipv4Of(bare), low: 0 }
    case 6:
      return ipv6Of(bare)
    default:
      return null
  }
}

/** Reads addresses and networks such as `10.0.0.0/8`. Null if a text is neither. */
export function networksOf(texts: readonly string[]): Networks | null {
  const networks: Network[] = []
  for (const text of texts) {
    const network = networkOf(text)
    if (network === null) return null
    networks.push(network)
  }
  return new Networks(networks)
}

/** A list of networks. */
export class Networks {
  readonly #networks: readonly Network[]

  constructor(networks: readonly Network[]) {
    this.#networks = networks
  }

  /** Returns whether an address is in one of the networks. */
  has({ version, high, low }: AddressBits): boolean {
    for (const network of this.#networks) {
      const isSame =
        ((high ^ network.high) & network.highMask) === 0 && ((low ^ network.low) & network.lowMask) === 0
      if (isSame && version === network.version) return true
    }
    return false
  }
}

function networkOf(text: string): Network | null {
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const bits = isIP(address) === 0 ? null : addressBits(address)
  if (bits === null) return null
  const longest = bits.version === 4 ? 32 : 128
  const prefix = slash < 0 ? longest : prefixOf(text.slice(slash + 1))
  if (prefix > longest) return null
  const kept = Math.min(prefix, bits.version === 4 ? longest : LONGEST_IPV6_PREFIX)
  return { ...bits, highMask: maskOf(kept), lowMask: maskOf(kept - 32) }
}

function prefixOf(text: string): number {
  return PREFIX.test(text) ? Number(text) : Infinity
}

/** Returns a number whose first bits are ones, from none to all 32. */
function maskOf(bits: number): number {
  if (bits <= 0) return 0
  return bits >= 32 ? -1 : ~(0xffff_ffff >>> bits)
}

function ipv4Of(text: string): number {
  let bits = 0
  let byte = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x2e) {
      bits = (bits << 8) | byte
      byte = 0
    } else byte = byte * 10 + code - 0x30
  }
  return (bits << 8) | byte
}

/** Reads the four groups of a network, as `2001:db8:0:1`. Null if the text is anything else. */
function ipv6Network(text: string): AddressBits | null {
  let high = 0
  let bits = 0
  let digits = 0
  let colons = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x3a) {
      if (digits === 0 || ++colons > 3) return null
      if (colons === 2) high = bits
      bits = colons === 2 ? 0 : bits << 16
      digits = 0
      continue
    }
    const digit = hexDigit(code)
    if (digit < 0 || ++digits > 4) return null
    bits = (bits & 0xffff_0000) | (((bits & 0xffff) << 4) | digit)
  }
  return colons === 3 && digits > 0 ? { version: 6, high, low: bits } : null
}

/** Returns the value of a hexadecimal digit, or -1. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function ipv6Of(text: string): AddressBits {
  const zone = text.indexOf('%')
  const [head = '', tail = null] = (zone < 0 ? text : text.slice(0, zone)).split('::')
  const groups = groupsIn(head)
  const after = tail === null ? [] : groupsIn(tail)
  const missing = 8 - groups.length - after.length
  for (let index = 0; index < missing; index++) groups.push(0)
  groups.push(...after)
  const [first = 0, second = 0, third = 0, fourth = 0] = groups
  return { version: 6, high: (first << 16) | second, low: (third << 16) | fourth }
}

/** An IPv4 address at the end stands for two groups. They are beyond the first 64 bits. */
function groupsIn(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]))
}
