import { X509Certificate } from 'node:crypto'

/** Until when a certificate is valid, as it says that itself. `cert`: PEM. */
export function validTo(cert: string): string {
  return new X509Certificate(cert).validTo
}

/** Tells once of each certificate whose time is over. */
export class ExpiryCheck {
  readonly #tell: (validTo: string) => void
  #told: string | null = null

  constructor(tell: (validTo: string) => void) {
    this.#tell = tell
  }

  /** `cert`: PEM. */
  check(cert: string): void {
    const until = validTo(cert)
    if (this.#told === cert || Date.parse(until) > Date.now()) return
    this.#told = cert
    this.#tell(until)
  }
}
