/** One publish, carried out by processes of their own, arrives at a collector as one trace. */
import { natsServerAvailable, redisServerAvailable, startCollector, waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { openShop, publishShop, query, startOnRealServers } from '../src/index.ts'

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('spans of all services', () => {
  it('are one trace of a publish, down to the swap in each router, and one of each request', async () => {
    await using collector = await startCollector()
    await using shop = await openShop()
    await using system = await startOnRealServers({
      environment: {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        SWITCHYARD_METRICS_PORT: '0',
      },
    })
    await publishShop(system, shop)
    const traceId = 'c'.repeat(32)
    const headers = { traceparent: `00-${traceId}-${'d'.repeat(16)}-01`, 'x-request-id': 'deploy-17' }
    const schema = await system.manage(
      'PUT',
      '/v1/subgraphs/default/users/schema',
      { sdl: `${shop.users.sdl}\nextend type Query { traced: Int }` },
      { headers },
    )
    expect(schema.status, JSON.stringify(schema.body)).toBe(200)

    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
    // Each program exports by itself, so the spans of a swap may arrive before those that they are part of.
    await waitFor('the spans of both swaps and of all that led to them', () => {
      expect(ofTrace().filter(({ name }) => name === 'config swap').length).toBeGreaterThanOrEqual(2)
      const ids = new Set(ofTrace().map(({ spanId }) => spanId))
      const orphans = ofTrace().filter(
        ({ parentSpanId, name }) => name !== 'registry.command' && !ids.has(parentSpanId),
      )
      expect(orphans).toEqual([])
      expect(new Set(ofTrace().map(({ service, name }) => `${service}: ${name}`))).toEqual(
        new Set([
          'registry: registry.command',
          'composer: compose graph',
          'config-distribution: publish config',
          'router: config swap',
        ]),
      )
      return true
    })
    const command = ofTrace().find(({ name }) => name === 'registry.command')
    expect(command).toMatchObject({
      service: 'registry',
      parentSpanId: 'd'.repeat(16),
      attributes: { 'switchyard.request.id': 'deploy-17' },
    })
    await query(system.routerUrls[0] ?? '')
    await waitFor('the spans of a request', () =>
      collector.spans.find(({ name }) => name === 'POST /graphql'),
    )
    const told = () =>
      [...system.programs.values()]
        .flatMap(({ output }) => output.split('\n').filter((line) => line.includes(traceId)))
        .map((line) => JSON.parse(line))
        .map(({ name, event }) => `${name}: ${event}`)
    await waitFor('the log lines of the publish', () => {
      expect(told()).toEqual(
        expect.arrayContaining([
          'registry: registry.command.applied',
          'composer: composition.completed',
          'config-distribution: config.published',
          'router: config.swapped',
        ]),
      )
      return true
    })
  })
})
