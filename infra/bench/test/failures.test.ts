import { freePort, waitFor } from '@switchyard/testkit'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Failure, type FailureKind, type LoadOptions, type LoadReport, startLoad } from '../src/index.ts'
import { answerJson, serve, serveFailures, type TestServer } from './support/misbehaving-server.ts'

const EXPECTED = [{ a: 1 }]

describe('a request that fails', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serveFailures()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** Until one request is over. */
  async function ask(path: string, options: Partial<LoadOptions> = {}): Promise<LoadReport> {
    const load = startLoad({
      urls: [`${server.url}/${path}`],
      pace: { kind: 'connections', count: 1 },
      requests: [{ name: 'it', query: '{ a }', expected: EXPECTED }],
      ...options,
    })
    await waitFor('a request', () => load.report.requests >= 1)
    return load.stop()
  }

  it('is none when the answer is right', async () => {
    const { requests, failed, failures, latency } = await ask('right')
    expect(failed).toBe(0)
    expect(failures).toEqual({})
    expect(requests).toBeGreaterThan(0)
    expect(latency).not.toBeNull()
  })

  it.each<[string, FailureKind, RegExp]>([
    ['reset', 'connection', /other side closed|ECONNRESET/],
    ['silent', 'timeout', /^no answer within 500 ms$/],
    ['half-silent', 'timeout', /^HTTP 200 and 7 bytes within 500 ms$/],
    ['status', 'http-status', /^HTTP 503: .*draining/],
    ['errors', 'graphql-errors', /no such field/],
    ['other', 'wrong-data', /expected \(\[{"a":1}\]\).*Received: {"data":{"a":2}}/],
    ['empty', 'wrong-data', /no data/],
    ['html', 'wrong-data', /no JSON.*<p>Welcome/],
    ['cut', 'cut-stream', /after HTTP 200 and 7 bytes/],
    ['cut-stream', 'cut-stream', /no closing boundary/],
    ['late-errors', 'graphql-errors', /gone/],
  ])('%s counts as %s', async (path, kind, message) => {
    const told: Failure[] = []
    const timeout = kind === 'timeout' ? 500 : 10_000
    const report = await ask(path, { timeout, onFailure: (failure) => told.push(failure) })
    expect(Object.keys(report.failures)).toEqual([kind])
    expect(report.failures[kind]?.count).toBe(report.failed)
    expect(report.failed).toBe(report.requests)
    const [first] = report.failures[kind]?.examples ?? []
    expect(first).toMatchObject({
      kind,
      request: 'it',
      url: `${server.url}/${path}`,
      sentAt: expect.any(String),
    })
    expect(first?.message).toMatch(message)
    expect(told.length).toBe(report.failed)
    // What nobody answered waited so long; other failures end sooner than an answer would have come.
    expect(report.latency === null).toBe(kind !== 'timeout')
  })

  it('says that nothing was sent where nobody listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const { failures, failed } = await ask('', { urls: [url] })
    expect(failures.connection?.count).toBe(failed)
    expect(failures.connection?.examples[0]).toMatchObject({ sentAt: null })
    expect(failures.connection?.examples[0]?.message).toContain('ECONNREFUSED')
  })

  it('keeps five examples of a kind, and counts the others', async () => {
    const load = startLoad({
      urls: [`${server.url}/status`],
      pace: { kind: 'connections', count: 4 },
    })
    await waitFor('twenty requests', () => load.report.requests >= 20)
    const { failures } = await load.stop()
    expect(failures['http-status']?.examples).toHaveLength(5)
    expect(failures['http-status']?.count).toBeGreaterThanOrEqual(20)
  })

  it('counts one that was due and could not be sent', async () => {
    const held: ServerResponse[] = []
    await using server = await serve((_request, response) => held.push(response))
    const load = startLoad({
      urls: [server.url],
      pace: { kind: 'rate', perSecond: 200 },
      maxInFlight: 2,
      timeout: 60_000,
    })
    await waitFor('more to be due than may be sent', () => load.report.seconds > 0.2 && held.length === 2)
    const stopping = load.stop()
    for (const response of held) answerJson(response, { data: {} })
    const { requests, failed, failures } = await stopping
    expect(failures['not-sent']?.count).toBe(requests - 2)
    expect(requests).toBeGreaterThan(2)
    expect(failed).toBe(requests - 2)
    expect(failures['not-sent']?.examples[0]).toMatchObject({ sentAt: null })
  })
})
