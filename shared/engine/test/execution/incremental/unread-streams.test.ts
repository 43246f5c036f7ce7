import { describe, expect, it } from 'vitest'
import { graph, books, TWO_BOOKS, TWO_STOCKS } from '../support/deferred-products.ts'
import { Stream } from '../support/incremental.ts'

describe('a stream that is not read', () => {
  it('delivers nothing while it is paused, and all that has come when it goes on', async () => {
    const run = new Stream(graph, books)
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    run.execution.pause()
    run.answer(1, TWO_STOCKS)
    expect(run.parts).toEqual([])
    run.execution.resume()
    expect(run.parts).toHaveLength(1)
  })

  it('starts no fetch of another fragment while it is paused', async () => {
    const run = new Stream(graph, books, ({ execution }) => execution.pause())
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    expect(run.initial).toHaveLength(1)
    expect(run.requests).toEqual([0])
    run.execution.resume()
    expect(run.requests).toEqual([0, 1])
  })

  it('ends when it is aborted: nothing is started or delivered any more', async () => {
    const run = new Stream(graph, books, ({ execution }) => execution.abort())
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    expect(run.initial).toHaveLength(1)
    expect(run.requests).toEqual([0])
    const controller = new AbortController()
    const other = new Stream(graph, books, () => {}, { signal: controller.signal })
    await Promise.resolve()
    other.answer(0, TWO_BOOKS)
    controller.abort()
    other.answer(1, TWO_STOCKS)
    expect(other.parts).toEqual([])
  })
})
