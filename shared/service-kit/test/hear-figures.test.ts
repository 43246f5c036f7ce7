/** What is believed of the figures that come on the subjects of routers. */
import { routerFiguresSubject } from '@switchyard/contracts'
import { FiguresCounter, MAX_FIGURES_BYTES, type RouterFigures } from '@switchyard/guards'
import { describe, expect, it } from 'vitest'
import { createLogger, FleetKey, hearFigures } from '../src/index.ts'

const GRAPH = { namespace: 'default', graph: 'shop' }
const SUBJECT = routerFiguresSubject(GRAPH, 'r1')
const START = 1_700_000_000_000

function messageOf(counter = new FiguresCounter()): Omit<RouterFigures, 'beat'> {
  const place = { ...GRAPH, rollout: 'new-catalogue', step: 7, epoch: 1, revision: 4 }
  return { instance: 'r1', boot: 'b', ...place, figures: counter.figures() }
}

function listen(fleetKey: FleetKey | undefined) {
  const clock = { now: START }
  const handlers: ((message: unknown, subject: string) => void)[] = []
  const logs: { readonly event?: string; readonly count?: number; readonly reason?: string }[] = []
  const heard: RouterFigures[] = []
  const listener = hearFigures({
    subscribe: (_subject, handler) => {
      handlers.push(handler)
      return { [Symbol.dispose]: () => void handlers.splice(handlers.indexOf(handler), 1) }
    },
    fleetKey,
    logger: createLogger({
      name: 'config-distribution',
      level: 'debug',
      to: { write: (line: string) => void logs.push(JSON.parse(line)) },
    }),
    onFigures: (figures) => heard.push(figures),
    now: () => clock.now,
    monotonicNow: () => clock.now,
  })
  const send = (message: object, subject = SUBJECT) => {
    for (const handler of handlers) handler(JSON.parse(JSON.stringify(message)), subject)
  }
  return { clock, handlers, logs, heard, listener, send }
}

describe('figures of routers', () => {
  const key = new FleetKey('a'.repeat(32))

  it('count if they are signed with the fleet key and are newer than what was heard before', () => {
    const { heard, listener, send } = listen(key)
    const sign = key.signer(() => START)
    const first = sign(SUBJECT, messageOf())
    send(first)
    send(sign(SUBJECT, messageOf()))
    send(first)
    expect(heard.map(({ beat }) => beat)).toEqual([1, 2])
    expect(listener.warning).toContain('figures of routers are not believed')
    expect(listener.warning).toContain('repeated')
  })

  it('change nothing if they are forged or sent again, however many come, and are told in one line a minute', () => {
    const { clock, heard, logs, send } = listen(key)
    const sign = key.signer(() => START)
    const genuine = sign(SUBJECT, messageOf())
    send(genuine)
    const forged = [
      messageOf(),
      new FleetKey('b'.repeat(32)).signer(() => START)(SUBJECT, messageOf()),
      { ...genuine, revision: 5 },
      { ...genuine, beat: 100 },
      genuine,
    ]
    for (let round = 0; round < 200; round += 1) for (const message of forged) send(message)
    send(genuine, routerFiguresSubject(GRAPH, 'r2'))
    clock.now += 121_000
    send(sign(SUBJECT, messageOf()))
    expect(heard).toHaveLength(1)
    const told = logs.filter(({ event }) => event === 'figures.not-believed')
    expect(told).toMatchObject([
      { reason: 'unsigned', count: 1 },
      { reason: 'other-time', count: 1001 },
    ])
  })

  it('are ignored of another router than their subject names, and if they contradict themselves', () => {
    const { heard, logs, send } = listen(key)
    const sign = key.signer(() => START)
    const { figures } = messageOf()
    const others = [
      { ...messageOf(), instance: 'r2' },
      { ...messageOf(), graph: 'other' },
      { ...messageOf(), figures: { ...figures, inside: { ...figures.inside, errors: 1 } } },
      { ...messageOf(), more: 'x'.repeat(MAX_FIGURES_BYTES) },
    ]
    for (const message of others) send(sign(SUBJECT, message))
    expect(heard).toEqual([])
    expect(logs.map(({ event }) => event)).toEqual(others.map(() => 'figures.ignored'))
  })

  it('are not heard at all without a fleet key', () => {
    const { handlers, listener } = listen(undefined)
    expect(handlers).toEqual([])
    expect(listener.warning).toBeNull()
    listener[Symbol.dispose]()
  })

  it('end when their hearer is disposed', () => {
    const { handlers, listener } = listen(key)
    expect(handlers).toHaveLength(1)
    listener[Symbol.dispose]()
    expect(handlers).toEqual([])
  })
})
