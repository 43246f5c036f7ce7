import { recordMetrics } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { openStorage, setUpShop, startClient } from './harness.ts'

it('counts commands and wrong keys, and times requests by route, never by what was asked for', async () => {
  using metrics = recordMetrics()
  await using storage = await openStorage()
  await using client = await startClient(storage)
  await setUpShop(client)
  metrics.measured.length = 0
  const flag = { name: 'made-up', featureSubgraphs: ['orders-next'], labels: [] }
  await client.post('/v1/feature-flags/default?wait=0', flag)
  await client.post('/v1/feature-flags/default?wait=0', flag)
  await client.request('GET', '/v1/graphs/made-up', { headers: { authorization: 'Bearer swy_made_up' } })
  await client.get('/made-up')
  const labelsOf = (wanted: string) =>
    metrics.measured.filter(({ name }) => name === wanted).map(({ labels }) => labels)
  expect(labelsOf('switchyard.registry.commands')).toEqual([
    { command: 'create-feature-flag', outcome: 'applied' },
    { command: 'create-feature-flag', outcome: 'refused' },
  ])
  expect(labelsOf('switchyard.registry.wrong_keys')).toEqual([{}])
  const http = (method: string, route: string, status: number) => ({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  })
  await expect
    .poll(() => labelsOf('http.server.request.duration'))
    .toEqual([
      http('POST', '/v1/feature-flags/:namespace', 201),
      http('POST', '/v1/feature-flags/:namespace', 409),
      http('GET', '/v1/graphs/:namespace', 401),
      http('GET', 'unknown', 404),
    ])
  expect(JSON.stringify(metrics.measured)).not.toContain('made-up')
})
