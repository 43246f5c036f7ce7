/** The events of certificates for connections to subgraphs. */
import type { Logger } from '@switchyard/service-kit'

/** Logs changes of the files. `section` is the section of the settings that names them. */
export class SubgraphTlsEvents {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  /**
   * The files were read again. `validTo` is the date of the router's certificate, or null if the section
   * names none.
   */
  renewed(section: string, validTo: string | null): void {
    this.#log.info(
      { event: 'subgraph.tls-renewed', section, ...(validTo === null ? {} : { validTo }) },
      `The files of ${section} were read again: calls of subgraphs go over new connections`,
    )
  }

  notRenewed(section: string, reason: string): void {
    this.#log.error(
      { event: 'subgraph.tls-not-renewed', section, reason },
      `The files of ${section} have changed and cannot be used: what was read before stays, and they are tried again`,
    )
  }

  expired(section: string, validTo: string): void {
    this.#log.warn(
      { event: 'subgraph.certificate-expired', section, validTo },
      `The certificate of ${section} is valid until ${validTo}, which is over: subgraphs will refuse it. It is used until the file changes`,
    )
  }
}
