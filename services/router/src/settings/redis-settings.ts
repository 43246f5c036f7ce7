/** A Redis that routers share something in. */
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
