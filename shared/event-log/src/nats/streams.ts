/**
 * The streams behind the logs: what they must be set to, and the check that they are.
 *
 * Nothing may leave a log, so there is no limit of age, number or size, deletes and purges are denied, and a
 * full disk refuses new records instead of dropping old ones. `allow_direct` stays off: a direct get may be
 * answered by a replica that lags, while `last` promises to see every acknowledged append.
 */
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { ReplicasUnsupportedError, StreamMismatchError, StreamMissingError } from '../log/errors.ts'
import type { LogName } from '../log/event-log.ts'
import { subjectPattern } from '../log/subjects.ts'
import type { NatsLink, NatsWatcher } from './connect-nats.ts'
import type { ReplicaSettings } from './nats-settings.ts'
import type { NatsProblemCode } from './problem-codes.ts'
import { isOlder } from './versions.ts'

/** Before this version two writers could both pass the expected-sequence check of a replicated stream. */
const REPLICAS_SINCE = '2.10.20'

export function logStreamConfig(log: LogName, replicas: number): Partial<StreamConfig> & { name: string } {
  return {
    name: log,
    subjects: [subjectPattern(log)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: 0,
    max_msgs: -1,
    max_bytes: -1,
    max_msgs_per_subject: -1,
    max_msg_size: -1,
    num_replicas: replicas,
    deny_delete: true,
    deny_purge: true,
    allow_rollup_hdrs: false,
    allow_direct: false,
  }
}

/** Creates the stream of a log when it is missing, then verifies it. For the log's owner. */
export async function createStream(
  link: NatsLink,
  jsm: JetStreamManager,
  log: LogName,
  options: CreateOptions,
): Promise<void> {
  const { replicas = 1 } = options
  checkReplicas(link, replicas)
  if ((await configOf(jsm, log)) === null) {
    try {
      await jsm.streams.add(logStreamConfig(log, replicas))
    } catch (error) {
      // Another instance of the owner may have been first; then its stream is verified below.
      if ((await configOf(jsm, log)) === null) throw error
    }
  }
  const found = await configOf(jsm, log)
  if (found === null) return
  verify(link, found, logStreamConfig(log, found.num_replicas))
  await adjustReplicas(jsm, found, options)
}

export type CreateOptions = ReplicaSettings & Pick<NatsWatcher, 'onWarning'>

/**
 * An existing stream keeps its number of copies unless the operator asked for another one, since copying
 * takes disks and time.
 */
export async function adjustReplicas(
  jsm: JetStreamManager,
  { name, num_replicas: found }: Pick<StreamConfig, 'name' | 'num_replicas'>,
  { replicas, updateReplicas = false, onWarning = () => {} }: CreateOptions,
): Promise<void> {
  if (replicas === undefined || replicas === found) return
  if (updateReplicas) {
    await jsm.streams.update(name, { num_replicas: replicas })
    return
  }
  onWarning({
    code: 'NATS_REPLICAS_DIFFER' satisfies NatsProblemCode,
    message: `The stream ${name} has ${found} ${found === 1 ? 'copy' : 'copies'}, SWITCHYARD_NATS_REPLICAS asks for ${replicas}. It is used as it is. Change it by "nats stream edit ${name} --replicas ${replicas}", or set SWITCHYARD_NATS_UPDATE_REPLICAS=true and permit publishing to $JS.API.STREAM.UPDATE.${name}.`,
  })
}

/**
 * Verifies the stream of a log that another service owns. Throws StreamMissingError until that one created
 * it.
 */
export async function verifyStream(link: NatsLink, jsm: JetStreamManager, log: LogName): Promise<void> {
  const found = await configOf(jsm, log)
  if (found === null) throw new StreamMissingError(log)
  verify(link, found, logStreamConfig(log, found.num_replicas))
}

async function configOf(jsm: JetStreamManager, stream: string): Promise<StreamConfig | null> {
  try {
    return (await jsm.streams.info(stream)).config
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
    throw error
  }
}

function verify(link: NatsLink, found: StreamConfig, wanted: Partial<StreamConfig> & { name: string }): void {
  checkReplicas(link, found.num_replicas)
  const actual: Readonly<Record<string, unknown>> = { ...found }
  const differences = Object.entries(wanted)
    .filter(([setting, value]) => !sameSetting(actual[setting], value))
    .map(
      ([setting, value]) =>
        `${setting} is ${JSON.stringify(actual[setting])}, expected ${JSON.stringify(value)}`,
    )
  for (const setting of ['mirror', 'sources', 'sealed', 'no_ack', 'subject_transform', 'allow_msg_ttl']) {
    if (isSet(actual[setting])) differences.push(`${setting} is set, expected none`)
  }
  if (differences.length > 0) throw new StreamMismatchError(wanted.name, differences)
}

function sameSetting(actual: unknown, wanted: unknown): boolean {
  // Servers leave out settings that are false or 0.
  if (wanted === false || wanted === 0) return !isSet(actual)
  return JSON.stringify(actual) === JSON.stringify(wanted)
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && !isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

export function checkReplicas(link: NatsLink, replicas: number): void {
  const version = link.connection.info?.version ?? '0.0.0'
  if (replicas > 1 && isOlder(version, REPLICAS_SINCE)) {
    throw new ReplicasUnsupportedError(replicas, version, REPLICAS_SINCE)
  }
}
