import type { ConfigStore } from './store/config-store.ts'
import { openDirectoryConfigStore } from './directory/directory-config-store.ts'
import { openRedisConfigStore } from './open-redis-config-store.ts'
import type { RedisWatcher } from './redis/redis-connection.ts'
import type { RedisConnectionSettings } from './redis/redis-settings.ts'

/** The place where configurations are stored: Redis by its address, or a directory of this machine. */
export type ConfigStoreLocation =
  | (RedisConnectionSettings & { readonly kind: 'redis' })
  | { readonly kind: 'directory'; readonly directory: string }

export type OpenConfigStoreOptions = RedisWatcher & {
  /** Shown in Redis's list of connections. */
  readonly name: string
  /** Called for files or keys that are damaged and therefore count as missing. */
  readonly onCorruption?: (place: string, problem: string) => void
}

/** Opens the config store that a service's settings name. */
export function openConfigStore(
  location: ConfigStoreLocation,
  options: OpenConfigStoreOptions,
): Promise<ConfigStore> {
  switch (location.kind) {
    case 'redis':
      return openRedisConfigStore({ ...options, ...location })
    case 'directory':
      return openDirectoryConfigStore({ ...options, directory: location.directory })
    default:
      return location satisfies never
  }
}
