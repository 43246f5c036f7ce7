import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addFigures, Figures, type RouterFigures, RampSteps, StepFigures } from '../src/index.ts'
import { counted, messageOf, requestOf, type Request } from './random-figures.ts'

const run = new RandomRun(import.meta.url, 100)

/** What one boot of one router counted, and after how many requests it sent a message. */
const bootOf = fc.record({
  requests: fc.array(requestOf, { maxLength: 60 }),
  sentAfter: fc.array(fc.nat(60), { maxLength: 4 }),
})

const QUIET_SECONDS = { requests: 0, errors: 0, failedClusters: 0 }

/** So many requests inside, each of another cluster, of which the first ones fail. */
function inside(requests: number, failed = 0): Figures {
  const request = (at: number): Request => ({
    group: 'inside',
    cluster: at % 64,
    error: at < failed ? 'SUBGRAPH_ERROR' : null,
    milliseconds: 1,
    operation: null,
  })
  return counted(Array.from({ length: requests }, (_, at) => request(at)))
}

function sumOf(messages: readonly RouterFigures[]): Figures {
  const figures = new StepFigures(messages[0]?.step ?? 0)
  for (const message of messages) figures.heard(message, 0)
  return figures.sum
}

describe('the sum over routers', () => {
  it('is what all counted, in whatever order messages come, however often, and whichever earlier ones are lost', () => {
    fc.assert(
      fc.property(fc.array(bootOf, { maxLength: 5 }), fc.infiniteStream(fc.nat()), (boots, random) => {
        const messages = boots.flatMap(({ requests, sentAfter }, at) => {
          const sender = { instance: `r${at % 3}`, boot: `b${at}` }
          const earlier = sentAfter.toSorted((one, other) => one - other)
          return [...earlier, requests.length].map((count, beat) =>
            messageOf(counted(requests.slice(0, count)), { ...sender, beat: beat + 1 }),
          )
        })
        const lastOfBoot = new Map(messages.map((message) => [message.boot, message]))
        const arrived = messages
          .filter((message) => lastOfBoot.get(message.boot) === message || random.next().value % 2 === 0)
          .flatMap((message) => (random.next().value % 3 === 0 ? [message, message] : [message]))
          .map((message) => ({ message, at: random.next().value }))
          .toSorted((one, other) => one.at - other.at)
          .map(({ message }) => message)
        expect(sumOf(arrived)).toEqual(counted(boots.flatMap(({ requests }) => requests)))
      }),
      run.parameters,
    )
  })

  it('of nothing is nothing', () => {
    const sum = addFigures([])
    expect(sum.inside.requests).toBe(0)
    expect(Figures.safeParse(sum).success).toBe(true)
  })

  it('takes what a boot said last, also where its totals fell', () => {
    const request: Request = { group: 'inside', cluster: 0, error: null, milliseconds: 1, operation: null }
    const many = messageOf(counted([request, request]), { beat: 1 })
    const few = messageOf(counted([request]), { beat: 2 })
    expect(sumOf([many, few])).toEqual(sumOf([few, many]))
    expect(sumOf([many, few]).inside.requests).toBe(1)
  })

  it('has the most frequent operations of all routers, and counts the others in the totals', () => {
    const request: Request = { group: 'inside', cluster: 0, error: null, milliseconds: 1, operation: null }
    const router = (name: string) =>
      messageOf(
        counted(Array.from({ length: 40 }, (_, at) => ({ ...request, operation: `${name}${at % 15}` }))),
        {
          instance: name,
        },
      )
    const sum = sumOf([router('A'), router('B')])
    expect(sum.inside.requests).toBe(80)
    expect(sum.operations.length).toBe(20)
    expect(Figures.safeParse(sum).error).toBeUndefined()
  })
})

