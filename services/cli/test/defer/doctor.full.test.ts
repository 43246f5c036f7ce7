/** `defer doctor` through real proxies, each with one habit: that habit is named, and nothing else. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { PROBE_HEADER } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Run, runCommand, type RunOptions } from '../run-command.ts'
import { type Habit, HABITS, type Proxy, startProxy } from './proxies.ts'
import { type ProbedRouter, startRouter } from './router.ts'

const TOKEN = 'the-token-of-this-test'
/** Longer than the pauses that the doctor makes by itself. */
const LONG_MS = 10_000
const Report = z.object({
  ok: z.boolean(),
  result: z.object({
    findings: z.array(
      z.object({
        kind: z.string(),
        severity: z.string(),
        seen: z.string(),
        change: z.array(z.string()).min(1),
        ways: z.array(z.string()).min(1),
        where: z.string(),
      }),
    ),
    hops: z.array(z.object({ name: z.string(), evidence: z.array(z.string()) })),
    ways: z.array(z.object({ name: z.string(), faults: z.array(z.string()), parts: z.array(z.unknown()) })),
    notOffered: z.array(z.object({ name: z.string(), reason: z.string() })),
  }),
})
const Failure = z.object({ ok: z.literal(false), error: z.object({ code: z.string(), detail: z.string() }) })

const stack = new AsyncDisposableStack()
/**
 * Routers that no doctor asks at the moment. A router answers few probes at a time, the tests below run
 * beside each other, and a doctor that finds its router busy for too long gives up.
 */
