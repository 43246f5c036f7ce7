/**
 * `defer doctor` on a machine that stalls now and then: what is late by that is no fault of anything in
 * between.
 */
import { PROBE_HEADER } from '@switchyard/contracts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { HABITS, type Proxy, startProxy } from './proxies.ts'
import { type ProbedRouter, startRouter } from './router.ts'

let router: ProbedRouter
beforeAll(async () => {
  router = await startRouter({ DEV_MODE: 'true', ENGINE_ENABLE_DEFER: 'true' })
})
afterAll(() => router[Symbol.asyncDispose]())

type Answer = (from: IncomingMessage, to: ServerResponse) => void

/**
 * What the doctor finds when its passes go through these, one after the other; the last is for all that
 * follow.
 */
async function findings(...passes: readonly Answer[]): Promise<unknown> {
  // All questions of a pass have one spacing; those that only begin a connection have none.
  const spacings: string[] = []
  await using proxy: Proxy = await startProxy(router.url, {
    answer: (from, to) => {
      const spacing = /spacing=(\d+)/.exec(String(to.req.headers[PROBE_HEADER.toLowerCase()]))?.[1] ?? ''
      if (spacing === '0') return HABITS.nginxLike.answer(from, to)
      if (!spacings.includes(spacing)) spacings.push(spacing)
      const answer = passes[spacings.indexOf(spacing)] ?? passes.at(-1)
      answer?.(from, to)
    },
  })
  const run = await runCommand(['defer', 'doctor', proxy.url, '--json'])
  expect(spacings.length).toBeGreaterThanOrEqual(passes.length)
  return (run.json()['result'] as { findings: unknown }).findings
}

/** Holds one part until the next one is there. */
function late(part: number): Answer {
  return (from, to) => {
    const held: Buffer[] = []
    let parts = 0
    to.writeHead(from.statusCode ?? 502, { 'content-type': from.headers['content-type'] })
    from.on('data', (chunk: Buffer) => {
      held.push(chunk)
      if (++parts !== part) to.write(Buffer.concat(held.splice(0)))
    })
    from.on('end', () => to.end(Buffer.concat(held)))
  }
}

it.concurrent('finds nothing where another part is late each time', async () => {
  expect(await findings(late(1), late(2), late(3), HABITS.nginxLike.answer)).toEqual([])
})

it.concurrent('names a habit by the answers that nothing disturbed', async () => {
  const usual = HABITS.holdBoundaries.answer ?? late(1)
  expect(await findings(usual, usual, HABITS.bufferAll.answer, usual)).toMatchObject([
    { kind: 'boundaries-held' },
  ])
})
