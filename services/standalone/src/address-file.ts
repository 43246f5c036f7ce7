/** The file with the address of a running `up`'s registry, beside the API key, so that commands find both. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWholeFile } from '@switchyard/files'

const ADDRESS_FILE = 'registry-url'

/**
 * Removed when it is disposed. A process that is killed leaves it behind, until the next one of the data
 * directory writes its own. Call it only while holding the data directory.
 */
export async function leaveAddress(dataDir: string, url: string): Promise<AsyncDisposable> {
  const file = join(dataDir, ADDRESS_FILE)
  await writeWholeFile(file, `${reachable(url)}\n`, { mode: 0o644 })
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) }
}

/**
 * Returns a URL that can be reached. A server that listens on all addresses is reached by the loopback one.
 */
function reachable(url: string): string {
  const address = new URL(url)
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1'
  if (address.hostname === '[::]') address.hostname = '[::1]'
  return address.origin
}
