import type { ConfigStore, GraphKey, StoredManifest } from '@switchyard/config-store'
import type { OfferedConfig } from './offered-config.ts'
import { type ManifestVerifier, offerOf } from './verify-manifest.ts'

export type ConfigStoreSource = {
  /** The signed manifest as it stands in the store, unchecked; null when there is none. */
  read(graph: GraphKey): Promise<StoredManifest | null>
  /** Throws ManifestRejectedError. */
  offer(graph: GraphKey, stored: StoredManifest): Promise<OfferedConfig>
}

export function createConfigStoreSource(store: ConfigStore, verify: ManifestVerifier): ConfigStoreSource {
  return {
    read: (graph) => store.getManifest(graph),
    async offer(graph, stored) {
      const manifest = await verify(stored, graph)
      return offerOf(manifest, stored, 'config store', (sha256) => store.getArtifact(graph, sha256))
    },
  }
}
