/** `GET /health/live` and `GET /health/ready` for services that serve no other HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { VERSION } from '../text/version.ts'
import { BY_VARIABLES, PortUnavailableError } from '../process/port-unavailable.ts'

export type HealthState =
  /** `warning` means that all is well, and that there is something an operator should know. */
  { readonly ok: true; readonly warning?: string } | { readonly ok: false; readonly reason: string }

/** How many problems one reason names. */
const MOST_NAMED = 3

export type HealthServerOptions = {
  readonly host: string
  /** The port to listen on. With 0 the system chooses one, which `port` of the server tells. */
  readonly port: number
  /** The name of the service in error messages. */
  readonly service?: string
  readonly live: () => HealthState
  readonly ready: () => HealthState
}

export type HealthServer = AsyncDisposable & { readonly port: number; readonly url: string }

export async function createHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => answer(options, request, response))
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    port,
    url: `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** Well when there are no problems; else the first ones are the reason. */
export function healthOf(problems: readonly string[], warning: string | null = null): HealthState {
  if (problems.length === 0) return warning === null ? { ok: true } : { ok: true, warning }
  const more = problems.length > MOST_NAMED ? `; and ${problems.length - MOST_NAMED} more` : ''
  return { ok: false, reason: problems.slice(0, MOST_NAMED).join('; ') + more }
}

export function healthReply(state: HealthState): { status: 200 | 503; body: Record<string, string> } {
  const version = VERSION
  if (!state.ok) return { status: 503, body: { status: 'unavailable', reason: state.reason, version } }
  const { warning } = state
  return { status: 200, body: { status: 'ok', ...(warning === undefined ? {} : { warning }), version } }
}

function answer(options: HealthServerOptions, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0]
  const check = path === '/health/live' ? options.live : path === '/health/ready' ? options.ready : null
  request.resume()
  if (check === null) return send(response, 404, { status: 'not found' })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return send(response, 405, { status: 'method not allowed' })
  }
  const reply = healthReply(check())
  send(response, reply.status, reply.body)
}

function send(response: ServerResponse, status: number, body: Record<string, string>): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

function listen(server: Server, options: HealthServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: unknown) => {
      const { host, port, service = 'service' } = options
      reject(new PortUnavailableError({ what: service, host, port, settings: BY_VARIABLES }, error))
    }
    server.once('error', refused)
    server.listen(options.port, options.host, () => {
      server.off('error', refused)
      resolve()
    })
  })
}
