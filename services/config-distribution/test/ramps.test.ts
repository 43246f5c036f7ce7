/** Ramps, moved by controllers. The registry that they ask decides as the real one does. */
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { JudgedRollout, problem, RegistryRecord, type RouterHeartbeat } from '@switchyard/contracts'
import {
  applyRecord,
  type Command,
  decide,
  emptyNamespace,
  type NamespaceState,
  runningRamp,
} from '@switchyard/domain'
import { addFigures, type Figures, FiguresCounter } from '@switchyard/guards'
import { PATIENTLY, temporaryDirectory } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadConfigDistributionConfig } from '../src/config.ts'
import { nextMove, type StepFacts } from '../src/ramps/next-move.ts'
import { RampController } from '../src/ramps/ramp-controller.ts'
import { QUIET, recordedLog } from './setup.ts'

const EVERY = 60_000
const RAMP: NonNullable<StepFacts['ramp']> = {
  steps: [5, 50, 100],
  everyMs: EVERY,
  guards: { errors: { points: 1 } },
  stop: { errors: { percent: 20 } },
  step: 0,
  since: 7,
  sinceTime: 0,
  begun: 1,
  attempt: 1,
  state: 'running',
  judgement: null,
  emergency: null,
}
const QUIET_SECONDS = { requests: 0, errors: 0, failedClusters: 0 }

/** The figures of so many requests in each group, of which these parts fail. */
function counted(requests: number, inside: number, control: number): Figures {
  const counter = new FiguresCounter()
  for (const [group, rate] of [
    ['inside', inside],
    ['control', control],
  ] as const) {
    for (let index = 0; index < requests; index += 1) {
      // Failures come evenly over clusters.
      const fails = (index * 7919) % 10_000 < rate * 10_000
      counter.count(group, index % 64, {
        error: fails ? 'SUBGRAPH_ERROR' : null,
        milliseconds: 10,
        operation: 'q',
      })
    }
  }
  return counter.figures()
}

const stepFacts = (more: Partial<StepFacts>): StepFacts => ({
  ramp: RAMP,
  figures: counted(20_000, 0, 0),
  recent: QUIET_SECONDS,
  living: 2,
  silent: [],
  stopped: { routers: 0, totals: QUIET_SECONDS },
  now: EVERY,
  ...more,
})

describe('the next move of a ramp', () => {
  it('waits until the step is over, however good its figures are', () => {
    expect(nextMove(stepFacts({ now: EVERY - 1 }))).toEqual({ kind: 'wait' })
    expect(nextMove(stepFacts({}))).toMatchObject({ kind: 'advance', judgement: { outcome: 'go-on' } })
  })

  it('aborts as soon as a guard is surely exceeded', () => {
    const move = nextMove(stepFacts({ figures: counted(20_000, 0.1, 0), now: 1 }))
    expect(move).toMatchObject({ kind: 'abort', judgement: { outcome: 'abort' } })
  })

  it('aborts at the emergency stop whatever guards say', () => {
    const recent = { requests: 100, errors: 30, failedClusters: 20 }
    expect(nextMove(stepFacts({ recent, now: 1 }))).toEqual({ kind: 'abort', emergency: recent })
    const { guards: _guards, ...unguarded } = RAMP
    expect(nextMove(stepFacts({ ramp: unguarded, recent, now: 1 }))).toMatchObject({ kind: 'abort' })
  })

  it('aborts if half of the living routers stopped by themselves, whatever figures say', () => {
    const totals = { requests: 100, errors: 30, failedClusters: 20 }
    expect(nextMove(stepFacts({ living: 4, stopped: { routers: 2, totals }, now: 1 }))).toEqual({
      kind: 'abort',
      emergency: totals,
    })
    expect(nextMove(stepFacts({ living: 4, stopped: { routers: 1, totals } }))).toMatchObject({
      kind: 'advance',
    })
    expect(nextMove(stepFacts({ living: 0, now: 1 }))).toEqual({ kind: 'wait' })
  })

  it('pauses if nothing is clear at the end of a step', () => {
    expect(nextMove(stepFacts({ figures: counted(30, 0, 0) }))).toMatchObject({
      kind: 'pause',
      judgement: { outcome: 'inconclusive' },
    })
  })

  it('waits for routers that do not report, and for any router at all', () => {
    expect(nextMove(stepFacts({ living: 10, silent: ['r9'] }))).toMatchObject({ kind: 'advance' })
    expect(nextMove(stepFacts({ living: 10, silent: ['r8', 'r9'] }))).toEqual({
      kind: 'held',
      silent: ['r8', 'r9'],
    })
    expect(nextMove(stepFacts({ living: 0 }))).toEqual({ kind: 'held', silent: [] })
    expect(nextMove(stepFacts({ living: 1, silent: ['r'], figures: addFigures([]) }))).toMatchObject({
      kind: 'held',
    })
  })

  it('compares nothing at 100 percent, and then completes', () => {
    const ramp = { ...RAMP, step: 2 }
    expect(nextMove(stepFacts({ ramp, figures: counted(20_000, 0.1, 0), now: 1 }))).toEqual({ kind: 'wait' })
    expect(nextMove(stepFacts({ ramp }))).toEqual({ kind: 'complete' })
    const short = { ...RAMP, steps: [5, 50], step: 1 }
    expect(nextMove(stepFacts({ ramp: short }))).toMatchObject({ kind: 'end-ramp' })
  })

  it('needs no figures for a ramp without guards', () => {
    const { guards: _guards, stop: _stop, ...ramp } = RAMP
    const silent = stepFacts({ ramp, figures: addFigures([]), living: 0 })
    expect(nextMove(silent)).toEqual({ kind: 'advance' })
  })
})

