/**
 * Many requests that arrive together on one connection, which node:http hands on in one turn of the event
 * loop.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TurnQueue } from '../../src/fairness/turn-queue.ts'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { posted } from '../support/raw-http.ts'
import type { TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let router: TestRouter
beforeAll(async () => {
  ;({ router } = stack.use(await startShopRouter()))
})
afterAll(() => stack.disposeAsync())

const COUNT = 100
// oxlint-disable-next-line typescript/unbound-method -- it is called with its object
const original = OperationCache.prototype.get

describe('operations that nobody asked for before', () => {
  it('are prepared one in each turn, wherever they come from', async () => {
    let turn = 0
    let isOver = false
    const count = (): void => {
      turn++
      if (!isOver) setImmediate(count)
    }
    const prepared: number[] = []
    const get = vi.spyOn(OperationCache.prototype, 'get').mockImplementation(function (
      this: OperationCache,
      ...asked
    ) {
      prepared.push(turn)
      return original.apply(this, asked)
    })
    count()
    const client = connect({ port: router.port, host: '127.0.0.1' })
    let answers = ''
    const all = new Promise<void>((resolve) => {
      client.on('data', (data) => {
        answers += String(data)
        if (answers.split('HTTP/1.1 ').length > COUNT) resolve()
      })
    })
    client.write(Array.from({ length: COUNT }, (_, index) => posted(`{ a${index}: __typename }`)).join(''))
    await all
    isOver = true
    get.mockRestore()
    client.destroy()
    expect(prepared).toHaveLength(COUNT)
    expect(new Set(prepared).size).toBe(COUNT)
  })

  it('wait for nothing where no others are prepared in the same turn', () => {
    const scheduled: (() => void)[] = []
    const queue = new TurnQueue((next) => scheduled.push(next))
    const turns = queue.of(() => ({ address: 'a', name: '' }))
    const turn = () => {
      for (const next of scheduled.splice(0)) next()
    }
    expect(turns.begin()).toBeUndefined()
    expect(turns.begin()).toBeInstanceOf(Promise)
    turn()
    // That one has begun now.
    expect(turns.begin()).toBeInstanceOf(Promise)
    turn()
    turn()
    expect(turns.begin()).toBeUndefined()
    turn()
    expect(scheduled).toEqual([])
  })
})
