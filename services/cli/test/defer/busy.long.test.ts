/**
 * `defer doctor` at a router that already answers as many probes as it may, and where it is disturbed while
 * it asks.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import {
  PROBE_HEADER,
  PROBE_LIMITS,
  PROBE_OPERATION,
  PROBE_QUERY,
  writeProbeHeader,
} from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Run, runCommand } from '../run-command.ts'
import { type Habit, HABITS, type Proxy, startProxy } from './proxies.ts'
import { type ProbedRouter, startRouter } from './router.ts'

let router: ProbedRouter
beforeAll(async () => {
  router = await startRouter({ DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' })
})
afterAll(() => router[Symbol.asyncDispose]())

/** Probes of somebody else, as many as the router answers, until they are let go. */
async function occupy(): Promise<Disposable> {
  const probes = Array.from({ length: PROBE_LIMITS.concurrent }, () => {
    const header = writeProbeHeader({ parts: 2, spacing: PROBE_LIMITS.duration, padding: 0, token: null })
    const headers = { 'content-type': 'application/json', accept: 'multipart/mixed', [PROBE_HEADER]: header }
    const outgoing = request(router.url, { method: 'POST', headers, agent: false }).on('error', () => {})
    outgoing.end(JSON.stringify({ query: PROBE_QUERY, operationName: PROBE_OPERATION }))
    return outgoing
  })
  await Promise.all(probes.map((probe) => once(probe, 'response')))
  return {
    [Symbol.dispose]: () => {
      for (const probe of probes) probe.destroy()
    },
  }
}

async function through(habit: Habit): Promise<Run> {
  await using proxy: Proxy = await startProxy(router.url, habit)
  return await runCommand(['defer', 'doctor', proxy.url, '--json'])
}

const ALL_WELL = { ok: true, result: { findings: [] } }

describe('a busy router', () => {
  it.each(['nginxLike', 'gzipFlushed'] as const)('is waited for: %s', async (name) => {
    const others = await occupy()
    let refused = 0
    const run = await through({
      answer: (from, to) => {
        if (from.statusCode === 503 && ++refused === 2) others[Symbol.dispose]()
        HABITS[name].answer?.(from, to)
      },
    })
    expect(run.json()).toMatchObject(ALL_WELL)
    expect(refused).toBeGreaterThan(1)
  })

  it('is waited for behind a compressor that leaves the length of the text', async () => {
    const text = '{"errors":[{"message":"Busy.","extensions":{"code":"DEFER_PROBE_LIMIT"}}]}'
    const body = gzipSync(text)
    // The last byte is none of the answer: for a client it is an error, after everything that tells what
    // came.
    const length = body.length - 1
    let refusals = 3
    const run = await through({
      answer: (from, to) => {
        if (to.req.headers['accept-encoding'] !== 'gzip' || refusals-- <= 0)
          return HABITS.nginxLike.answer(from, to)
        from.resume()
        to.socket?.cork()
        to.writeHead(503, {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': length,
        })
        to.end(body)
        to.socket?.uncork()
      },
    })
    expect(run.json()).toMatchObject(ALL_WELL)
    expect(refusals).toBeLessThan(0)
  })

  it('is no fault of the way to it: whoever waited in vain is told so', async () => {
    using _others = await occupy()
    const run = await through(HABITS.clean)
    expect(run.exitCode).toBe(3)
    expect(run.json()).toMatchObject({
      ok: false,
      error: {
        code: 'PROBE_UNANSWERED',
        detail: expect.stringMatching(/busy.*DEFER_PROBE_LIMIT.*Try again/),
      },
    })
  })
})

describe('a connection that is closed when it is used again', () => {
  /** Hangs up on the second question of so many connections. */
  function hangingUp(times: number): Habit {
    const used = new WeakSet<object>()
    let left = times
    return {
      answer: (from, to) => {
        const socket = to.socket
        if (socket !== null && used.has(socket) && left > 0) {
          left--
          from.destroy()
          socket.destroy()
        } else {
          if (socket !== null) used.add(socket)
          HABITS.nginxLike.answer(from, to)
        }
      },
    }
  }

  it('is replaced, as clients do', async () => {
    expect((await through(hangingUp(1))).json()).toMatchObject(ALL_WELL)
  })

  it('is a fault where it happens each time', async () => {
    const { result } = (await through(hangingUp(Number.POSITIVE_INFINITY))).json()
    expect(result).toMatchObject({
      findings: [{ kind: 'other-answer', ways: ['HTTP/1.1, Apollo Client, connection used again'] }],
    })
  })
})
