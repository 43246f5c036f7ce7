import { describe, expect, it } from 'vitest'
import { createHealthServer, createLogger, type HealthState, VERSION } from '../src/index.ts'

describe('the health server', () => {
  it('is live at once, and ready only when the service says so, with its reason', async () => {
    let state: HealthState = { ok: false, reason: 'the log cannot be reached' }
    await using server = await createHealthServer({
      host: '127.0.0.1',
      port: 0,
      live: () => ({ ok: true }),
      ready: () => state,
    })
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
    const waiting = await fetch(`${server.url}/health/ready?verbose=1`)
    expect(waiting.status).toBe(503)
    expect(await waiting.json()).toEqual({
      status: 'unavailable',
      reason: 'the log cannot be reached',
      version: VERSION,
    })
    state = { ok: true, warning: 'one record is quarantined' }
    const warned = await fetch(`${server.url}/health/ready`)
    expect(warned.status).toBe(200)
    expect(await warned.json()).toEqual({
      status: 'ok',
      warning: 'one record is quarantined',
      version: VERSION,
    })
    state = { ok: true }
    const well = await fetch(`${server.url}/health/ready`)
    expect(await well.json()).toEqual({ status: 'ok', version: VERSION })
  })

  it.each([
    [
      'a port that is taken',
      '127.0.0.1',
      'the port is taken. Stop what listens there, or choose another port with SWITCHYARD_PORT.',
    ],
    [
      'an address that is not there',
      '192.0.2.1',
      'this machine has no such address. Choose another address with SWITCHYARD_HOST.',
    ],
  ])('says of %s in one line what to change', async (_what, host, told) => {
    const well = (): HealthState => ({ ok: true })
    const place = { host: '127.0.0.1', port: 0, live: well, ready: well }
    await using first = await createHealthServer(place)
    const second = createHealthServer({ ...place, host, port: first.port, service: 'composer' })
    await expect(second).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      message: `The composer cannot listen on ${host}, port ${first.port}: ${told}`,
    })
  })

  it('answers 404 for other paths and 405 for other methods', async () => {
    await using server = await createHealthServer({
      host: '127.0.0.1',
      port: 0,
      live: () => ({ ok: true }),
      ready: () => ({ ok: true }),
    })
    expect((await fetch(`${server.url}/`)).status).toBe(404)
    const post = await fetch(`${server.url}/health/live`, { method: 'POST', body: '{}' })
    expect(post.status).toBe(405)
    expect(post.headers.get('allow')).toBe('GET, HEAD')
  })
})

describe('the logger', () => {
  it('hides secrets, at the top of a line and one level down', () => {
    const lines: string[] = []
    const logger = createLogger({ name: 'test', to: { write: (line) => lines.push(line) } })
    logger.info({ authorization: 'Bearer swy_1', headers: { cookie: 'a=b', accept: 'x' } }, 'request')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      name: 'test',
      msg: 'request',
      authorization: '[hidden]',
      headers: { cookie: '[hidden]', accept: 'x' },
    })
  })
})
