/** Sources with very many listeners, who are told in several turns of the event loop. */
import { describe, expect, it } from 'vitest'
import { HandWrittenServer } from './hand-written-socket.ts'
import { openAt, openUpstreams } from './support.ts'

const LISTENERS = 5000
const EVENTS = 5

describe('a source with thousands of listeners', () => {
  it('tells each of them everything in its order, the end last, and lets others do their work meanwhile', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await HandWrittenServer.start(stack)
    const upstreams = await openUpstreams(stack)
    const all = Array.from({ length: LISTENERS }, () => openAt(upstreams, server.url))
    const accepted = await server.subscribed()
    // Turns of the event loop between the first listener who is told an event and the last one.
    let [turns, isCounting] = [0, true]
    const countTurn = (): void => {
      turns++
      if (isCounting) setImmediate(countTurn)
    }
    countTurn()
    const began: number[] = []
    const ended: number[] = []
    const busy = (): void => {
      const until = performance.now() + 0.02
      while (performance.now() < until);
    }
    for (const { told } of all) told.onEvent = busy
    const first = all[0]?.told
    const last = all.at(-1)?.told
    if (first === undefined || last === undefined) throw new Error('there are listeners')
    first.onEvent = () => void began.push(turns)
    last.onEvent = () => void ended.push(turns)
    // It leaves while others are still told the first event.
    const leaving = all[LISTENERS / 2]
    if (leaving !== undefined) leaving.told.onEvent = () => leaving.source.close()
    for (let event = 1; event <= EVENTS; event++) accepted.next('1', event)
    accepted.send({ type: 'complete', id: '1' })
    await last.until('completed')
    isCounting = false
    const expected = Array.from({ length: EVENTS }, (_, index) => ({ data: index + 1 }))
    for (const one of all) {
      if (one === leaving) continue
      expect(one.told.events).toEqual(expected)
      expect(one.told.last).toBe('completed')
    }
    expect(leaving?.told.events).toHaveLength(1)
    // 5000 listeners of 0.02 ms each are 100 ms of work, in turns of 8 ms.
    for (const [index, turn] of ended.entries()) expect(turn - (began[index] ?? 0)).toBeGreaterThan(5)
    expect(ended).toHaveLength(EVENTS)
  })
})
