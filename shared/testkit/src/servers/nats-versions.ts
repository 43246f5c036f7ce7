/** The NATS servers that `scripts/nats-versions.sh` builds, beside the one of the machine. */
import { accessSync, constants, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../../.tools/nats/', import.meta.url))

export type NatsVersion = { readonly version: string; readonly path: string }

/** The oldest first; empty where none could be built. */
export function natsVersions(): readonly NatsVersion[] {
  return names()
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .map((version) => ({ version, path: `${FOLDER}${version}/nats-server` }))
    .filter(({ path }) => canBeStarted(path))
    .toSorted((left, right) => left.version.localeCompare(right.version, 'en', { numeric: true }))
}

/**
 * True if there are NATS servers for a cluster. The one of the machine's package is often too old for
 * replicas. Use it as `describe.skipIf(!natsClusterAvailable())`.
 */
export function natsClusterAvailable(): boolean {
  return natsVersions().length > 0
}

function names(): readonly string[] {
  try {
    return readdirSync(FOLDER)
  } catch {
    return []
  }
}

function canBeStarted(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
