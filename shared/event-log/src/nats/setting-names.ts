/** How messages call the settings of a connection to NATS, so that a reader knows what to change. */
import type { AccessNames } from '@switchyard/service-kit'

export type NatsNames = AccessNames & {
  /** Who connects, as in "the credentials of this service". */
  readonly owner: string
  readonly passwordFile: string
  readonly tokenFile: string
  readonly credentialsFile: string
  /** A sentence on missing rights; null if the row of a service in the table of permissions says it. */
  readonly missingRight: string | null
}

/** The names that the services of Switchyard have for them. */
export const SERVICE_NAMES: NatsNames = {
  owner: 'this service',
  url: 'SWITCHYARD_NATS_URL',
  caFile: 'SWITCHYARD_NATS_CA_FILE',
  certFile: 'SWITCHYARD_NATS_CERT_FILE',
  keyFile: 'SWITCHYARD_NATS_KEY_FILE',
  passwordFile: 'SWITCHYARD_NATS_PASSWORD_FILE',
  tokenFile: 'SWITCHYARD_NATS_TOKEN_FILE',
  credentialsFile: 'SWITCHYARD_NATS_CREDENTIALS_FILE',
  missingRight: null,
}
