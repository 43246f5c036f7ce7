/** What a health check of a container asks, and what it makes of the answer. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkHealth, healthAddress } from '../src/check-health/check-health.ts'
import { createHealthServer, type HealthState, VERSION } from '../src/index.ts'

describe('a health check', () => {
  it('asks the address that the service listens on, and loopback for all addresses', () => {
    expect(healthAddress({ SWITCHYARD_PORT: '4000' })).toEqual({ host: '127.0.0.1', port: 4000 })
    expect(healthAddress({ SWITCHYARD_PORT: '1', SWITCHYARD_HOST: '0.0.0.0' })?.host).toBe('127.0.0.1')
    expect(healthAddress({ SWITCHYARD_PORT: '1', SWITCHYARD_HOST: '::' })?.host).toBe('::1')
    expect(healthAddress({ SWITCHYARD_PORT: '1', SWITCHYARD_HOST: '10.0.0.1' })?.host).toBe('10.0.0.1')
    for (const port of ['', '0', '65536', 'four', undefined]) {
      expect(healthAddress({ SWITCHYARD_PORT: port })).toBeNull()
    }
  })

  it('tells whether the service is live and ready, and why not', async () => {
    let ready: HealthState = { ok: false, reason: 'waiting for a graph' }
    const live: HealthState = { ok: true }
    const address = { host: '127.0.0.1', port: 0 }
    await using server = await createHealthServer({ ...address, live: () => live, ready: () => ready })
    const at = { host: '127.0.0.1', port: server.port }
    expect(await checkHealth('live', at)).toEqual({
      ok: true,
      text: `{"status":"ok","version":"${VERSION}"}`,
    })
    expect(await checkHealth('ready', at)).toMatchObject({ ok: false })
    expect((await checkHealth('ready', at)).text).toContain('waiting for a graph')
    ready = { ok: true }
    expect(await checkHealth('ready', at)).toMatchObject({ ok: true })
  })

  it('keeps little of a long answer, and takes a port where nobody listens for not well', async () => {
    const server = createServer((_, response) => response.end('x'.repeat(100_000)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const answer = await checkHealth('live', { host: '127.0.0.1', port })
    expect(answer.text).toHaveLength(1_000)
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
    const nobody = await checkHealth('live', { host: '127.0.0.1', port })
    expect(nobody).toEqual({ ok: false, text: expect.stringContaining('ECONNREFUSED') as string })
  })
})
