import type { ConfigStore } from './store/config-store.ts'
import type { RedisConfigStoreOptions } from './redis/redis-config-store.ts'

/**
 * Opens the config store of a fleet. The Redis client is loaded here and not with this package, since a
 * router that serves a file does without its time and memory. Returns when connected, or after the first
 * failed attempt. Throws InvalidStoreAddressError.
 */
export async function openRedisConfigStore(options: RedisConfigStoreOptions): Promise<ConfigStore> {
  const { RedisConfigStore } = await import('./redis/redis-config-store.ts')
  return RedisConfigStore.open(options)
}
