/** A Redis that routers share something in. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { SECRET } from './secret-setting.ts'
import { setting } from './setting.ts'

/** The words about settings that mean something else to each who shares something. */
type RedisWords = { readonly url: string; readonly prefix: string }

/** Makes the settings of such a Redis. */
export function redisSettings(words: RedisWords) {
  const path = z.string().min(1).optional()
  return z
    .strictObject({
      url: setting(z.string().min(1).meta(SECRET), { says: words.url }),
      ca_file: setting(path, {
        says: 'certificates (PEM) of the authorities for TLS (`rediss://`); paths are relative to the settings file',
      }),
      cert_file: setting(path, { says: 'client certificate (PEM) for a Redis that asks for one' }),
      key_file: setting(path, { says: 'private key (PEM) of this certificate' }),
      password_file: setting(path, { says: 'file with the password of the user in the URL' }),
      prefix: setting(z.string().max(200).default('switchyard'), { says: words.prefix }),
    })
    .optional()
}
export type RedisSettings = z.infer<ReturnType<typeof redisSettings>>

/** Null if nothing is shared. `folder` is the one that the paths in the settings start from. */
export function redisConfigOf(redis: RedisSettings, folder: string) {
  if (redis === undefined) return null
  const fileAt = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path))
  const { url, prefix, ca_file: ca, cert_file: cert, key_file: key, password_file: password } = redis
  const tls = { caFile: fileAt(ca), certFile: fileAt(cert), keyFile: fileAt(key) }
  return { prefix, settings: { url, tls, passwordFile: fileAt(password) } } as const
}
