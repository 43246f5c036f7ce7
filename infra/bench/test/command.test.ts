import { waitFor } from '@switchyard/testkit'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runLoadCommand } from '../src/command.ts'
import type { LoadReport } from '../src/index.ts'
import { answerJson, serve } from './support/misbehaving-server.ts'

const LOAD = fileURLToPath(new URL('../load.ts', import.meta.url))

/** In this process: what it wrote, and the exit code. */
async function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      texts[stream] += String(text)
      return true
    })
  const code = await runLoadCommand(args)
  vi.restoreAllMocks()
  return { code, ...texts }
}

describe('the command line', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('explains itself', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    for (const word of ['--rate', '--requests', '--metrics', 'Examples:', 'Exit code:'])
      expect(stdout).toContain(word)
  })

  it.each([
    [[], /missing required argument 'url'/],
    [['localhost:4000'], /http:\/\/ or https:\/\//],
    [['-r', 'fast', 'http://x'], /number of requests a second/],
    [['-r', '0', 'http://x'], /number of requests a second/],
    [['-c', '1.5', 'http://x'], /whole number from 1/],
    [['-d', '30', 'http://x'], /500ms, 30s, 5m or 1h/],
    [['-r', '1', '-c', '1', 'http://x'], /exclude each other/],
    [['-f', 'a', '-q', 'b', 'http://x'], /exclude each other/],
    [['-f', '/no/such/file', 'http://x'], /cannot be read/],
    [['-H', 'no colon', 'http://x'], /name, a colon and a value/],
    [['--reqests', 'a', 'http://x'], /Did you mean --requests/],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('writes a report for people, and ends with 1 when something failed', async () => {
    await using server = await serve((request, response) => {
      if (request.method === 'GET') answerJson(response, { errors: [{ message: 'not like that' }] })
      else answerJson(response, { data: { __typename: 'Query' } })
    })
    const { code, stdout } = await run('-r', '100', '-d', '100ms', server.url)
    expect(code).toBe(1)
    expect(stdout).toContain(`of 100 requests a second on ${server.url}/graphql`)
    expect(stdout).toMatch(/\d × graphql-errors: an answer with errors\n.*typename by GET.*not like that/)
    expect(stdout).toMatch(/^typename by POST +\d+ +0 +\d/m)
    expect(stdout).toContain('load generator: event loop late by')
  })

  it('ends at Ctrl-C with what it found out, also about routers', async () => {
    let metrics = 0
    await using server = await serve((request, response) => {
      if (request.url !== '/metrics') return answerJson(response, { data: { __typename: 'Query' } })
      metrics++
      response.end(
        'nodejs_eventloop_delay_max_seconds{a="b"} 0.0125\nnodejs_eventloop_delay_p99_seconds 0.002\n',
      )
    })
    const args = [
      '--disable-warning=ExperimentalWarning',
      LOAD,
      '--json',
      '-c',
      '2',
      '-m',
      server.url,
      server.url,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    const ended = once(child, 'close')
    await waitFor('its first reading', () => metrics > 0)
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    const report = JSON.parse(stdout) as LoadReport
    expect(report).toMatchObject({ failed: 0, failures: {}, pace: { kind: 'connections', count: 2 } })
    expect(report.requests).toBeGreaterThan(0)
    expect(report.routers).toEqual([
      {
        url: `${server.url}/metrics`,
        reads: expect.any(Number),
        failedReads: 0,
        longestDelay: 12.5,
        highestP99: 2,
      },
    ])
  })
})
