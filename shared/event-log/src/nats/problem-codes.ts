/** The codes of problems with NATS, with their rows of docs/errors.md. */
export const NATS_PROBLEMS = {
  NATS_CREDENTIALS_REFUSED: {
    happened: 'NATS does not know the user, or the password, token or signature is wrong',
    remedy: 'Set the right ones. Files are read again at each attempt.',
  },
  NATS_JETSTREAM_DISABLED: {
    happened: 'NATS runs without JetStream, or the account may not use it',
    remedy: '`nats-server -js`, or `jetstream` in its configuration and for the account.',
  },
  NATS_PERMISSION_MISSING: {
    happened: 'NATS refuses a subject to this service',
    remedy: 'The message names the line of the [table](nats-and-redis.md#rights-on-nats).',
  },
  NATS_REPLICAS_DIFFER: {
    happened: 'A stream has another number of copies than `SWITCHYARD_NATS_REPLICAS`',
    remedy: 'It is used as it is; [change it](nats-and-redis.md#replicas) when it suits.',
  },
  NATS_TOO_OLD: {
    happened: 'NATS is older than 2.10',
    remedy: 'It is used, with one copy of each stream; upgrade it before you rely on it.',
  },
  NATS_UNREACHABLE: {
    happened: 'No connection to NATS',
    remedy: 'The message says why; see to the address, the network and the server.',
  },
}

/** A code of a problem with NATS. */
export type NatsProblemCode = keyof typeof NATS_PROBLEMS
