/** `GET /metrics` in the text format of Prometheus, on a port of its own. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { withPrometheusNames } from './prometheus-names.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type PrometheusPage = { readonly host: string; readonly port: number }

/** Listens until it is disposed of. Rejects with what `listen` fails with. */
export async function servePrometheus(
  { host, port }: PrometheusPage,
  read: () => Promise<ResourceMetrics>,
): Promise<AsyncDisposable> {
  const withoutScopeInfo = true
  const serializer = new PrometheusSerializer('', false, undefined, false, withoutScopeInfo)
  const page = async () => serializer.serialize(withPrometheusNames(await read()))
  const server = createServer((request, response) => answer(page, request, response))
  await listening(server, port, host)
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function answer(page: () => Promise<string>, request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  } else if ((request.url ?? '/').split('?', 1)[0] !== '/metrics') {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at /metrics.\n')
  } else {
    page().then(
      (text) => response.writeHead(200, { 'Content-Type': TYPE }).end(text),
      () => response.writeHead(500, { 'Content-Type': 'text/plain' }).end('The metrics could not be read.\n'),
    )
  }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
