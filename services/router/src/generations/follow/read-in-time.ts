/** Reads the manifest of a graph from the config store, which may not answer. */
import type { GraphKey } from '@switchyard/config-store'
import type { ConfigStoreSource, StoredConfig } from './config-store-source.ts'

const READ_TIMEOUT_MS = 5000

/** Resolves with null if there is no manifest. Rejects if the store takes too long to answer. */
export async function readInTime(source: ConfigStoreSource, graph: GraphKey): Promise<StoredConfig | null> {
  const late = Promise.withResolvers<never>()
  const error = () => late.reject(new Error(`no answer within ${READ_TIMEOUT_MS} ms`))
  const timer = setTimeout(error, READ_TIMEOUT_MS)
  try {
    return await Promise.race([source.read(graph), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
