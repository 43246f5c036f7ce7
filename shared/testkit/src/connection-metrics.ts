/**
 * Reads what a service's metrics tell about its connection to a server of the platform, in the order of
 * docs/metrics.md.
 */
import type { SpawnedServer } from './servers/child-server.ts'
import { waitFor } from './waiting/wait-for.ts'
import { metricsCatalogue, servedRows } from './metrics-catalogue.ts'
import { scrapeMetrics } from './scraped-metrics.ts'

export type ToldConnection = {
  readonly labels: Readonly<Record<string, string>>
  /** Undefined if the metrics do not tell. */
  readonly connected: number | undefined
  readonly reconnects: number | undefined
  /** Rows of the catalogue that are not served as it says. */
  readonly missing: readonly string[]
}

export async function toldConnection(port: number): Promise<ToldConnection> {
  const metrics = await scrapeMetrics(port)
  const sample = (name: string) => metrics.get(`switchyard_connection_${name}`)?.samples[0]
  const served = servedRows(metrics).map((row) => JSON.stringify(row))
  return {
    labels: sample('reconnects_total')?.labels ?? {},
    connected: sample('connected')?.value,
    reconnects: sample('reconnects_total')?.value,
    missing: metricsCatalogue(['On NATS and Redis'])
      .map((row) => JSON.stringify(row))
      .filter((row) => !served.includes(row)),
  }
}

/**
 * Returns what the metrics tell after a connection was opened, after it was made again because its server was
 * killed, and after it was closed.
 */
export async function connectionLife(
  port: number,
  server: SpawnedServer,
  open: () => Promise<AsyncDisposable>,
): Promise<{
  readonly opened: ToldConnection
  readonly remade: ToldConnection
  readonly closed: ToldConnection
}> {
  const isConnected = async () => (await toldConnection(port)).connected === 1
  const connection = await open()
  const opened = await toldConnection(port)
  await server.kill9()
  await waitFor('the loss', async () => (await toldConnection(port)).connected === 0)
  await server.restart()
  await waitFor('the connection', isConnected)
  const remade = await toldConnection(port)
  await connection[Symbol.asyncDispose]()
  return { opened, remade, closed: await toldConnection(port) }
}
