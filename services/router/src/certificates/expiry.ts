import { X509Certificate } from 'node:crypto'

/** Returns the time until which a certificate is valid. `cert` is PEM. */
export function validTo(cert: string): string {
  return new X509Certificate(cert).validTo
}

/** Reports a certificate that has expired, once for each. */
export class ExpiryCheck {
  readonly #tell: (validTo: string) => void
  #told: string | null = null

  constructor(tell: (validTo: string) => void) {
    this.#tell = tell
  }

  /** Checks a certificate. `cert` is PEM. */
  check(cert: string): void {
    const until = validTo(cert)
    if (this.#told === cert || Date.parse(until) > Date.now()) return
    this.#told = cert
    this.#tell(until)
  }
}
