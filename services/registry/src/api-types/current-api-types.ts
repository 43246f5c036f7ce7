/** Types of the API that this registry has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { apiTypes } from '@switchyard/studio/api-types'
import { startRegistry } from '../registry.ts'

/** Starts a registry on an empty log, and makes the types from the document that it serves. */
export async function currentApiTypes(): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-api-types-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { log, blobs, pieces } = stack.use(await openSqliteEventLog({ dataDir }))
  const announcer = stack.use(createMemoryAnnouncer())
  const logger = createLogger({ name: 'api-types', level: 'silent' })
  const registry = stack.use(
    await startRegistry({
      log,
      blobs,
      pieces,
      announcer,
      logger,
      bootstrapApiKey: 'x'.repeat(32),
      host: '127.0.0.1',
      port: 0,
    }),
  )
  const response = await fetch(`${registry.url}/v1/openapi.json`)
  return apiTypes(JSON.parse(await response.text()))
}
