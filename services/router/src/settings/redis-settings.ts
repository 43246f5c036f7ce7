/** A Redis that routers share something in. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { SECRET } from './secret-setting.ts'

export const RedisSettings = z
  .strictObject({
    url: z.string().min(1).meta(SECRET),
    ca_file: z.string().min(1).optional(),
    cert_file: z.string().min(1).optional(),
    key_file: z.string().min(1).optional(),
    password_file: z.string().min(1).optional(),
    /** Before the names of keys; routers with one prefix share what is there. */
    prefix: z.string().max(200).default('switchyard'),
  })
  .optional()
export type RedisSettings = z.infer<typeof RedisSettings>

/** Null if nothing is shared. `folder` is the one that the paths in the settings start from. */
export function redisConfigOf(redis: RedisSettings, folder: string) {
  if (redis === undefined) return null
  const fileAt = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path))
  const { url, prefix, ca_file: ca, cert_file: cert, key_file: key, password_file: password } = redis
  const tls = { caFile: fileAt(ca), certFile: fileAt(cert), keyFile: fileAt(key) }
  return { prefix, settings: { url, tls, passwordFile: fileAt(password) } } as const
}