describe('controllers', () => {
  let state: NamespaceState
  let url: string
  let isAway = false
  /** The rollout about which the registry answers nothing, and whether somebody still waits for it. */
  const hanging = { rollout: '', waiting: 0 }
  const applied: string[] = []
  /** The only API key that the registry knows. */
  const registryKey = 'swy_test_key'
  let sequence = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      const answer = (status: number, body: unknown) => {
        response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
      }
      const [, name = '', action = ''] =
        /\/v1\/rollouts\/default\/(\w+)\/([a-z-]+)/.exec(request.url ?? '') ?? []
      if (name === hanging.rollout) {
        hanging.waiting += 1
        response.on('close', () => (hanging.waiting -= 1))
        return
      }
      if (isAway) return answer(503, problem('NOT_READY', 'away'))
      if (request.headers.authorization !== `Bearer ${registryKey}`)
        return answer(401, problem('UNAUTHENTICATED', 'unknown key'))
      const type = action === 'end-ramp' ? 'end-ramp-of-rollout' : `${action}-rollout`
      const { reason: _reason, ...judged } = JudgedRollout.parse(JSON.parse(text))
      const decision = decide(state, { type, name, ...judged } as Command)
      if (decision.kind === 'refused') return answer(decision.problem.status, decision.problem)
      const changed = decision.kind === 'events'
      if (changed) {
        write(decision.events)
        applied.push(action)
      }
      return answer(200, { changed })
    })
  })

  function write(events: readonly RegistryRecord['events'][number][]): void {
    sequence += 1
    const record = RegistryRecord.parse({
      v: 1,
      commandId: `c${sequence}`,
      actor: 'bootstrap',
      time: new Date(now).toISOString(),
      after: state.lastApplied,
      events,
    })
    state = applyRecord(state, record, sequence).state
  }
  function command(given: Command): void {
    const decision = decide(state, given)
    if (decision.kind === 'refused') throw new Error(decision.problem.detail)
    if (decision.kind === 'events') write(decision.events)
  }

  let now = 0
  const rollout = () => state.rollouts.get('slow')
  const facts = {
    get runningRamps() {
      return [...state.rollouts.keys()].flatMap((name) => facts.runningRamp('default', name) ?? [])
    },
    runningRamp: (_namespace: string, name: string) => runningRamp(state, name),
  }
  const controller = (logger = QUIET, apiKeyFile?: string) =>
    new RampController({
      ramps: facts,
      api: apiKeyFile === undefined ? { url, apiKey: registryKey } : { url, apiKeyFile },
      logger,
      now: () => now,
      everyMs: 5,
    })
  const heartbeat: RouterHeartbeat = {
    instance: 'r1',
    boot: 'b1',
    namespace: 'default',
    graph: 'shop',
    epoch: 1,
    revision: 1,
    registrySequence: 1,
    flags: [],
    configCreatedAt: null,
    state: 'serving',
  }
  const report = (to: RampController, figures: Figures) => {
    to.heartbeat(heartbeat)
    const step = rollout()?.ramp?.since ?? 0
    to.figures({ ...heartbeat, rollout: 'slow', step, beat: 1, figures })
  }

  beforeEach(async () => {
    now = Date.parse('2026-11-29T08:00:00Z')
    state = emptyNamespace('default')
    isAway = false
    hanging.rollout = ''
    applied.length = 0
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    command({ type: 'create-federated-graph', name: 'shop', labelMatchers: [] })
    command({ type: 'create-subgraph', name: 'a', routingUrl: 'http://a.example', labels: [] })
    command({ type: 'create-feature-subgraph', name: 'f', routingUrl: 'http://f.example', base: 'a' })
    command({ type: 'create-feature-flag', name: 'next', labels: [], featureSubgraphs: ['f'], enabled: true })
    command({
      type: 'create-rollout',
      name: 'slow',
      graph: 'shop',
      flag: 'next',
      key: ['claim:sub'],
      freshSalt: '1',
    })
    command({
      type: 'ramp-rollout',
      name: 'slow',
      plan: {
        steps: [5, 50, 100],
        everyMs: EVERY,
        guards: { errors: { points: 1 } },
        stop: { errors: { percent: 20 } },
      },
    })
  })

  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('take a healthy ramp through all of its steps, however many of them there are', async () => {
    await using one = controller()
    await using other = controller()
    for (const percent of [50, 100]) {
      for (const each of [one, other]) report(each, counted(20_000, 0, 0))
      now += EVERY
      await vi.waitFor(() => expect(rollout()?.percent).toBe(percent), { timeout: 20_000 })
    }
    for (const each of [one, other]) report(each, counted(20_000, 0, 0))
    now += EVERY
    await vi.waitFor(() => expect(rollout()?.status).toBe('completed'), { timeout: 20_000 })
    expect(applied).toEqual(['advance', 'advance', 'complete'])
  })

  it('abort a ramp whose flag fails, with the figures that decided', async () => {
    const { logger, lines } = recordedLog()
    await using one = controller(logger)
    report(one, counted(20_000, 0.1, 0.001))
    await vi.waitFor(() => expect(rollout()?.status).toBe('aborted'), { timeout: 20_000 })
    expect(rollout()?.ramp?.judgement).toMatchObject({ outcome: 'abort' })
    await vi.waitFor(() => expect(lines.map(({ event }) => event)).toContain('ramp.stopped'), {
      timeout: 20_000,
    })
    expect(lines.find(({ event }) => event === 'ramp.stopped')?.msg).toMatch(/10.* % inside .*0\.1 % outside/)
  })

  it('abort at the emergency stop, and the rollout tells at which figures', async () => {
    await using one = controller()
    report(one, addFigures([]))
    const step = rollout()?.ramp?.since ?? 0
    one.figures({ ...heartbeat, rollout: 'slow', step, beat: 2, figures: counted(200, 0.5, 0) })
    await vi.waitFor(() => expect(rollout()?.status).toBe('aborted'), { timeout: 20_000 })
    const { requests = 0, errors = 0 } = rollout()?.ramp?.emergency ?? {}
    expect(requests).toBe(200)
    expect(errors).toBeGreaterThan(40)
    command({ type: 'resume-rollout', name: 'slow' })
    expect(rollout()?.ramp).toMatchObject({ state: 'running', emergency: null })
  })

  it('abort a ramp that its routers stopped by themselves', async () => {
    await using one = controller()
    one.heartbeat(heartbeat)
    const step = rollout()?.ramp?.since ?? 0
    const stopped = { requests: 90, errors: 80, failedClusters: 30 }
    one.figures({ ...heartbeat, rollout: 'slow', step, beat: 1, figures: counted(10, 0, 0), stopped })
    await vi.waitFor(() => expect(rollout()?.status).toBe('aborted'), { timeout: 20_000 })
    expect(rollout()?.ramp?.emergency).toEqual(stopped)
  })

  it('hold while the registry is away, and act when it is back', async () => {
    const { logger, lines } = recordedLog()
    isAway = true
    await using one = controller(logger)
    report(one, counted(20_000, 0.1, 0))
    await vi.waitFor(() => expect(lines.map(({ event }) => event)).toContain('ramp.registry-away'), {
      timeout: 20_000,
    })
    expect(rollout()?.status).toBe('active')
    isAway = false
    await vi.waitFor(() => expect(rollout()?.status).toBe('aborted'), { timeout: 20_000 })
  })

  it('abort one rollout while the registry owes an answer about another', async () => {
    hanging.rollout = 'first'
    command({
      type: 'create-rollout',
      name: 'first',
      graph: 'shop',
      flag: 'next',
      key: ['claim:sub'],
      before: 'slow',
      freshSalt: '2',
    })
    command({ type: 'ramp-rollout', name: 'first', plan: { steps: [5, 100], everyMs: 1000 } })
    now += 1000
    await using one = controller()
    await vi.waitFor(() => expect(hanging.waiting).toBe(1), { timeout: 20_000 })
    report(one, counted(20_000, 0.1, 0))
    await vi.waitFor(() => expect(rollout()?.status).toBe('aborted'), { timeout: 20_000 })
    expect(hanging.waiting).toBe(1)
  })

  it('take the key of a file when it comes, and say what is missing until then', async () => {
    await using folder = await temporaryDirectory()
    const file = join(folder.path, 'api-key')
    const { logger, lines } = recordedLog()
    const said = (event: string, reason: RegExp) =>
      vi.waitFor(() => {
        const reasons = lines.filter((line) => line.event === event).map((line) => JSON.stringify(line))
        expect(reasons.some((text) => reason.test(text))).toBe(true)
      }, PATIENTLY)
    await using one = controller(logger, file)
    report(one, counted(20_000, 0, 0))
    now += EVERY
    await said('ramp.unattended', /ENOENT.*api-key/)
    expect(rollout()?.percent).toBe(5)

    // A key that was replaced at the registry, and not yet here.
    await writeFile(file, 'swy_former_key\n')
    await said('ramp.command-refused', /UNAUTHENTICATED/)
    await writeFile(file, `${registryKey}\n`)
    await vi.waitFor(() => expect(rollout()?.percent).toBe(50), PATIENTLY)
    expect(JSON.stringify(lines)).not.toMatch(/swy_(?:former|test)_key/)
  })

  it('send nothing with a file that holds no key', async () => {
    await using folder = await temporaryDirectory()
    const file = join(folder.path, 'api-key')
    await writeFile(file, 'not\na key')
    const { logger, lines } = recordedLog()
    await using one = controller(logger, file)
    report(one, counted(20_000, 0.1, 0))
    await vi.waitFor(
      () =>
        expect(lines).toContainEqual(
          expect.objectContaining({
            event: 'ramp.unattended',
            reason: `the file ${file} holds no API key, which begins with swy_`,
          }),
        ),
      PATIENTLY,
    )
    expect(rollout()?.status).toBe('active')
  })

  it('name the routers that report nothing', async () => {
    const { logger, lines } = recordedLog()
    await using one = controller(logger)
    report(one, counted(20_000, 0, 0))
    one.heartbeat({ ...heartbeat, instance: 'old-router' })
    now += EVERY
    await vi.waitFor(() => expect(lines.map(({ event }) => event)).toContain('ramp.held'), {
      timeout: 20_000,
    })
    expect(lines.find(({ event }) => event === 'ramp.held')?.msg).toContain('old-router')
    expect(rollout()?.percent).toBe(5)
    one.heartbeat({ ...heartbeat, instance: 'old-router', state: 'stopped' })
    await vi.waitFor(() => expect(rollout()?.percent).toBe(50), { timeout: 20_000 })
  })

  it('count nothing that a router says of another step', async () => {
    await using one = controller()
    one.heartbeat(heartbeat)
    const figures = counted(20_000, 0.5, 0)
    one.figures({ ...heartbeat, rollout: 'slow', step: 3, beat: 1, figures })
    one.figures({ ...heartbeat, rollout: 'other', step: rollout()?.ramp?.since ?? 0, beat: 1, figures })
    report(one, counted(20_000, 0, 0))
    now += EVERY
    await vi.waitFor(() => expect(rollout()?.percent).toBe(50), { timeout: 20_000 })
  })
})

