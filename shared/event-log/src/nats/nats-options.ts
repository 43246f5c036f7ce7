/** The settings of a service as options of the client. Files are read anew for each connection. */
import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node'
import { SecretFile } from '@switchyard/service-kit'
import { type NatsAddress, parseNatsAddress } from './nats-address.ts'
import type { NatsSettings } from './nats-settings.ts'

const CONNECT_TIMEOUT_MS = 5_000
/**
 * A server that answers none of two questions in a row is gone: with nobody to say so, that takes three times
 * as long as this.
 */
const PING_MS = 2_500

export type NatsOptions = {
  readonly options: ConnectionOptions
  /** `host:port` of the servers. */
  readonly servers: readonly string[]
  /** Throws the problem of a file, which the client itself would only take for a reason to give up. */
  readonly check: () => void
}

/** Throws EventLogUnavailableError when the address cannot be understood. */
export function natsOptions(settings: NatsSettings, name: string): NatsOptions {
  const address = parseNatsAddress(settings.url, settings.passwordFile !== undefined)
  const { authenticators, files } = authenticatorsOf(settings, address)
  const tls = tlsOf(settings, address)
  return {
    servers: address.servers,
    check: () => {
      for (const file of files) file.check()
    },
    options: {
      servers: [...address.servers],
      ...(authenticators.length === 0 ? {} : { authenticator: authenticators }),
      ...(tls === null ? {} : { tls }),
      name,
      // Replies to one service are no business of the others, which permissions can only tell apart by their
      // subjects.
      inboxPrefix: inboxPrefixOf(name),
      timeout: CONNECT_TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
      reconnectJitter: 100,
      reconnectJitterTLS: 100,
      ignoreAuthErrorAbort: true,
      pingInterval: PING_MS,
      maxPingOut: 2,
    },
  }
}

/** `_INBOX.registry` for a service of that name. */
export function inboxPrefixOf(name: string): string {
  return `_INBOX.${name.replaceAll(/[^0-9A-Za-z_-]/g, '_')}`
}

/** The seed of an NKey of a user, or a JWT and such a seed. */
const CREDENTIALS = /^SU[A-Z2-7]{56}$|-{3,}\n.+\n\s*-{3,}[^\n]*-{3,}\n[^]*-{3,}\n\s*SU[A-Z2-7]{56}\n/

function authenticatorsOf(
  { passwordFile, tokenFile, credentialsFile }: NatsSettings,
  { user, pass, token }: NatsAddress,
): { readonly authenticators: Authenticator[]; readonly files: readonly SecretFile[] } {
  const authenticators: Authenticator[] = []
  const files: SecretFile[] = []
  const fileAt = (path: string, form?: RegExp, what?: string): SecretFile => {
    const file = new SecretFile(path, form, what)
    files.push(file)
    return file
  }
  if (credentialsFile !== undefined)
    authenticators.push(byCredentials(fileAt(credentialsFile, CREDENTIALS, 'credentials as nsc writes them')))
  if (tokenFile !== undefined) authenticators.push(tokenAuthenticator(fileAt(tokenFile).read))
  else if (token !== undefined) authenticators.push(tokenAuthenticator(token))
  if (user !== undefined) {
    const password = passwordFile === undefined ? (pass ?? '') : fileAt(passwordFile).read
    authenticators.push(usernamePasswordAuthenticator(user, password))
  }
  return { authenticators, files }
}

/** An authenticator that throws would end the connection for good. */
function byCredentials(file: SecretFile): Authenticator {
  // The client looks for the end of a line behind the last one.
  const bytes = (): Uint8Array => Buffer.from(`${file.read()}\n`)
  const seed = (): Uint8Array => Buffer.from(file.read())
  const byJwt = credsAuthenticator(bytes)
  const bySeed = nkeyAuthenticator(seed)
  return (nonce): ReturnType<Authenticator> => {
    try {
      return file.read().startsWith('SU') ? bySeed(nonce) : byJwt(nonce)
    } catch {
      // The server then refuses, and `check` says why.
      return undefined
    }
  }
}

function tlsOf(
  { tls: { caFile, certFile, keyFile } = {} }: NatsSettings,
  address: NatsAddress,
): NonNullable<ConnectionOptions['tls']> | null {
  const files = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  }
  if (!address.tls && Object.keys(files).length === 0) return null
  const identity = {
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      checkNames(namesToCheck(host, address.servers), certificate),
  }
  return { ...files, ...identity }
}

/**
 * Returns the names to look for in a server's certificate. If a server is named by its address, Node.js would
 * look for `localhost`.
 */
function namesToCheck(host: string, servers: readonly string[]): readonly string[] {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  return host !== 'localhost' || hosts.includes('localhost')
    ? [host]
    : hosts.filter((name) => isIP(name) !== 0)
}

function checkNames(names: readonly string[], certificate: PeerCertificate): Error | undefined {
  const results = names.map((name) => checkServerIdentity(name, certificate))
  return results.length === 0 || results.includes(undefined) ? undefined : results[0]
}