const free: ProbedRouter[] = []
const waiting: ((router: ProbedRouter) => void)[] = []
let router: ProbedRouter
let guarded: ProbedRouter
beforeAll(async () => {
  const start = async (env: Readonly<Record<string, string>>) => stack.use(await startRouter(env))
  const open = { DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' }
  guarded = await start({ ENGINE_DEFER_PROBE_TOKEN: TOKEN })
  router = await start(open)
  free.push(await start(open), await start(open), await start(open))
})
afterAll(() => stack.disposeAsync())

function doctor(url: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Run> {
  return runCommand(['defer', 'doctor', url, ...args], options)
}

/** With a router that nobody else asks meanwhile. */
async function withRouter<Result>(use: (router: ProbedRouter) => Promise<Result>): Promise<Result> {
  const own = free.pop() ?? (await new Promise<ProbedRouter>((resolve) => waiting.push(resolve)))
  try {
    return await use(own)
  } finally {
    const next = waiting.shift()
    if (next === undefined) free.push(own)
    else next(own)
  }
}

async function throughProxy(url: string, habit: Habit, args: readonly string[]) {
  await using proxy: Proxy = await startProxy(url, habit)
  const run = await doctor(proxy.url, ['--json', ...args])
  return { run, report: Report.parse(run.json()) }
}

function through(habit: Habit, args: readonly string[] = []) {
  return withRouter(({ url }) => throughProxy(url, habit, args))
}

describe('a way that is as it should be', () => {
  it('is found without a fault, at the router itself over both protocols', async () => {
    const run = await doctor(router.url, ['--json'])
    const { ok, result } = Report.parse(run.json())
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect({ ok, findings: result.findings, hops: result.hops }).toEqual({ ok: true, findings: [], hops: [] })
    expect(result.notOffered).toEqual([])
    expect(result.ways.length).toBeGreaterThan(8)
    expect(result.ways.filter(({ name }) => name.startsWith('HTTP/2')).length).toBeGreaterThan(1)
    for (const { parts } of result.ways) expect(parts).toHaveLength(4)
  })

  it.concurrent.each(['clean', 'gzipFlushed'] as const)('is found through a proxy: %s', async (name) => {
    const { run, report } = await through(HABITS[name])
    expect(report.result.findings).toEqual([])
    expect(run.exitCode).toBe(0)
    // These proxies speak HTTP/1 only.
    expect(report.result.notOffered.length).toBeGreaterThan(0)
  })

  it.concurrent('is found where another Accept means the same to the router, with a warning', async () => {
    const { run, report } = await through(HABITS.acceptAny)
    expect(report.result.findings).toMatchObject([{ kind: 'accept-rewritten', severity: 'warning' }])
    expect(report.result.findings[0]?.seen).toContain('"*/*" reached the router')
    expect(run.exitCode).toBe(0)
  })
})

describe('a proxy with a bad habit', () => {
  it.concurrent.each([
    [
      'bufferAll',
      'held-to-the-end',
      /nothing came before the last part was written: part 1 was written at 0 ms/,
    ],
    ['blocks', 'held-in-blocks', /the bytes came in multiples of 4096/],
    ['bigBlocks', 'held-in-blocks', /the bytes came in multiples of 32768/],
    ['gzipUnflushed', 'compressed-without-flush', /compressed \(gzip\)/],
    ['brotliUnflushed', 'compressed-without-flush', /compressed \(br\)/],
    ['stripParameters', 'parameters-lost', /without boundary and incrementalSpec/],
    ['stripFormat', 'parameters-lost', /without incrementalSpec/],
    ['otherType', 'not-multipart', /"application\/json" arrived/],
    [
      'wrongBoundary',
      'boundary-changed',
      /names the boundary "other", and the parts are separated by "graphql"/,
    ],
    ['contentLength', 'length-declared', /Content-Length: \d+/],
    ['holdBoundaries', 'boundaries-held', /the boundary that ends it with the next part/],
    ['holdParts', 'one-part-late', /each part came when the next one was written/],
    ['holdStart', 'start-held', /the first part came late, the others in time/],
    ['http10Collected', 'http-1.0', /nothing of it came before its end/],
    ['cut', 'connection-cut', /after 2 of 4 parts/],
    [
      'acceptJson',
      'accept-rewritten',
      /"application\/json" reached the router, so the router answered DEFER_BAD_HEADER/,
    ],
  ] as const)('%s: is named by %s, and by nothing else', async (name, kind, seen) => {
    const { run, report } = await through(HABITS[name])
    const { findings } = report.result
    expect(
      findings.map((finding) => finding.kind),
      JSON.stringify(findings),
    ).toEqual([kind])
    expect(report.result.findings[0]).toMatchObject({
      severity: 'problem',
      where: 'unknown',
      seen: expect.stringMatching(seen),
    })
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    expect(report.ok).toBe(false)
  })

  it.concurrent('that keeps the end for itself is given up, after the time that was allowed', async () => {
    const { report } = await through(HABITS.noEnd, ['--timeout', '3'])
    expect(report.result.findings).toMatchObject([{ kind: 'never-ends' }])
  })

  it.concurrent('that replaces the boundary everywhere, or speaks HTTP/1.0 as it should, is warned of', async () => {
    const [boundary, old] = await Promise.all([through(HABITS.newBoundary), through(HABITS.http10Streamed)])
    expect(boundary.report.result.findings).toMatchObject([{ kind: 'boundary-changed', severity: 'warning' }])
    expect(old.report.result.findings).toMatchObject([{ kind: 'http-1.0', severity: 'warning' }])
    expect([boundary.run.exitCode, old.run.exitCode]).toEqual([0, 0])
  })

  it.concurrent('is proven to be the cause by comparing with the router itself', async () => {
    await withRouter(async ({ url }) => {
      const between = await throughProxy(url, HABITS.stripFormat, ['--direct', url])
      expect(between.report.result.findings).toMatchObject([{ kind: 'parameters-lost', where: 'between' }])
      await using near: Proxy = await startProxy(url, HABITS.stripFormat)
      const behind = await throughProxy(near.url, HABITS.clean, ['--direct', near.url])
      expect(behind.report.result.findings).toMatchObject([{ kind: 'parameters-lost', where: 'router' }])
    })
  })

  it.concurrent('that gives up on silence is found by a pause', async () => {
    // It knows beforehand how long the silence will be, so that nothing here depends on how fast this machine
    // is.
    const silence = (to: ServerResponse) =>
      Number(/spacing=(\d+)/.exec(String(to.req.headers[PROBE_HEADER.toLowerCase()]))?.[1])
    const idle: Habit = {
      answer: (from, to) => {
        if (silence(to) < LONG_MS) return HABITS.nginxLike.answer(from, to)
        to.writeHead(200, { 'content-type': from.headers['content-type'], 'x-accel-buffering': 'no' })
        from.once('data', (chunk: Buffer) => to.write(chunk, () => to.destroy()))
      },
    }
    const { report } = await through(idle, ['--idle', String(LONG_MS / 1000)])
    expect(report.result.findings).toMatchObject([
      {
        kind: 'connection-cut',
        ways: ['HTTP/1.1, a pause of 10 s'],
        seen: expect.stringContaining('after 1 of 2 parts'),
      },
    ])
  })
})

describe('what stands between', () => {
  it.concurrent('is known by its traces, in answers and in what reached the router', async () => {
    const [nginx, cloudFront] = await Promise.all([through(HABITS.nginxLike), through(HABITS.viaCloudFront)])
    expect(nginx.report.result.hops).toEqual([
      { name: 'nginx', evidence: ['server: nginx/1.27.0', 'the header X-Accel-Buffering was taken away'] },
    ])
    expect(cloudFront.report.result.hops).toEqual([
      {
        name: 'Amazon CloudFront',
        evidence: [
          'via: 1.1 abc.cloudfront.net (CloudFront)',
          'the request reached the router with x-amz-cf-id',
        ],
      },
      { name: 'unknown', evidence: ['x-cache: Miss from cloudfront'] },
    ])
  })

  it.concurrent('decides what is advised', async () => {
    const habit: Habit = {
      answer: (from, to) => {
        from.headers['server'] = 'nginx'
        HABITS.contentLength.answer(from, to)
      },
    }
    const { report } = await through(habit)
    expect(report.result.findings[0]?.change[0]).toMatch(/^nginx: .*proxy_buffering off/)
  })
})

describe('the report for people', () => {
  it('shows every way, every finding with what to change, and a conclusion', async () => {
    await using proxy: Proxy = await startProxy(router.url, HABITS.stripFormat)
    const run = await doctor(proxy.url, ['--direct', router.url])
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    expect(run.stdout).toContain(`${proxy.url} was asked in `)
    expect(run.stdout).toMatch(/HTTP\/1\.1, Apollo Client +parameters-lost\n/)
    expect(run.stdout).toMatch(/HTTP\/2, Apollo Client +not offered: /)
    expect(run.stdout).toContain(`The router itself, ${router.url}, delivers every part in time.\n`)
    expect(run.stdout).toMatch(
      /\n1\. problem: The content type loses parameters \(in \d+ ways\) \[parameters-lost\]\n {3}seen: {3}HTTP\/1\.1, .*\n {3}means: {2}.*\n {3}where: {2}in between; .*\n {3}change: /,
    )
    expect(run.stdout).toMatch(/\n1 problem found\.\n$/)
  })

  it('says that all is well', async () => {
    const run = await doctor(router.url)
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toContain('Nothing shows that something stands between')
    expect(run.stdout).toMatch(/Deferred answers arrive here as the router writes them\.\n$/)
  })
})

describe('who may probe', () => {
  it('one who has the token, on the line or in the environment; a router that defers nothing is found out', async () => {
    for (const [args, env] of [
      [['--token', TOKEN], {}],
      [[], { ENGINE_DEFER_PROBE_TOKEN: TOKEN }],
    ] as const) {
      const run = await doctor(guarded.url, ['--json', ...args], { env })
      expect(Report.parse(run.json()).result.findings).toMatchObject([
        { kind: 'defer-off', where: 'router', change: [expect.stringContaining('ENGINE_ENABLE_DEFER=true')] },
      ])
      expect(run.exitCode).toBe(1)
      expect(run.stdout).not.toContain(TOKEN)
    }
    expect(guarded.output()).not.toContain(TOKEN)
  })

  it('nobody else: the refusal says how to get one', async () => {
    const without = await doctor(guarded.url)
    expect(without).toMatchObject({ exitCode: 1, stdout: '' })
    expect(without.stderr).toMatch(
      /^error: .*carries no token.*DEV_MODE=true.*ENGINE_DEFER_PROBE_TOKEN.*--token/,
    )
    const other = await doctor(guarded.url, ['--token', 'quite-another-token', '--json'])
    const { error } = Failure.parse(other.json())
    expect(error).toMatchObject({
      code: 'PROBE_REFUSED',
      detail: expect.stringContaining('does not know the token'),
    })
    expect(other.stdout).not.toContain('quite-another-token')
  })
})

describe('a URL where no router answers the probe', () => {
  async function failing(url: string, args: readonly string[] = []): Promise<string> {
    const run = await doctor(url, [...args, '--json'])
    expect(run).toMatchObject({ exitCode: 3, stderr: '' })
    const { error } = Failure.parse(run.json())
    expect(error.code).toBe('PROBE_UNANSWERED')
    return error.detail
  }
  async function answering(status: number, headers: Record<string, string>, body: string): Promise<string> {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(status, headers).end(body)
    })
    stack.defer(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`
  }

  it.each([
    [
      404,
      { 'content-type': 'text/html' },
      '<html>',
      /HTTP 404 \(text\/html\).*Is it the URL of its GraphQL endpoint\?/,
    ],
    [200, { 'content-type': 'text/html' }, '<html>', /HTTP 200 \(text\/html\)/],
    [302, { location: '/login' }, '', /points to \/login: probe that URL/],
    [401, {}, '', /wants to know who asks.*--header/],
    [
      200,
      { 'content-type': 'application/json' },
      '{"data":{"__typename":"Query"}}',
      /answered the operation of the probe, and not the probe/,
    ],
    [
      503,
      { 'content-type': 'application/json' },
      '{"errors":[{"message":"It starts.","extensions":{"code":"NOT_READY"}}]}',
      /HTTP 503 NOT_READY: It starts\./,
    ],
  ])('says who answered instead: HTTP %i %o', async (status, headers, body, detail) => {
    expect(await failing(await answering(status, headers, body))).toMatch(detail)
  })

  it('shows nothing of a stranger that would change the terminal', async () => {
    const message = 'Come\u001b[2J back\u001b]0;later\u0007.'
    const body = JSON.stringify({ errors: [{ message, extensions: { code: 'A\u009bB' } }] })
    const run = await doctor(await answering(503, { 'content-type': 'application/json' }, body))
    expect(run.stderr).toMatch(/HTTP 503 AB: Come\[2J back\]0;later\.\n$/)
  })

  it('says that the header of the probe does not arrive', async () => {
    await using proxy: Proxy = await startProxy(router.url, HABITS.noProbeHeader)
    expect(await failing(proxy.url)).toMatch(/X-Switchyard-Probe did not reach a Switchyard router/)
  })

  it('says why there is no connection, or no answer', async () => {
    expect(await failing('http://127.0.0.1:1/graphql')).toMatch(
      /cannot be reached: nothing is listening there/,
    )
    expect(await failing(router.url.replace('http:', 'https:'))).toMatch(
      /cannot be reached: .*TLS.*"http:\/\/"\?$/,
    )
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`
    expect(await failing(url, ['--timeout', '1'])).toMatch(/no answer within 1 s/)
    silent.closeAllConnections()
    silent.close()
  })

  it('sends what a proxy asks for', async () => {
    const habit: Habit = {
      answer: (from, to) => {
        if (to.req.headers['authorization'] === 'Bearer abc') HABITS.nginxLike.answer(from, to)
        else to.writeHead(401).end()
      },
    }
    const { run } = await through(habit, ['--header', 'Authorization: Bearer abc'])
    expect(run.exitCode).toBe(0)
  })

  it('is interrupted by Ctrl-C', async () => {
    const interrupt = new AbortController()
    await using proxy: Proxy = await startProxy(router.url, {
      answer: (from, to) => {
        interrupt.abort()
        HABITS.nginxLike.answer(from, to)
      },
    })
    const run = await doctor(proxy.url, ['--json'], { signal: interrupt.signal })
    expect(Failure.parse(run.json()).error.code).toBe('INTERRUPTED')
  })
})

