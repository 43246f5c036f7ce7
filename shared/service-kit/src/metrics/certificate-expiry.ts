/** Until when certificates in PEM can be used. */
import { X509Certificate } from 'node:crypto'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/**
 * Returns when the certificates of a file expire, in milliseconds since 1970; null if there is no certificate
 * that can be read. `own` is a certificate with those of authorities in between, all of which are needed. Of
 * `authorities` some may be out of use and expired, so the first expiry among those that are still valid
 * counts, and the last one if none is.
 */
export function certificateExpiry(pem: string, which: 'own' | 'authorities', now: number): number | null {
  const ends = (pem.match(CERTIFICATE) ?? []).map(endOf).filter((end) => end !== null)
  if (ends.length === 0) return null
  if (which === 'own') return Math.min(...ends)
  const valid = ends.filter((end) => end > now)
  return valid.length === 0 ? Math.max(...ends) : Math.min(...valid)
}

function endOf(pem: string): number | null {
  try {
    return Date.parse(new X509Certificate(pem).validTo)
  } catch {
    return null
  }
}
