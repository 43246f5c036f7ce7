/** The answers that this page shows. */
import type { Read } from '../../api/client.ts'

export type GraphDetail = Read<'/v1/graphs/{namespace}/{name}'>
export type Revision = Read<'/v1/graphs/{namespace}/{name}/revisions'>['revisions'][number]
