/** Explains what a failed connection to a server such as NATS or Redis means, and what to do about it. */
import { messageOf } from '@switchyard/values'
import type { ServerProblemCode } from './problem-codes.ts'

/**
 * `code` is stable and stands in docs/errors.md; `message` says what happened, what it means and what to do.
 */
export type ServerProblem<Code extends string = string> = { readonly code: Code; readonly message: string }

/**
 * Files for TLS, PEM. They are read anew for each connection, so that renewed ones are used without a
 * restart.
 */
export type TlsFiles = {
  /** Certificates of the authorities that are believed, in place of those that Node.js knows. */
  readonly caFile?: string | undefined
  /** The certificate that the server is shown, those of authorities in between after it. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}

/** The names that messages have for the settings of a connection. */
export type AccessNames = {
  readonly url: string
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/**
 * Explains an error of TLS; null for all other errors. `server` is its name in messages, such as `NATS at
 * host:4222`.
 */
export function tlsProblemOf(
  error: unknown,
  server: string,
  names: AccessNames,
): ServerProblem<ServerProblemCode> | null {
  const code = codesOf(error)
  if (code.some((name) => UNKNOWN_AUTHORITY.has(name)))
    return {
      code: 'SERVER_CERTIFICATE_UNKNOWN',
      message: `${server} showed a certificate of an authority that is not believed here. Name the authority's certificate in ${names.caFile}.`,
    }
  if (code.includes('CERT_HAS_EXPIRED') || code.includes('CERT_NOT_YET_VALID'))
    return {
      code: 'SERVER_CERTIFICATE_EXPIRED',
      message: `${server} showed a certificate that is ${code.includes('CERT_HAS_EXPIRED') ? 'not valid any more' : 'not valid yet'}. Renew it there, or set the clock of this machine right.`,
    }
  if (code.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return {
      code: 'SERVER_NAME_MISMATCH',
      message: `${server} showed a certificate for another name (${messageOf(error)}). Use a name from the certificate in ${names.url}, or have the certificate name this host.`,
    }
  if (code.some((name) => name.startsWith('ERR_SSL_') && name.includes('ALERT')))
    return {
      code: 'CLIENT_CERTIFICATE_REFUSED',
      message: `${server} did not accept the certificate of this service, or there is none (${messageOf(error)}). Name a valid one in ${names.certFile} and ${names.keyFile}.`,
    }
  if (
    code.some((name) => name === 'ERR_SSL_WRONG_VERSION_NUMBER' || name === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
  )
    return {
      code: 'SERVER_WITHOUT_TLS',
      message: `${server} does not speak TLS, but ${names.url} asks for it. Turn TLS on there, or name the port that has it.`,
    }
  return fileProblemOf(error, server)
}

/** A file with a secret is there and does not hold one. */
export class UnusableFileError extends Error {}

/** The files of certificates and secrets of `server` cannot be read, or do not fit one another. */
function fileProblemOf(error: unknown, server: string): ServerProblem<ServerProblemCode> | null {
  const codes = codesOf(error)
  const unreadable =
    error instanceof UnusableFileError || codes.some((name) => ['ENOENT', 'EACCES', 'EISDIR'].includes(name))
  const text = messageOf(error)
  if (!unreadable && !/PEM|key values mismatch|doesn't exist/i.test(text)) return null
  return {
    code: 'ACCESS_FILE_UNUSABLE',
    message: `A file with a certificate, key or secret for ${server} cannot be used: ${text}. Put it right; it is read again at the next attempt.`,
  }
}

/** Returns the codes of an error and of its causes. */
export function codesOf(error: unknown): readonly string[] {
  const codes: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') codes.push(current.code)
    current = current.cause
  }
  return codes
}
