/** The certificate that the router shows, and its key. */
import { ExpiryCheck, validTo } from '../certificates/expiry.ts'
import { type KeyPair, readKeyPair } from '../certificates/pem-files.ts'
import { WatchedFiles } from '../certificates/watched-files.ts'
import type { TlsConfig } from './tls-settings.ts'
import type { ListenerEvents } from './listener-events.ts'

/** The certificate of a router. Disposing it stops watching its files. */
export class Certificate implements Disposable {
  readonly #files: WatchedFiles<KeyPair>
  readonly #renewal: Renewal

  /** Reads the files. Throws RouterConfigError. */
  static async open(config: TlsConfig, events: ListenerEvents): Promise<Certificate> {
    const renewal: Renewal = { listener: () => {} }
    const expiry = new ExpiryCheck((until) => events.certificateExpired(config.certFile, until))
    const files = await WatchedFiles.open<KeyPair>({
      interval: config.reloadInterval,
      read: () => readKeyPair('tls', config),
      isSame: (one, other) => one.cert === other.cert && one.key === other.key,
      onRenewed: (pair) => {
        renewal.listener(pair)
        events.certificateRenewed(validTo(pair.cert))
      },
      onProblem: (reason) => events.certificateNotRenewed(reason),
      onRead: ({ cert }) => expiry.check(cert),
    })
    return new Certificate(files, renewal)
  }

  private constructor(files: WatchedFiles<KeyPair>, renewal: Renewal) {
    this.#files = files
    this.#renewal = renewal
  }

  get current(): KeyPair {
    return this.#files.current
  }

  /** Calls `listener` with every pair that replaces the one before. There is one listener at a time. */
  onRenewed(listener: (pair: KeyPair) => void): void {
    this.#renewal.listener = listener
  }

  /** Checks the files at once. */
  look(): void {
    this.#files.look()
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]()
  }
}

/** The function that is called with a renewed pair. */
type Renewal = { listener: (pair: KeyPair) => void }
