/** The events of certificates for connections to subgraphs. */
import { logEvent, type Logger } from '@switchyard/service-kit'

/** The log events of this file. */
export const LOGGED = {
  tlsRenewed: logEvent('subgraph.tls-renewed', {
    level: 'info',
    fields: ['section', 'validTo'],
    says: "Certificates or keys for [connections to subgraphs](configuration.md#how-connections-to-subgraphs-are-secured) were read again; `section` of the settings names them. `validTo`: the end of the router's own certificate, if it has one.",
  }),
  tlsNotRenewed: logEvent('subgraph.tls-not-renewed', {
    level: 'error',
    fields: ['section', 'reason'],
    says: 'Changed files for connections to subgraphs cannot be used. The router keeps what it read before.',
    advice: 'Correct the files; the router tries them again',
  }),
  certificateExpired: logEvent('subgraph.certificate-expired', {
    level: 'warn',
    fields: ['section', 'validTo'],
    says: "The router's own certificate for connections to subgraphs has expired: subgraphs will refuse it.",
    advice: 'Renew it',
  }),
}

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
    LOGGED.tlsRenewed.write(
      this.#log,
      { section, validTo: validTo ?? undefined },
      `The files of ${section} were read again: calls of subgraphs go over new connections`,
    )
  }

  notRenewed(section: string, reason: string): void {
    LOGGED.tlsNotRenewed.write(
      this.#log,
      { section, reason },
      `The files of ${section} have changed and cannot be used: what was read before stays, and they are tried again`,
    )
  }

  expired(section: string, validTo: string): void {
    LOGGED.certificateExpired.write(
      this.#log,
      { section, validTo },
      `The certificate of ${section} is valid until ${validTo}, which is over: subgraphs will refuse it. It is used until the file changes`,
    )
  }
}
