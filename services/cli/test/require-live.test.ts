/** `--require-live`: commands that wait for routers, with a registry that says how many serve the result. */
import type { CommandOutcome } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'

const COMPOSED = {
  status: 'composed',
  failedBefore: false,
  isNew: true,
  errors: [],
  errorCount: 0,
  hints: [],
}
const OUTCOME: CommandOutcome = {
  commandId: 'c1',
  changed: true,
  sequence: 7,
  message: 'Feature flag "f" is enabled.',
  warnings: [],
  affectedGraphs: ['shop'],
  compositions: [{ ...COMPOSED, graph: 'shop', featureFlag: null, status: 'composed' }],
  pending: false,
  routers: { serving: 0, total: 2 },
}

/** Runs a line; the registry gives these outcomes one after the other, and the last of them from then on. */
async function runWith(line: string, outcomes: readonly Partial<CommandOutcome>[]) {
  let asked = 0
  const env = await fakeRegistry(({ url = '' }, response) => {
    const known = url.includes('/graphs/')
      ? []
      : { ...OUTCOME, ...outcomes[Math.min(asked++, outcomes.length - 1)] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(known))
  })
  return { ...(await runCommand(line.split(' '), { env })), asked }
}
const serving = (...counts: readonly number[]) =>
  counts.map((count) => ({ routers: { serving: count, total: 2 } }))

describe('a command that requires routers to serve its result', () => {
  it('waits until all of them do', async () => {
    const ended = await runWith('ff enable f --require-live', serving(0, 1, 2))
    expect(ended).toMatchObject({ exitCode: 0, asked: 3 })
    expect(ended.stdout).toContain('live on 2/2 routers')
  })

  it('waits for as many as it is told', async () => {
    expect(await runWith('ff enable f --require-live 1', serving(0, 1, 2))).toMatchObject({
      exitCode: 0,
      asked: 2,
    })
  })

  it('takes --timeout as another name of --wait, and not both', async () => {
    const ended = await runWith('ff enable f --require-live all --timeout 1', serving(1))
    expect(ended).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('live on 1/2 routers') })
    for (const other of ['--wait 5', '--no-wait']) {
      const refused = await runWith(`ff enable f --timeout 1 ${other}`, serving(2))
      expect(refused).toMatchObject({ exitCode: 2, asked: 0 })
      expect(refused.stderr).toContain('--timeout is another name of --wait')
    }
  })

  it('exits 4 when the wait ends before, and says what was required', async () => {
    const ended = await runWith('ff enable f --require-live all --wait 1', serving(1))
    expect(ended.exitCode).toBe(4)
    expect(ended.stdout).toContain('live on 1/2 routers')
    expect(ended.stdout).toContain('not live as required: --require-live asks for all routers')
  })

  it('exits 4 where no router has reported', async () => {
    const ended = await runWith('ff enable f --require-live --wait 1', [
      { routers: { serving: 0, total: 0 } },
    ])
    expect(ended.exitCode).toBe(4)
  })

  it('does not wait for what failed to compose', async () => {
    const failed = { ...COMPOSED, graph: 'shop', featureFlag: 'f', status: 'failed' as const }
    const ended = await runWith('ff enable f --require-live', [{ compositions: [failed] }])
    expect(ended).toMatchObject({ exitCode: 4, asked: 1 })
  })

  it('requires nothing where nothing is to be served', async () => {
    for (const nothing of [{ changed: false, compositions: [] }, { compositions: [] }]) {
      const ended = await runWith('ff enable f --require-live', [nothing])
      expect(ended).toMatchObject({ exitCode: 0, asked: 1 })
    }
  })
})

const DETAIL = {
  namespace: 'default',
  name: 'shop',
  labelMatchers: [],
  subgraphs: ['orders'],
  base: 'composed',
  revision: 3,
  pinnedRevision: null,
  featureFlags: [{ name: 'f', state: 'served' }],
  compositions: [],
  routers: { serving: 2, total: 2, verified: true },
}

