/** One section of TLS settings for subgraphs, with the current contents of its files. */
import type { ConnectionOptions } from 'node:tls'
import { type CertificateUse, type ObservedCertificate, observeCertificates } from '@switchyard/service-kit'
import { ExpiryCheck, validTo } from '../../certificates/expiry.ts'
import { type KeyPair, readAuthorities, readKeyPair } from '../../certificates/pem-files.ts'
import { WatchedFiles } from '../../certificates/watched-files.ts'
import { allOpened } from '../../settings/config-error.ts'
import type { ClientTlsConfig } from './settings.ts'
import type { SubgraphTlsEvents } from './events.ts'

/** The options that secure a connection. */
export type SecureOptions = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername'>

type Files = {
  /** Certificates as PEM. Null if the authorities that Node.js knows are used. */
  readonly authorities: string | null
  readonly keyPair: KeyPair | null
}

/** The profile of one section. Disposing it stops watching its files. */
export class TlsProfile implements Disposable {
  /** A key that is equal for sections that name the same files and server name. */
  readonly key: string
  readonly #serverName: string | null
  readonly #files: WatchedFiles<Files>
  readonly #listeners: Set<() => void>
  readonly #observing: Disposable

  /** Reads the files. Throws RouterConfigError. */
  static async open(
    config: ClientTlsConfig,
    interval: number,
    events: SubgraphTlsEvents,
  ): Promise<TlsProfile> {
    const { section } = config
    const listeners = new Set<() => void>()
    const expiry = new ExpiryCheck((until) => events.expired(section, until))
    const files = await WatchedFiles.open<Files>({
      interval,
      read: () => readFiles(config),
      isSame: (one, other) =>
        one.authorities === other.authorities &&
        one.keyPair?.cert === other.keyPair?.cert &&
        one.keyPair?.key === other.keyPair?.key,
      onRenewed: ({ keyPair }) => {
        for (const listener of listeners) listener()
        events.renewed(section, keyPair === null ? null : validTo(keyPair.cert))
      },
      onProblem: (reason) => events.notRenewed(section, reason),
      onRead: ({ keyPair }) => {
        if (keyPair !== null) expiry.check(keyPair.cert)
      },
    })
    const { caFile, keyPair } = config
    const observing = observeCertificates([
      ...observed('subgraph-client', keyPair?.certFile ?? null, () => files.current.keyPair?.cert ?? null),
      ...observed('subgraph-authorities', caFile, () => files.current.authorities),
    ])
    return new TlsProfile(config, files, listeners, observing)
  }

  private constructor(
    { caFile, keyPair, serverName }: ClientTlsConfig,
    files: WatchedFiles<Files>,
    listeners: Set<() => void>,
    observing: Disposable,
  ) {
    this.#observing = observing
    this.key = JSON.stringify([caFile, keyPair?.certFile, keyPair?.keyFile, serverName])
    this.#serverName = serverName
    this.#files = files
    this.#listeners = listeners
  }

  get current(): SecureOptions {
    const { authorities, keyPair } = this.#files.current
    return {
      ...(authorities === null ? {} : { ca: authorities }),
      ...keyPair,
      ...(this.#serverName === null ? {} : { servername: this.#serverName }),
    }
  }

  /** Calls `listener` whenever the contents of the files have changed, until the result is disposed. */
  onRenewed(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Checks the files at once. */
  look(): void {
    this.#files.look()
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]()
    this.#observing[Symbol.dispose]()
  }
}

function observed(
  use: CertificateUse,
  file: string | null,
  pem: () => string | null,
): readonly ObservedCertificate[] {
  return file === null ? [] : [{ use, file, pem }]
}

async function readFiles({ section, caFile, keyPair }: ClientTlsConfig): Promise<Files> {
  const [authorities, pair] = await allOpened([
    caFile === null ? Promise.resolve(null) : readAuthorities(`${section}.ca_file`, caFile),
    keyPair === null ? Promise.resolve(null) : readKeyPair(section, keyPair),
  ])
  return { authorities, keyPair: pair }
}
