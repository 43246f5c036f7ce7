import type { RedisWatcher } from './redis/redis-connection.ts'
import type { RedisScripts } from './redis/redis-scripts.ts'
import type { RedisConnectionSettings } from './redis/redis-settings.ts'

export type { RedisScript, RedisScripts } from './redis/redis-scripts.ts'

/**
 * Opens Redis for scripts, as `openRedisConfigStore` does for configurations. The Redis client is loaded only
 * when it is needed.
 */
export async function openRedisScripts(
  settings: RedisConnectionSettings,
  name: string,
  watcher?: RedisWatcher,
): Promise<RedisScripts> {
  const { RedisScripts } = await import('./redis/redis-scripts.ts')
  return RedisScripts.open(settings, name, watcher)
}
