/** `router list`: what is wrong with a router stands beside what it serves. */
import type { RouterView } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'

const ROUTER: RouterView = {
  instance: 'one',
  boot: 'b',
  namespace: 'default',
  graph: 'shop',
  epoch: 1,
  revision: 7,
  registrySequence: 3,
  flags: [],
  configCreatedAt: null,
  version: '0.1.0',
  state: 'serving',
  ageSeconds: 2.2,
  alive: true,
  serves: 'newest',
}

async function listed(routers: readonly Partial<RouterView>[], line = 'router list') {
  const env = await fakeRegistry((_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ routers: routers.map((router) => ({ ...ROUTER, ...router })) }))
  })
  const run = await runCommand(line.split(' '), { env })
  const rows = run.stdout
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t'))
  return { ...run, rows }
}

describe('the list of routers', () => {
  it('says which revision a router rejected, and by which code if none can be named; the exit code stays 0', async () => {
    const rejected = { epoch: 1, revision: 8, code: 'MANIFEST_REJECTED', message: 'm' }
    const { exitCode, stderr, rows } = await listed([
      { rejected, serves: 'older' },
      { rejected: { ...rejected, epoch: 0, revision: 0, code: 'MANIFEST_INVALID' } },
      {},
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(rows.map(([, , state, revision]) => [state, revision])).toEqual([
      ['serving', '7 (not the newest, rejected 8)'],
      ['serving', '7 (rejected what it was offered: MANIFEST_INVALID)'],
      ['serving', '7'],
    ])
  })

  it('says by how much the clock of a router is off, and in which direction', async () => {
    const clocks = [86_400 * 3, -130, -7200, 0]
    const { exitCode, rows } = await listed(
      clocks.map((clockAheadSeconds) => (clockAheadSeconds === 0 ? {} : { clockAheadSeconds })),
    )
    expect(exitCode).toBe(0)
    expect(rows.map((row) => row.at(-1))).toEqual([
      '2 s ago (clock off by 3 d: ahead)',
      '2 s ago (clock off by 2 min: behind)',
      '2 s ago (clock off by 2 h: behind)',
      '2 s ago',
    ])
    const json = await listed([{ clockAheadSeconds: -130 }], 'router list --json')
    expect(json.json()).toMatchObject({ result: { routers: [{ clockAheadSeconds: -130 }] } })
  })

  it('shows memory, event loop and requests where heartbeats tell them', async () => {
    const load = {
      startedAt: 1,
      residentBytes: 157_286_400,
      heapBytes: 1,
      eventLoopUtilization: 0.256,
      eventLoopDelayMs: 3,
    }
    const { rows } = await listed([{ load, requestsPerSecond: 12.345, errorsPerSecond: 1 }, { load }, {}])
    expect(rows.map((row) => row.slice(7, 10))).toEqual([
      ['150 MiB', '26 %', '12.3'],
      ['150 MiB', '26 %', '-'],
      ['-', '-', '-'],
    ])
    const json = await listed([{ load, requestsPerSecond: 12.345 }], 'router list --json')
    expect(json.json()).toMatchObject({ result: { routers: [{ load, requestsPerSecond: 12.345 }] } })
  })

  it('names the flags and manifests of documents that a router leaves out', async () => {
    const { rows } = await listed([
      { leftOut: { flags: ['a', 'b'], documents: [] } },
      { leftOut: { flags: [], documents: ['web'] } },
    ])
    expect(rows.map((row) => row[3])).toEqual([
      '7 (without flags a b: damaged in the config store)',
      '7 (without documents web: damaged in the config store)',
    ])
  })
})
