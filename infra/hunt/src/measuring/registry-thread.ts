/** A registry in a thread of its own, whose turns are measured. Its log is in a folder of its own. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MessagePort, workerData } from 'node:worker_threads'
import { createMemoryAnnouncer, openSqliteEventLog } from '@switchyard/event-log'
import { startRegistry } from '@switchyard/registry'
import { createLogger } from '@switchyard/service-kit'
import { tell } from './tell.ts'
import { startTurnMeter } from './turn-meter.ts'

export type RegistryThreadSetUp = { readonly apiKey: string; readonly meter: MessagePort }

const { apiKey, meter } = workerData as RegistryThreadSetUp
const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-hunt-registry-'))
const storage = await openSqliteEventLog({ dataDir })
const registry = await startRegistry({
  ...storage,
  announcer: createMemoryAnnouncer(),
  logger: createLogger({ name: 'registry', to: { write: () => undefined } }),
  host: '127.0.0.1',
  port: 0,
  bootstrapApiKey: apiKey,
})
startTurnMeter(meter)
tell({ port: registry.port, dataDir })