describe('the command line', () => {
  it.each([
    [['not-a-url'], /"not-a-url" is no URL/],
    [['ftp://a/b'], /is no URL of a GraphQL endpoint/],
    [['http://a', '--idle', '121'], /at most 120 seconds/],
    [['http://a', '--header', 'nonsense'], /"name: value"/],
    [['http://a', '--token', 'short'], /16 to 200/],
    [['http://a', '--header', 'Accept: application/json'], /--header cannot set "accept"/],
    [['http://a', '--header', 'Content-Length: 3'], /--header cannot set "content-length"/],
    [['http://a', '--header', 'Connection: close'], /--header cannot set "connection"/],
    [['http://a', '--header', 'x-switchyard-probe: parts=1'], /--header cannot set "x-switchyard-probe"/],
  ])('refuses %j', async (args, message) => {
    const run = await runCommand(['defer', 'doctor', ...args])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toMatch(message)
  })

  it('takes no password in a URL, and does not repeat it', async () => {
    for (const args of [['http://me:hush@a/graphql'], ['http://a', '--direct', 'http://me:hush@a/graphql']]) {
      const run = await runCommand(['defer', 'doctor', ...args])
      expect(run).toMatchObject({ exitCode: 2, stdout: '' })
      expect(run.stderr).toMatch(/--header "Authorization: Basic/)
      expect(run.stderr).not.toContain('hush')
    }
  })
})
