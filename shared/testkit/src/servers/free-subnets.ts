import { readFileSync } from 'node:fs'

/** Networks to choose from: `172.30.<number>.0/24`. Compose has lower numbers by default. */
const FIRST = 100
const COUNT = 140

/**
 * Chooses networks that this machine has no route to, such as `172.30.117.0/24`. A container engine that was
 * killed leaves its bridges behind, and of two bridges with one network the older one gets all that is sent.
 * `routes` is the text of the kernel's table.
 */
export function freeSubnets(
  count: number,
  routes = readFileSync('/proc/net/route', 'utf8'),
  from = process.pid,
): readonly string[] {
  const taken = new Set(
    // Addresses are little-endian: 172.30.117.0 is 00751EAC.
    [...routes.matchAll(/\t00([0-9A-F]{2})1EAC\t/g)].map(([, part = '']) => Number.parseInt(part, 16)),
  )
  const free = Array.from({ length: COUNT }, (_, index) => FIRST + ((from + index) % COUNT))
    .filter((number) => !taken.has(number))
    .slice(0, count)
  if (free.length < count) throw new Error(`All networks 172.30.${FIRST}.0/24 and up are taken: ${routes}`)
  return free.map((number) => `172.30.${number}.0/24`)
}