describe('the settings of ramps', () => {
  const others = {
    SWITCHYARD_NATS_URL: 'nats://127.0.0.1:4222',
    SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:6379',
    SWITCHYARD_SIGNING_KEY_FILE: 'signing-key.json',
  }
  const url = { SWITCHYARD_REGISTRY_URL: 'http://registry:4100' }
  const key = { SWITCHYARD_ROLLOUT_API_KEY: 'swy_1_2' }
  const file = { SWITCHYARD_ROLLOUT_API_KEY_FILE: '/run/ramps/api-key' }
  const read = (given: Readonly<Record<string, string>>) =>
    loadConfigDistributionConfig({ ...others, ...given }).managementApi

  it('are an address, and a key or the file of a key', () => {
    expect(read({})).toBeNull()
    expect(read({ ...url, ...key })).toEqual({ url: 'http://registry:4100', apiKey: 'swy_1_2' })
    expect(read({ ...url, ...file })).toEqual({
      url: 'http://registry:4100',
      apiKeyFile: '/run/ramps/api-key',
    })
  })

  it('are refused by halves, and with both keys', () => {
    expect(() => read(url)).toThrow(/SWITCHYARD_ROLLOUT_API_KEY: expected as well/)
    expect(() => read(key)).toThrow(
      /SWITCHYARD_REGISTRY_URL: expected as well.*SWITCHYARD_ROLLOUT_API_KEY\.$/,
    )
    expect(() => read(file)).toThrow(/SWITCHYARD_REGISTRY_URL: expected as well.*KEY_FILE\.$/)
    expect(() => read({ ...url, ...key, ...file })).toThrow(/not beside it/)
  })
})
