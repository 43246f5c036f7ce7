/** The addresses that the network interfaces of this machine have. */
import { networkInterfaces } from 'node:os'
import { parseAddress } from './address-readings.ts'

/** Addresses change now and then; to ask the system takes 20 µs and more, by the number of interfaces. */
const VALID_MS = 1000

/** By `Address.toString()`; at most a second old. */
export function machineAddresses(): () => ReadonlySet<string> {
  let known: ReadonlySet<string> = new Set()
  /** Of `performance.now()`. */
  let knownUntil = 0
  return () => {
    if (performance.now() < knownUntil) return known
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    known = new Set(all.map(({ address }) => parseAddress(address)?.toString() ?? address))
    knownUntil = performance.now() + VALID_MS
    return known
  }
}
