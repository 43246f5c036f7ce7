/** Finds the addresses that the network interfaces of this machine have. */
import { networkInterfaces } from 'node:os'
import { parseAddress } from './address-readings.ts'

/**
 * How long the addresses are remembered. They change now and then; to ask the system takes 20 µs and more,
 * depending on the number of interfaces.
 */
const VALID_MS = 1000

/** Makes a function that returns the addresses as `Address.toString()` writes them, at most a second old. */
export function machineAddresses(): () => ReadonlySet<string> {
  let known: ReadonlySet<string> = new Set()
  /** The time until which `known` is used, by `performance.now()`. */
  let knownUntil = 0
  return () => {
    if (performance.now() < knownUntil) return known
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    known = new Set(all.map(({ address }) => parseAddress(address)?.toString() ?? address))
    knownUntil = performance.now() + VALID_MS
    return known
  }
}