describe('the figures of a step', () => {
  it('are the latest totals of each start of each router', () => {
    const figures = new StepFigures(7)
    figures.heard(messageOf(inside(200), { beat: 2 }), 10)
    figures.heard(messageOf(inside(100), { beat: 1 }), 10)
    expect(figures.sum.inside.requests).toBe(200)
    figures.heard(messageOf(inside(50), { boot: 'b2', beat: 1 }), 12)
    expect(figures.sum.inside.requests).toBe(250)
  })

  it('name those that have not reported since they were started, and those that stopped by themselves', () => {
    const figures = new StepFigures(7)
    const living = ['r3', 'r1', 'r2'].map((instance) => ({ instance, boot: 'b2' }))
    expect(figures.silentOf(living)).toEqual(['r1', 'r2', 'r3'])
    const stopped = { requests: 60, errors: 40, failedClusters: 9 }
    figures.heard(messageOf(inside(1), { instance: 'r1', boot: 'b2', beat: 1 }), 0)
    figures.heard(messageOf(inside(1), { instance: 'r2', boot: 'b1', beat: 1 }), 0)
    figures.heard({ ...messageOf(inside(1), { instance: 'r3', boot: 'b2', beat: 1 }), stopped }, 0)
    expect(figures.silentOf(living)).toEqual(['r2'])
    expect(figures.stoppedOf(living)).toEqual(['r3'])
    expect(figures.totalsOfStopped(living)).toEqual(stopped)
    figures.heard({ ...messageOf(inside(1), { instance: 'r1', boot: 'b2', beat: 2 }), stopped }, 0)
    expect(figures.totalsOfStopped(living)).toEqual({ requests: 120, errors: 80, failedClusters: 9 })
    figures.heard(messageOf(inside(2), { instance: 'r3', boot: 'b2', beat: 2 }), 0)
    expect(figures.stoppedOf(living)).toEqual(['r1'])
  })

  it('tell of the last ten seconds only what came in them', () => {
    const figures = new StepFigures(7)
    // The first message may be about hours: this process was started meanwhile.
    figures.heard(messageOf(inside(100, 50), { beat: 7000 }), 0)
    expect(figures.totals(5)).toEqual(QUIET_SECONDS)
    figures.heard(messageOf(inside(200, 100), { beat: 7001 }), 5)
    expect(figures.totals(10)).toMatchObject({ requests: 100, errors: 50 })
    figures.heard(messageOf(inside(260, 100), { beat: 7002 }), 20)
    expect(figures.totals(20)).toMatchObject({ requests: 60, errors: 0 })
    expect(figures.totals(40)).toEqual(QUIET_SECONDS)
  })
})

describe('the steps that ramps are at', () => {
  const message = messageOf(inside(3), { beat: 1 })
  const { namespace, graph, rollout, step } = message
  const begunBy = (since: number) => ({ namespace, graph, rollout, ramp: { since } })

  it('take only what is said of them', () => {
    const running = begunBy(step)
    const steps = new RampSteps((of, name) => (of === namespace && name === rollout ? running : null))
    const others = [{ step: step + 1 }, { step: step - 1 }, { graph: 'other' }, { rollout: 'other' }]
    for (const other of [...others, { namespace: 'other' }]) steps.heard({ ...message, ...other }, 0)
    expect(steps.size).toBe(0)
    steps.heard(message, 0)
    expect(steps.of(running).sum.inside.requests).toBe(3)
  })

  it('begin at nothing, and are forgotten when they are over', () => {
    let running: ReturnType<typeof begunBy> | null = begunBy(step)
    const steps = new RampSteps(() => running)
    steps.heard(message, 0)
    running = begunBy(step + 1)
    expect(steps.of(running).sum.inside.requests).toBe(0)
    steps.heard({ ...message, step: step + 1 }, 0)
    steps.heard({ ...message, step }, 1)
    expect(steps.of(running).sum.inside.requests).toBe(3)
    running = null
    steps.heard(message, 1)
    expect(steps.size).toBe(1)
    steps.heard(message, 2)
    expect(steps.size).toBe(0)
  })
})
