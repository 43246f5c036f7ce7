/** How a service reaches NATS, as its environment says. */
import { booleanVariable, type TlsFiles } from '@switchyard/service-kit'
import { z } from 'zod'

export type NatsSettings = {
  /** `nats://host:port`, several servers separated by commas; see parseNatsAddress. */
  readonly url: string
  readonly tls?: TlsFiles
  /**
   * Credentials in files are read anew for each connection. A password belongs to the user that the URL
   * names.
   */
  readonly passwordFile?: string | undefined
  readonly tokenFile?: string | undefined
  /** The file that `nsc` writes (`.creds`: a JWT and the seed of an NKey), or the seed of an NKey alone. */
  readonly credentialsFile?: string | undefined
}

export type ReplicaSettings = {
  /**
   * Copies of each stream that this service creates. If absent, new streams have 1 and an existing stream
   * keeps its number.
   */
  readonly replicas?: number | undefined
  /** Whether an existing stream may be given that many. */
  readonly updateReplicas?: boolean | undefined
}

/** Variables of every service that uses NATS, besides `SWITCHYARD_NATS_URL`. */
export const NATS_VARIABLES = {
  SWITCHYARD_NATS_CA_FILE: z.string().optional(),
  SWITCHYARD_NATS_CERT_FILE: z.string().optional(),
  SWITCHYARD_NATS_KEY_FILE: z.string().optional(),
  SWITCHYARD_NATS_PASSWORD_FILE: z.string().optional(),
  SWITCHYARD_NATS_TOKEN_FILE: z.string().optional(),
  SWITCHYARD_NATS_CREDENTIALS_FILE: z.string().optional(),
}

/** Variables of the services that create streams. */
export const NATS_REPLICA_VARIABLES = {
  SWITCHYARD_NATS_REPLICAS: z
    .enum(['1', '3', '5'], { error: () => 'expected 1, 3 or 5, the number of copies of each stream' })
    .transform(Number)
    .optional(),
  SWITCHYARD_NATS_UPDATE_REPLICAS: booleanVariable(false),
}

type NatsVariables = { readonly [Name in keyof typeof NATS_VARIABLES]?: string | undefined }

export function natsSettingsOf(url: string, values: NatsVariables): NatsSettings {
  return {
    url,
    tls: {
      caFile: values.SWITCHYARD_NATS_CA_FILE,
      certFile: values.SWITCHYARD_NATS_CERT_FILE,
      keyFile: values.SWITCHYARD_NATS_KEY_FILE,
    },
    passwordFile: values.SWITCHYARD_NATS_PASSWORD_FILE,
    tokenFile: values.SWITCHYARD_NATS_TOKEN_FILE,
    credentialsFile: values.SWITCHYARD_NATS_CREDENTIALS_FILE,
  }
}

export function replicaSettingsOf(values: {
  readonly SWITCHYARD_NATS_REPLICAS?: number | undefined
  readonly SWITCHYARD_NATS_UPDATE_REPLICAS: boolean
}): ReplicaSettings {
  return {
    replicas: values.SWITCHYARD_NATS_REPLICAS,
    updateReplicas: values.SWITCHYARD_NATS_UPDATE_REPLICAS,
  }
}
