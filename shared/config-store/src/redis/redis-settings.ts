/** How a service reaches Redis, as its environment says. */
import type { TlsFiles } from '@switchyard/service-kit'
import { z } from 'zod'

export type RedisConnectionSettings = {
  /** One server, sentinels or a cluster, with or without TLS; see parseRedisAddress. */
  readonly url: string
  readonly tls?: TlsFiles
  /** The password of the user in the URL. It is read again when the connection is made anew. */
  readonly passwordFile?: string | undefined
  /** The user name for the sentinels themselves; the user in the URL is the server's. */
  readonly sentinelUsername?: string | undefined
  readonly sentinelPasswordFile?: string | undefined
}

/** The variables for Redis besides `SWITCHYARD_REDIS_URL`. */
export const REDIS_VARIABLES = {
  SWITCHYARD_REDIS_CA_FILE: z.string().optional(),
  SWITCHYARD_REDIS_CERT_FILE: z.string().optional(),
  SWITCHYARD_REDIS_KEY_FILE: z.string().optional(),
  SWITCHYARD_REDIS_PASSWORD_FILE: z.string().optional(),
  SWITCHYARD_REDIS_SENTINEL_USERNAME: z.string().optional(),
  SWITCHYARD_REDIS_SENTINEL_PASSWORD_FILE: z.string().optional(),
}

type Values = { readonly [Name in keyof typeof REDIS_VARIABLES]?: string | undefined }

export function redisSettingsOf(url: string, values: Values): RedisConnectionSettings {
  return {
    url,
    tls: {
      caFile: values.SWITCHYARD_REDIS_CA_FILE,
      certFile: values.SWITCHYARD_REDIS_CERT_FILE,
      keyFile: values.SWITCHYARD_REDIS_KEY_FILE,
    },
    passwordFile: values.SWITCHYARD_REDIS_PASSWORD_FILE,
    sentinelUsername: values.SWITCHYARD_REDIS_SENTINEL_USERNAME,
    sentinelPasswordFile: values.SWITCHYARD_REDIS_SENTINEL_PASSWORD_FILE,
  }
}
