/** `defer doctor` through a real nginx: what its settings do to deferred answers, and that it is named. */
import { nginxAvailable, startNginx } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../run-command.ts'
import { type ProbedRouter, startRouter } from './router.ts'

const Report = z.object({
  result: z.object({
    findings: z.array(
      z.object({ kind: z.string(), severity: z.string(), change: z.array(z.string()), where: z.string() }),
    ),
    ways: z.array(z.object({ acceptEncoding: z.string(), contentEncoding: z.string().nullable() })),
    hops: z.array(z.object({ name: z.string(), evidence: z.array(z.string()) })),
  }),
})

describe.skipIf(!nginxAvailable())('defer doctor through nginx', () => {
  const stack = new AsyncDisposableStack()
  let router: ProbedRouter
  beforeAll(async () => {
    router = stack.use(await startRouter({ DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' }))
  })
  afterAll(() => stack.disposeAsync())

  async function through(directives: string, target = new URL(router.url).origin) {
    await using nginx = await startNginx(target, directives)
    const run = await runCommand([
      'defer',
      'doctor',
      `${nginx.url}/graphql`,
      '--direct',
      router.url,
      '--json',
    ])
    return { exitCode: run.exitCode, url: nginx.url, ...Report.parse(run.json()).result }
  }

  it.each([
    ['as it is', ''],
    ['over HTTP/1.1 to the router', 'proxy_http_version 1.1; proxy_set_header Connection "";'],
    ['without buffering', 'proxy_buffering off; proxy_ignore_headers X-Accel-Buffering;'],
    [
      'compressing everything, since it flushes what is not to be buffered',
      'gzip on; gzip_types *; gzip_proxied any;',
    ],
  ])('finds nothing with nginx %s, and knows that it is there', async (_, directives) => {
    const { exitCode, findings, hops, ways } = await through(directives)
    expect(findings).toEqual([])
    expect(ways.some(({ contentEncoding }) => contentEncoding === 'gzip')).toBe(
      directives.includes('gzip on'),
    )
    expect(exitCode).toBe(0)
    expect(hops.find(({ name }) => name === 'nginx')?.evidence).toEqual([
      expect.stringMatching(/^server: nginx\//),
      'the header X-Accel-Buffering was taken away',
    ])
  })

  it.each([
    ['that does not listen to the router', 'proxy_ignore_headers X-Accel-Buffering;'],
    [
      'that compresses, too',
      'proxy_ignore_headers X-Accel-Buffering; gzip on; gzip_types *; gzip_proxied any;',
    ],
  ])('finds the buffer of an nginx %s, and says what to change', async (_, directives) => {
    const { exitCode, findings } = await through(directives)
    expect(exitCode).toBe(1)
    for (const { kind, where, change } of findings) {
      expect(kind).toMatch(/^held-(?:to-the-end|in-blocks)$/)
      expect(where).toBe('between')
      expect(change[0]).toMatch(/^nginx: .*proxy_ignore_headers X-Accel-Buffering/)
    }
    expect(findings).toHaveLength(1)
  })

  it('finds the second of two, which never sees what the router asks of the first', async () => {
    await using near = await startNginx(new URL(router.url).origin)
    const { exitCode, findings } = await through('', near.url)
    expect(exitCode).toBe(1)
    expect(findings).toMatchObject([
      { change: [expect.stringContaining('Of several nginx in a row'), expect.anything()] },
    ])
    const repaired = await through('proxy_buffering off;', near.url)
    expect(repaired).toMatchObject({ exitCode: 0, findings: [] })
  })

  it('finds the time limit for pauses', async () => {
    await using nginx = await startNginx(new URL(router.url).origin, 'proxy_read_timeout 2s;')
    const run = await runCommand(['defer', 'doctor', `${nginx.url}/graphql`, '--idle', '6', '--json'])
    expect(Report.parse(run.json()).result.findings).toMatchObject([
      { kind: 'connection-cut', change: [expect.stringContaining('proxy_read_timeout'), expect.anything()] },
    ])
  })
})
