import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { openStorage, startClient } from './harness.ts'

type Line = Readonly<Record<string, unknown>>

const TRACE = '0af7651916cd43dd8448eb211c80319c'

async function client(lines: Line[]) {
  const storage = await openStorage()
  const logger = createLogger({
    name: 'registry',
    to: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const started = await startClient(storage, { logger })
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

describe('the id of a request to the management API', () => {
  it('is echoed, and with the trace in every line about the command', async () => {
    const lines: Line[] = []
    await using registry = await client(lines)
    const headers = { 'x-request-id': 'deploy-17', traceparent: `00-${TRACE}-b7ad6b7169203331-01` }
    const created = await registry.post('/v1/namespaces', { name: 'shop' }, headers)
    expect([created.status, created.headers.get('x-request-id')]).toEqual([201, 'deploy-17'])
    const refused = await registry.post('/v1/namespaces', { name: 'shop' }, headers)
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([409, 'deploy-17'])
    const told = lines.filter(({ event }) => String(event).startsWith('registry.command.'))
    expect(told).toMatchObject([
      { event: 'registry.command.applied', request_id: 'deploy-17', trace_id: TRACE },
      { event: 'registry.command.refused', request_id: 'deploy-17', trace_id: TRACE },
    ])
    expect(told[0]?.['span_id']).toMatch(/^[0-9a-f]{16}$/)
  })

  it('is made for whoever sends none that can be used, and never another one’s', async () => {
    const lines: Line[] = []
    await using registry = await client(lines)
    const wrong = { authorization: 'Bearer wrong', 'x-request-id': 'a"b' }
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const { headers } = await registry.request('GET', '/v1/namespaces', { headers: wrong })
        return headers.get('x-request-id')
      }),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const told = lines.filter(({ event }) => event === 'registry.authentication.failed')
    expect(told.map((line) => line['request_id']).toSorted()).toEqual(ids.toSorted())
    expect(lines.find(({ event }) => event === 'registry.listening')).not.toHaveProperty('request_id')
  })
})
