/**
 * Refuses a provider of events that is the NATS on which the services of Switchyard talk, by the same
 * account. Whoever may publish a schema could hear their records there, or publish some.
 */
import { resolve } from 'node:path'
import { type NatsSettings, natsSettingsOf } from '@switchyard/event-log/nats-settings'
import { RouterConfigError } from '../settings/config-error.ts'
import type { BrokersConfig } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Throws a RouterConfigError that names each such provider. */
export function refuseControlPlane(providers: BrokersConfig, env: Environment): void {
  const problems = controlPlaneProblems(providers, env)
  if (problems.length > 0) throw new RouterConfigError(problems)
}

/** How the services of Switchyard reach their NATS; null if the environment names none. */
export function controlPlaneOf(env: Environment): NatsSettings | null {
  const url = env['SWITCHYARD_NATS_URL'] || undefined
  return url === undefined ? null : natsSettingsOf(url, env)
}

function controlPlaneProblems(providers: BrokersConfig, env: Environment): readonly string[] {
  const controlPlane = controlPlaneOf(env)
  if (controlPlane === null) return []
  const own = describe(controlPlane)
  return [...providers].flatMap(([id, settings]) => {
    const { servers, identity } = describe(settings)
    const isSame = identity === own.identity && servers.some((server) => own.servers.includes(server))
    return isSame
      ? [
          `"events.providers.${id}" is the NATS of SWITCHYARD_NATS_URL, by the same account: schemas could read and write what the services of Switchyard tell each other. Expected an account of its own, see docs/events.md.`,
        ]
      : []
  })
}

type Described = { readonly servers: readonly string[]; readonly identity: string }

/**
 * The account of a connection is known to the server alone. Two connections have the same one for certain if
 * they show the same credentials.
 */
function describe({ url, tls, passwordFile, tokenFile, credentialsFile }: NatsSettings): Described {
  const urls = url.split(',').map((part) => URL.parse(withScheme(part.trim())))
  const named = urls.find((one) => one !== null && one.username !== '')
  const isToken = named?.password === '' && passwordFile === undefined
  const files = [tokenFile, credentialsFile, tls?.certFile].map((file) =>
    file === undefined ? null : resolve(file),
  )
  return {
    servers: urls.flatMap((one) =>
      one === null
        ? []
        : [`${loopbackOf(one.hostname.toLowerCase())}:${one.port === '' ? '4222' : one.port}`],
    ),
    identity: JSON.stringify([isToken ? 'token' : 'user', named?.username ?? null, ...files]),
  }
}

function withScheme(text: string): string {
  return text.includes('://') ? text : `nats://${text}`
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function loopbackOf(host: string): string {
  return LOOPBACK.has(host) ? 'localhost' : host
}
