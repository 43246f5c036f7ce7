import { describe, expect, it } from 'vitest'
import { createLogger, startBehindHealth, VERSION } from '../src/index.ts'
import type { HealthState } from '../src/index.ts'

describe('a service that starts behind its health endpoints', () => {
  it('is not ready with the reason until it is there, then says itself, and is disposed before what it uses', async () => {
    const logged: { port?: number }[] = []
    const logger = createLogger({
      name: 't',
      to: { write: (line: string) => void logged.push(JSON.parse(line)) },
    })
    const gate = Promise.withResolvers<void>()
    const disposed: string[] = []
    let state: HealthState = { ok: false, reason: 'the logs are being read' }
    const starting = startBehindHealth(
      { host: '127.0.0.1', port: 0, service: 'sample', logger, waitingFor: () => 'waiting for NATS' },
      async (resources) => {
        resources.defer(() => void disposed.push('storage'))
        await gate.promise
        return { ready: () => state, [Symbol.asyncDispose]: async () => void disposed.push('service') }
      },
    )
    const ask = async () => {
      const port = logged[0]?.port
      const [live, ready] = await Promise.all(
        ['live', 'ready'].map((path) => fetch(`http://127.0.0.1:${port}/health/${path}`)),
      )
      return [live?.status, ready?.status, await ready?.json()]
    }
    while (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await ask()).toEqual([
      200,
      503,
      { status: 'unavailable', reason: 'waiting for NATS', version: VERSION },
    ])
    gate.resolve()
    const service = await starting
    expect(await ask()).toEqual([
      200,
      503,
      { status: 'unavailable', reason: 'the logs are being read', version: VERSION },
    ])
    state = { ok: true }
    expect(await ask()).toEqual([200, 200, { status: 'ok', version: VERSION }])
    await service[Symbol.asyncDispose]()
    expect(disposed).toEqual(['service', 'storage'])
    await expect(ask()).rejects.toThrow()
  })

  it('leaves nothing behind when the start fails', async () => {
    const disposed: string[] = []
    const logger = createLogger({ name: 't', level: 'silent' })
    await expect(
      startBehindHealth(
        { host: '127.0.0.1', port: 0, service: 'sample', logger, waitingFor: () => '' },
        async (resources) => {
          resources.defer(() => void disposed.push('storage'))
          throw new Error('no key')
        },
      ),
    ).rejects.toThrow('no key')
    expect(disposed).toEqual(['storage'])
  })
})
