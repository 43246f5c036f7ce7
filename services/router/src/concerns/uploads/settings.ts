/** The section `uploads`: files in requests, by the GraphQL multipart request specification. */
import { z } from 'zod'
import { requiredDuration, size } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const positive = (fallback: string) =>
  requiredDuration()
    .refine((limit) => limit > 0, 'expected at least 1ms')
    .prefault(fallback)

export const UploadsSection = section({
  enabled: setting(z.boolean().default(false), {
    says: 'true: requests may have [files](uploads.md), by the GraphQL multipart request specification. Otherwise they get 415',
  }),
  max_files: setting(z.int().min(1).max(1000).default(10), {
    says: 'files in one request, at most 1000',
  }),
  max_file_size: setting(size('50MiB', '1'), { says: 'size of one file' }),
  max_size: setting(size('100MiB', '1'), {
    says: 'size of the whole body of a request with files. `limits.max_body_size` does not count for it',
  }),
  timeout: setting(positive('5m'), {
    says: 'how long the whole body of a request with files may take, what precedes the files in the plan included. It replaces `traffic.request_timeout` for these requests. When all files are sent, the time limits for answers of subgraphs begin',
  }),
  idle_timeout: setting(positive('30s'), {
    says: 'how long a client may send nothing of its files, or a subgraph take nothing, although the other side is ready',
  }),
})

/** The settings under the names that code uses. Sizes in bytes, times in milliseconds. */
export type UploadsConfig = ReturnType<typeof uploadsConfigOf>

/** Returns the settings. Null if requests may have no files. */
export function uploadsConfigOf(settings: z.output<typeof UploadsSection>) {
  const { enabled, ...limits } = camelCased(settings)
  return enabled ? limits : null
}

/** The limits of one request with files. */
export type UploadLimits = NonNullable<UploadsConfig>
