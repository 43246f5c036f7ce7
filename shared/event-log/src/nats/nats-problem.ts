/** Failures of NATS in words that say what to do. */
import { JetStreamApiError } from '@nats-io/jetstream'
import { codesOf, type ServerProblem, type ServerProblemCode, tlsProblemOf } from '@switchyard/service-kit'
import { errors, type PermissionViolationError } from '@nats-io/transport-node'
import { StorageError } from '../log/errors.ts'
import type { NatsProblemCode } from './problem-codes.ts'
import { type NatsNames, SERVICE_NAMES } from './setting-names.ts'

/** A failure of NATS, or of what is stored there. */
export type NatsProblem = ServerProblem<NatsProblemCode | ServerProblemCode | StorageError['code']>

export const OLDEST_SUPPORTED = '2.10.0'

/**
 * `server` is its name in messages, such as `NATS at host:4222`. `user` is the service's name in the table of
 * permissions.
 */
export function natsProblemOf(
  error: unknown,
  {
    server,
    user,
    usesTls = false,
    names = SERVICE_NAMES,
  }: {
    readonly server: string
    readonly user: string
    readonly usesTls?: boolean
    readonly names?: NatsNames
  },
): NatsProblem {
  const violation = permissionViolationIn(error)
  if (violation !== null) return permissionProblem(violation, server, { user, names })
  const tls = tlsProblemOf(error, server, names)
  if (tls !== null) return tls
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return {
      code: 'NATS_CREDENTIALS_REFUSED',
      message: `${server} refused the credentials of ${names.owner} (${text}). Set the right ones in ${names.url} or in the file that ${names.passwordFile}, ${names.tokenFile} or ${names.credentialsFile} names; files are read again at each attempt.`,
    }
  if (text.includes("server does not support 'tls'"))
    return {
      code: 'SERVER_WITHOUT_TLS',
      message: `${server} does not speak TLS, but ${names.owner} is told to use it. Turn TLS on there, or leave out tls:// and ${names.caFile}.`,
    }
  if (isJetStreamOff(error, text))
    return {
      code: 'NATS_JETSTREAM_DISABLED',
      message: `${server} has no JetStream for this account. Start nats-server with -js, or with jetstream { store_dir: … } in its configuration, and turn it on for the account.`,
    }
  if (error instanceof StorageError) return { code: error.code, message: error.message }
  if (codesOf(error).includes('ENOTFOUND'))
    return {
      code: 'NATS_UNREACHABLE',
      message: `${server} cannot be reached: no such host name (${text}). This service goes on trying.`,
    }
  // A server that refuses the certificate of a client says so after the client believes to be connected, and
  // the client waits on.
  const hint =
    text === 'timeout' && usesTls
      ? `. If it asks for certificates (verify: true), name a valid one in ${names.certFile} and ${names.keyFile}`
      : ''
  return {
    code: 'NATS_UNREACHABLE',
    message: `${server} cannot be reached: ${text}${hint}. This service goes on trying.`,
  }
}

function isJetStreamOff(error: unknown, text: string): boolean {
  // 10039: not enabled for this account; 10076: not enabled.
  if (error instanceof JetStreamApiError) return error.code === 10_039 || error.code === 10_076
  return /jetstream (?:is )?not enabled/i.test(text)
}

function permissionViolationIn(error: unknown): PermissionViolationError | null {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof errors.PermissionViolationError) return current
    current = current.cause
  }
  return null
}

const COLUMNS: readonly (readonly [RegExp, string])[] = [
  [/^registry\.events\.|^\$JS\..*\bregistry\b/, 'registry.events.>'],
  [/^compositions\.|^\$JS\..*\bcompositions\b/, 'compositions.>'],
  [/^configs\.|^\$JS\..*\bconfigs\b/, 'configs.>'],
  [/^\$O\.|OBJ_switchyard-blobs/, 'blobs'],
  [/^\$KV\.switchyard-usage\.|KV_switchyard-usage|^\$JS\..*\busage\b/, 'usage'],
  [/^config\./, 'config.>'],
  [/^router\.status\./, 'router.status.>'],
  [/^router\.figures\./, 'router.figures.>'],
  [/^router\.differences\./, 'router.differences.>'],
  [/^router\.usage\./, 'router.usage.>'],
  [/^composer\.status\./, 'composer.status.>'],
  [/^registry\.status\./, 'registry.status.>'],
  [/^_INBOX/, 'inbox'],
  [/^\$JS\.API\.INFO$/, '$JS.API.INFO'],
]

function permissionProblem(
  { operation, subject }: PermissionViolationError,
  server: string,
  { user, names }: { readonly user: string; readonly names: NatsNames },
): NatsProblem {
  const verb = operation === 'publish' ? 'publish' : 'subscribe'
  if (names.missingRight !== null)
    return {
      code: 'NATS_PERMISSION_MISSING',
      message: `${server} does not permit ${names.owner} to ${verb} to ${shown(subject)}. ${names.missingRight}`,
    }
  const column = COLUMNS.find(([pattern]) => pattern.test(subject))?.[1]
  const where =
    column === undefined
      ? 'It stands in no column of the table of permissions'
      : `Row "${user}", column "${column}" of the table of permissions`
  return {
    code: 'NATS_PERMISSION_MISSING',
    message: `${server} does not permit ${user} to ${verb} to ${shown(subject)}. ${where} in shared/contracts/PROTOCOL.md says what it needs; docs/nats-and-redis.md has it as a configuration.`,
  }
}

/**
 * Returns a subject as it is shown, without the random part of an inbox or a consumer's name, which would
 * make each message another one.
 */
function shown(subject: string): string {
  if (subject.startsWith('_INBOX')) return `${subject.split('.').slice(0, 2).join('.')}.>`
  return /^\$(?:JS|O)\./.test(subject) ? subject.split('.').slice(0, 5).join('.') : subject.slice(0, 200)
}
