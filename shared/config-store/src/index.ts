export type {
  ConfigStore,
  GraphKey,
  ListedHash,
  ManifestVersion,
  StoredManifest,
} from './store/config-store.ts'
export {
  ConfigStoreError,
  ConfigStoreUnavailableError,
  InvalidArtifactError,
  InvalidGraphKeyError,
  InvalidStoreAddressError,
} from './store/errors.ts'
export { hashUnpacked } from './store/hash-unpacked.ts'
export { STORE_DAMAGED } from './store/store-damaged.ts'
export { compareVersions, HISTORY_LIMIT } from './store/manifest-version.ts'
export {
  type DirectoryConfigStoreOptions,
  openDirectoryConfigStore,
} from './directory/directory-config-store.ts'
export { FileTooLargeError, readBounded } from './directory/read-bounded.ts'
export { openRedisScripts, type RedisScripts } from './open-redis-scripts.ts'
export { openRedisConfigStore } from './open-redis-config-store.ts'
export type { RedisConfigStoreOptions } from './redis/redis-config-store.ts'
export {
  type ConfigStoreLocation,
  openConfigStore,
  type OpenConfigStoreOptions,
} from './open-config-store.ts'
export type { RedisWatcher } from './redis/redis-connection.ts'
export {
  REDIS_VARIABLES,
  type RedisConnectionSettings,
  redisSettingsOf,
} from './redis/redis-settings.ts'
