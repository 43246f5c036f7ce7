/** `switchyard rollout figures` against a real registry and a real router that counts. */
import type { RolloutFigures } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import type { Run, RunOptions } from './run-command.ts'
import { StockShop } from './stock-shop.ts'

let shop: StockShop
beforeAll(async () => {
  shop = await StockShop.start()
})
afterAll(() => shop[Symbol.asyncDispose]())

const run = (line: string, options: RunOptions = {}): Promise<Run> => shop.run(line, options)
const succeed = (line: string): Promise<Run> => shop.succeed(line)

async function ask(user: string): Promise<void> {
  await fetch(shop.up.routerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': user },
    body: JSON.stringify({ query: 'query Depot { depot }' }),
  }).then((response) => response.arrayBuffer())
}

const FIGURES: RolloutFigures = {
  namespace: 'default',
  rollout: 'next',
  graph: 'shop',
  flag: 'new-stock',
  step: {
    step: 1,
    steps: 3,
    percent: 50,
    since: 12,
    sinceTime: 0,
    endTime: Date.parse('2026-11-29T08:00:00Z'),
    state: 'running',
  },
  routers: { living: 3, silent: ['r3'], stopped: ['r2'] },
  inside: {
    requests: 200,
    errors: 20,
    codes: [{ code: 'SUBGRAPH_ERROR', errors: 20 }],
    latencyMs: { p50: 9.7334, p90: 12, p95: 20, p99: 100 },
  },
  control: {
    requests: 0,
    errors: 0,
    codes: [{ code: 'INTERNAL', errors: 1 }],
    latencyMs: { p50: null, p90: null, p95: null, p99: null },
  },
  operations: [
    { name: 'Products', inside: { requests: 150, errors: 20 }, control: { requests: 0, errors: 0 } },
  ],
  judgement: null,
}

async function shown(figures: object): Promise<string> {
  const env = await fakeRegistry((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(figures))
  })
  const result = await run('rollout figures next', { env })
  expect(result).toMatchObject({ exitCode: 0 })
  return result.stdout
}

describe('rollout figures', () => {
  it('says when nothing is counted', async () => {
    await succeed('rollout create next --graph shop --flag new-stock --percent 5 --key header:x-user')
    expect((await succeed('rollout figures next')).stdout.split('\n').slice(0, 3)).toEqual([
      'rollout:      next',
      'feature flag: new-stock',
      'step:         none: routers count while a ramp with guards or an emergency stop runs',
    ])
  })

  it('shows what the router counts of both groups, and what the guards say of it', async () => {
    await succeed(
      'rollout ramp next --steps 50,95,100 --every 1d --guard errors=+1pt --forgeable-key --require-live --wait 300',
    )
    await vi.waitFor(async () => {
      for (let user = 0; user < 20; user += 1) await ask(`user ${user}`)
      const { stdout } = await succeed('rollout figures next')
      const value = (name: string): string => new RegExp(`^${name}: +(.+)$`, 'm').exec(stdout)?.[1] ?? ''
      expect(value('step')).toMatch(/^1 of 3, 50 percent \(running, ends \d{4}-\S+Z\)$/)
      expect(value('routers')).toBe('1 of 1 have reported on the step')
      for (const group of ['inside', 'outside'])
        expect(value(group)).toMatch(
          /^\d+ requests, \d+ errors \(100 %\), p50 \S+ ms, p90 .* ms, p99 \S+ ms$/,
        )
      expect(stdout).toMatch(/^ {2}\w+: \d+ inside, \d+ outside$/m)
      expect(stdout).toMatch(/^ {2}Depot: (\d+) of \1 inside, (\d+) of \2 outside$/m)
      expect(stdout).toMatch(/^ {2}errors: 100 % inside .* too few requests to judge$/m)
    }, PATIENTLY)
    const json = (await succeed('rollout figures next --json')).json()
    expect(json).toMatchObject({ ok: true, result: { rollout: 'next', step: { percent: 50 } } })
  })

  it('names routers that are silent, and those that stopped the rollout by themselves', async () => {
    expect((await shown(FIGURES)).trimEnd().split('\n')).toEqual([
      'rollout:             next',
      'feature flag:        new-stock',
      'step:                2 of 3, 50 percent (running, ended 2026-11-29T08:00:00.000Z)',
      'routers:             2 of 3 have reported on the step; these have not: r3; these have stopped the rollout by their emergency stop: r2',
      'inside:              200 requests, 20 errors (10 %), p50 9.73 ms, p90 12 ms, p95 20 ms, p99 100 ms',
      'outside:             0 requests, 0 errors',
      'errors by code:',
      '  SUBGRAPH_ERROR: 20 inside, 0 outside',
      '  INTERNAL: 0 inside, 1 outside',
      'errors by operation:',
      '  Products: 20 of 150 inside, 0 of 0 outside',
      'judgement:           -',
    ])
  })

  it('escapes what routers told', async () => {
    const [operation] = FIGURES.operations
    const text = await shown({
      ...FIGURES,
      routers: { living: 1, silent: ['\u001b[31mred'], stopped: [] },
      operations: [{ ...operation, name: '\u001b[31mred' }],
    })
    expect(text).not.toContain('\u001b')
  })
})