/** Runs a line that changes nothing; the graph that it names is one after the other of these. */
async function runUnchanged(
  line: string,
  graphs: readonly Partial<typeof DETAIL>[],
  rollouts: readonly object[] = [],
) {
  let [writes, looks] = [0, 0]
  const env = await fakeRegistry(({ url = '' }, response) => {
    const isWrite = url.includes('/feature-flags/')
    if (isWrite) writes++
    const isOfRollouts = url.startsWith('/v1/rollouts/')
    const graph = () => ({ ...DETAIL, ...graphs[Math.min(looks++, graphs.length - 1)] })
    const unchanged = {
      ...OUTCOME,
      changed: false,
      message: 'Feature flag "f" is enabled already.',
      affectedGraphs: [],
      namedGraphs: ['shop'],
      compositions: [],
      routers: { serving: 0, total: 0 },
    }
    const answer = isWrite ? unchanged : isOfRollouts ? { rollouts } : graph()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  return { ...(await runCommand(line.split(' '), { env })), writes, looks }
}

describe('a command that changes nothing, since it took effect before, and requires routers', () => {
  it('waits for them by looking at its graphs, and is not sent a second time', async () => {
    const behind = { routers: { serving: 1, total: 2, verified: true } }
    const ended = await runUnchanged('ff enable f --require-live', [{ base: 'pending' }, behind, {}])
    expect(ended).toMatchObject({ exitCode: 0, writes: 1, looks: 3 })
    expect(ended.stdout).toContain('live on 2/2 routers')
  })

  it('exits 4 if they do not serve it in time', async () => {
    for (const graph of [
      { routers: { serving: 1, total: 2, verified: true } },
      { base: 'failed' },
      { featureFlags: [{ name: 'f', state: 'pending' }] },
      { routers: { serving: 0, total: 0, verified: true } },
    ]) {
      const ended = await runUnchanged('ff enable f --require-live --wait 1', [graph])
      expect(ended).toMatchObject({ exitCode: 4, writes: 1 })
    }
  })

  it('waits until routers were given the rollouts of its graphs', async () => {
    const rollout = {
      namespace: 'default',
      name: 'f',
      graph: 'shop',
      flag: 'f',
      mode: 'serve',
      where: [],
      percent: 5,
      key: ['claim:sub'],
      salt: 's',
      expires: null,
      status: 'active',
      place: 0,
      inForce: 5,
      flagState: 'served',
      state: 'pending',
      routers: { serving: 0, total: 2 },
    }
    const ended = await runUnchanged('ff enable f --require-live --wait 1', [{}], [rollout])
    expect(ended).toMatchObject({ exitCode: 4, writes: 1 })
    const elsewhere = { ...rollout, graph: 'other' }
    expect(await runUnchanged('ff enable f --require-live', [{}], [elsewhere])).toMatchObject({ exitCode: 0 })
  })

  it('requires nothing of a graph that has nothing to compose yet', async () => {
    const empty = { base: 'empty', routers: { serving: 0, total: 0, verified: true } }
    expect(await runUnchanged('ff enable f --require-live', [empty])).toMatchObject({ exitCode: 0 })
  })

  it('waits for compositions with --require-composed, whoever serves them', async () => {
    const unserved = { routers: { serving: 0, total: 2, verified: true } }
    const waited = await runUnchanged('ff enable f --require-composed', [{ base: 'pending' }, unserved])
    expect(waited).toMatchObject({ exitCode: 0, looks: 2 })
    const late = await runUnchanged('ff enable f --require-composed --wait 1', [{ base: 'pending' }])
    expect(late.exitCode).toBe(4)
  })

  it('looks at no graph where nothing is required', async () => {
    expect(await runUnchanged('ff enable f', [{}])).toMatchObject({ exitCode: 0, looks: 0 })
  })
})

it('a command that requires no router is over when everything is composed, whoever serves it', async () => {
  const ended = await runWith('ff enable f', serving(0))
  expect(ended).toMatchObject({ exitCode: 0, asked: 1 })
  expect(ended.stdout).toContain('No router serves it yet: live on 0/2 routers')
})
