export {
  type Announcer,
  type BlobStore,
  type EventLog,
  type KeyValue,
  type KeyValueStore,
  type LogEntry,
  type LogFilter,
  type LogName,
  MAX_VALUE_BYTES,
} from './log/event-log.ts'
export {
  AppendConflictError,
  AppendOutcomeUnknownError,
  BlobCorruptedError,
  BlobMissingError,
  BlobStoreUnavailableError,
  DataDirectoryDamagedError,
  DataDirectoryUnusableError,
  DataDirectoryFullError,
  DataDirectoryInUseError,
  DataDirectoryVersionError,
  EventLogUnavailableError,
  InvalidRecordError,
  InvalidSubjectError,
  type LogLoss,
  LogLostError,
  RecordNotUnderstoodError,
  RecordTooLargeError,
  ReplicasUnsupportedError,
  StorageError,
  StorageUnavailableError,
  StreamMismatchError,
  StreamMissingError,
} from './log/errors.ts'
export { type ArtifactStores, hasArtifact, readArtifact } from './log/artifact-blobs.ts'
export { MAX_BLOB_BYTES } from './log/blob.ts'
export { tellLogLost } from './following/tell-log-lost.ts'
export { GraphsOfLogs, type GraphsOfLogsOptions, type GraphWorker } from './following/graphs-of-logs.ts'
export { type FollowerEvents, LogFollower, type LogFollowerOptions } from './following/log-follower.ts'
export { parsedRecord, understood } from './following/parsed-record.ts'
export { SteadyWork, type SteadyWorkOptions } from './following/steady-work.ts'
export { Wakeup } from './following/wakeup.ts'
export { Quarantine, type QuarantineOptions } from './log/quarantine.ts'
export { NotJson } from './log/record.ts'
export { LOG_NAMES, logOfSubject, subjectPattern } from './log/subjects.ts'
export { type AnnouncerOptions, createMemoryAnnouncer } from './memory/memory-announcer.ts'
export {
  type EmbeddedStorage,
  openSqliteEventLog,
  type SqliteStorageOptions,
} from './sqlite/sqlite-storage.ts'
export {
  connectNats,
  type ConnectNatsOptions,
  type NatsAccess,
  type NatsLink,
  type NatsWatcher,
} from './nats/connect-nats.ts'
export {
  NATS_REPLICA_VARIABLES,
  NATS_VARIABLES,
  type NatsSettings,
  natsSettingsOf,
  type ReplicaSettings,
  replicaSettingsOf,
} from './nats/nats-settings.ts'
export { createNatsAnnouncer } from './nats/nats-announcer.ts'
export { type NatsBlobStoreOptions, openNatsBlobStore } from './nats/nats-blob-store.ts'
export { type NatsEventLogOptions, openNatsEventLog } from './nats/nats-event-log.ts'
export { NatsUsage } from './nats/nats-usage.ts'
export { type NatsStorage, type NatsStorageOptions, openNatsStorage } from './nats/nats-storage.ts'
export { reportNats } from './nats/report-nats.ts'
