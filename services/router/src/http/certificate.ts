/**
 * The certificate that the router shows, and its key: read at the start, and again when the files have
 * changed.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { TlsConfig } from '../config/router-config.ts'
import { RouterConfigError } from '../config/config-error.ts'
import { messageOf } from '../errors/http-error.ts'
import type { ListenerEvents } from '../observe/listener-events.ts'

/** PEM, as the files hold it. */
export type KeyPair = { readonly cert: string; readonly key: string }

/** Disposing ends the watching. */
export class Certificate implements Disposable {
  readonly #config: TlsConfig
  readonly #events: ListenerEvents
  readonly #timer: NodeJS.Timeout
  #current: KeyPair
  #onRenewed: (pair: KeyPair) => void = () => {}
  /**
   * What is wrong with the files now. It is logged when it is seen the second time, since the first look may
   * have come while only one file of the pair was written.
   */
  #problem: { readonly text: string; told: boolean } | null = null
  #isExpired = false

  /** Throws RouterConfigError. */
  static async open(config: TlsConfig, events: ListenerEvents): Promise<Certificate> {
    return new Certificate(config, events, await readPair(config))
  }

  private constructor(config: TlsConfig, events: ListenerEvents, pair: KeyPair) {
    this.#config = config
    this.#events = events
    this.#current = pair
    this.#checkExpiry()
    this.#timer = setInterval(() => this.look(), config.reloadInterval).unref()
  }

  get current(): KeyPair {
    return this.#current
  }

  /** Called with every pair that takes the place of the one before. */
  onRenewed(listener: (pair: KeyPair) => void): void {
    this.#onRenewed = listener
  }

  /** Looks at the files at once. */
  look(): void {
    void this.#renew()
  }

  async #renew(): Promise<void> {
    try {
      const pair = await readPair(this.#config)
      this.#problem = null
      if (pair.cert !== this.#current.cert || pair.key !== this.#current.key) {
        this.#current = pair
        this.#isExpired = false
        this.#onRenewed(pair)
        this.#events.certificateRenewed(new X509Certificate(pair.cert).validTo)
      }
      this.#checkExpiry()
    } catch (error) {
      // A RouterConfigError speaks of a start that failed; only its problems are of use here.
      const text = error instanceof RouterConfigError ? error.problems.join('; ') : messageOf(error)
      if (this.#problem?.text !== text) this.#problem = { text, told: false }
      else if (!this.#problem.told) {
        this.#problem.told = true
        this.#events.certificateNotRenewed(text)
      }
    }
  }

  #checkExpiry(): void {
    const { validTo } = new X509Certificate(this.#current.cert)
    if (this.#isExpired || Date.parse(validTo) > Date.now()) return
    this.#isExpired = true
    this.#events.certificateExpired(this.#config.certFile, validTo)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

async function readPair({ certFile, keyFile }: TlsConfig): Promise<KeyPair> {
  const [cert, key] = await Promise.all([read('tls.cert_file', certFile), read('tls.key_file', keyFile)])
  const problems: string[] = []
  const certificate = parsed(() => new X509Certificate(cert))
  if (certificate === null)
    problems.push(
      `tls.cert_file: ${JSON.stringify(certFile)} holds no certificate; expected PEM ("-----BEGIN CERTIFICATE-----"), those of authorities in between after it`,
    )
  const privateKey = parsed<KeyObject>(() => createPrivateKey(key))
  if (privateKey === null)
    problems.push(
      `tls.key_file: ${JSON.stringify(keyFile)} holds no private key that can be read; expected PEM without a passphrase ("-----BEGIN PRIVATE KEY-----")`,
    )
  if (certificate !== null && privateKey !== null && !certificate.checkPrivateKey(privateKey))
    problems.push(
      `tls.key_file: the key in ${JSON.stringify(keyFile)} does not belong to the certificate in ${JSON.stringify(certFile)} (${certificate.subject})`,
    )
  if (problems.length > 0) throw new RouterConfigError(problems)
  return { cert, key }
}

async function read(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new RouterConfigError([`${setting}: the file cannot be read (${messageOf(error)})`])
  }
}

function parsed<Value>(parse: () => Value): Value | null {
  try {
    return parse()
  } catch {
    return null
  }
}
