/** Why a service cannot listen where it should, in words that say which setting to change. */
import { messageOf } from '@switchyard/values'
import type { StartErrorCode } from '../text/start-errors.ts'

export type Listening = {
  /** `router`, for example. */
  readonly what: string
  readonly host: string
  readonly port: number
  /** How the port and the address are chosen. */
  readonly settings: { readonly port: string; readonly address: string }
}

export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError'
  readonly code = 'PORT_UNAVAILABLE' satisfies StartErrorCode

  constructor({ what, host, port, settings }: Listening, cause: unknown) {
    const { reason, remedy } = explanationOf(cause, settings)
    super(`The ${what} cannot listen on ${host}, port ${port}: ${reason}. ${remedy}`, { cause })
  }
}

/** How the services of a distributed set-up choose where they listen. */
export const BY_VARIABLES: Listening['settings'] = { port: 'SWITCHYARD_PORT', address: 'SWITCHYARD_HOST' }

/** Returns the code of the system's error, wherever in the chain of causes it is; null if there is none. */
export function systemCodeOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('syscall' in cause && 'code' in cause && typeof cause.code === 'string') return cause.code
  return null
}

function explanationOf(cause: unknown, settings: Listening['settings']) {
  switch (systemCodeOf(cause)) {
    case 'EADDRINUSE':
      return {
        reason: 'the port is taken',
        remedy: `Stop what listens there, or choose another port with ${settings.port}.`,
      }
    case 'EACCES':
      return {
        reason: 'this user may not open the port',
        remedy: `Choose another port with ${settings.port}; those below 1024 often need a permission.`,
      }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return {
        reason: 'this machine has no such address',
        remedy: `Choose another address with ${settings.address}.`,
      }
    default:
      return {
        reason: messageOf(cause),
        remedy: `Choose another port with ${settings.port} or another address with ${settings.address}.`,
      }
  }
}
