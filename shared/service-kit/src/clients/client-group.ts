/** Finds out which client an address counts for where clients are limited. */
import { isIPv6 } from 'node:net'

/**
 * Returns the client of an address. A client with one IPv6 address has the 2^64 of its network, so these
 * count as one client.
 */
export function clientGroupOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const [head = '', tail = ''] = bare.split('::')
  const before = head.split(':').filter((part) => part !== '')
  const after = tail.split(':').filter((part) => part !== '')
  const gap = bare.includes('::') ? 8 - before.length - after.length : 0
  const parts = [...before, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...after]
  return parts
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
