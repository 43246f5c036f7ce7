/**
 * Asks the service of this machine for its health, for health checks of containers: an image then needs
 * neither a shell nor an HTTP client. The address is the one that the service itself takes from its
 * environment.
 *
 * An engine starts this program every few seconds, so the modules for HTTP are read without an import: an
 * import of `node:http` loads the WebSocket of Node.js as well, which takes longer than the whole check.
 */
import type { Environment } from '../process/environment.ts'

export const HEALTH_CHECKS = ['live', 'ready'] as const
export type HealthCheckName = (typeof HEALTH_CHECKS)[number]

export type HealthAnswer = {
  readonly ok: boolean
  /** One line: what the service said, or why it said nothing. */
  readonly text: string
}

export type HealthAddress = { readonly host: string; readonly port: number }

const TIMEOUT_MS = 4_000
const MAX_TEXT_LENGTH = 1_000

/**
 * Returns the address at which the service is asked. An address that stands for all of them is replaced by
 * loopback. Null if there is no port.
 */
export function healthAddress(env: Environment): HealthAddress | null {
  const port = Number(env['SWITCHYARD_PORT'] ?? '')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null
  const host = env['SWITCHYARD_HOST'] || '0.0.0.0'
  if (host === '0.0.0.0') return { host: '127.0.0.1', port }
  return { host: host === '::' ? '::1' : host, port }
}

/**
 * Never rejects. A port that speaks TLS alone is asked by HTTPS; whose certificate it shows does not matter
 * here.
 */
export async function checkHealth(check: HealthCheckName, address: HealthAddress): Promise<HealthAnswer> {
  try {
    return await ask(check, address, false)
  } catch (plain) {
    try {
      return await ask(check, address, true)
    } catch {
      return { ok: false, text: plain instanceof Error ? plain.message : String(plain) }
    }
  }
}

function ask(check: HealthCheckName, { host, port }: HealthAddress, tls: boolean): Promise<HealthAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HealthAnswer>()
  const options = {
    host,
    port,
    path: `/health/${check}`,
    agent: false as const,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
  const request = tls
    ? process.getBuiltinModule('node:https').request({ ...options, rejectUnauthorized: false })
    : process.getBuiltinModule('node:http').request(options)
  request.on('error', reject)
  request.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', reject)
    response.on('data', (chunk: string) => {
      if (text.length < MAX_TEXT_LENGTH) text += chunk
    })
    response.on('end', () =>
      resolve({ ok: response.statusCode === 200, text: text.slice(0, MAX_TEXT_LENGTH) }),
    )
  })
  request.end()
  return promise
}
