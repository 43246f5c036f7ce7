import { EventLogUnavailableError } from '../log/errors.ts'

export type NatsAddress = {
  readonly servers: readonly string[]
  readonly tls: boolean
  readonly user?: string
  readonly pass?: string
  readonly token?: string
}

const FORM =
  'nats://host:4222, tls://host:4222, nats://user:password@host:4222 or nats://token@host, several separated by commas'

/**
 * Reads `SWITCHYARD_NATS_URL`. Credentials are taken from the first server that has some and serve for all. A
 * name without a password is a token, unless the password is elsewhere.
 */
export function parseNatsAddress(url: string, passwordElsewhere = false): NatsAddress {
  const parsed = url.split(',').map((part) => parseServer(part.trim()))
  const withCredentials = parsed.find(({ username }) => username !== '')
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    tls: parsed.some(({ protocol }) => protocol === 'tls:'),
    ...credentialsOf(withCredentials, passwordElsewhere),
  }
}

function parseServer(text: string): URL {
  const full = text.includes('://') ? text : `nats://${text}`
  const parsed = URL.canParse(full) ? new URL(full) : null
  if (parsed === null || parsed.hostname === '' || !['nats:', 'tls:'].includes(parsed.protocol)) {
    // The text may hold a password, so it is not repeated.
    throw new EventLogUnavailableError(`the address of NATS cannot be understood. Expected: ${FORM}`)
  }
  return parsed
}

function credentialsOf(
  url: URL | undefined,
  passwordElsewhere: boolean,
): { user: string; pass: string } | { token: string } | object {
  if (url === undefined) return {}
  const username = decodeURIComponent(url.username)
  return url.password === '' && !passwordElsewhere
    ? { token: username }
    : { user: username, pass: decodeURIComponent(url.password) }
}
