/** What metrics tell of answers with errors, and of the time that the router itself takes. */
import { describe, expect, it } from 'vitest'
import { joinSummaries, NO_ERRORS, summarizeErrors } from '../../src/observe/summarize-errors.ts'
import { WaitingTime } from '../../src/observe/waiting-time.ts'
import { startMeasuredRouter } from '../support/measured-router.ts'
import { post, until } from '../support/router.ts'

const error = (code?: string) => ({ message: 'no', ...(code === undefined ? {} : { extensions: { code } }) })

describe('an answer with errors', () => {
  it('is counted by its flag and the code of the router, although its status is 200', async () => {
    await using measured = await startMeasuredRouter()
    const { router, shop, metrics } = measured
    const query = '{ topProducts { name reviews { body } } }'
    await shop.reviews[Symbol.asyncDispose]()
    for (const headers of [{}, { 'x-feature-flag': 'next' }]) {
      const { status, json } = await post(router, { query }, headers)
      expect([status, json.errors?.[0]?.extensions['code']]).toEqual([200, 'SUBGRAPH_UNREACHABLE'])
    }
    await post(router, { query: '{ topProducts { name } }' })
    const counted = await until(async () => {
      const all = await metrics()
      const answers = all.get('switchyard_router_own_duration_seconds')?.samples
      const isOver = answers?.some(({ name, value }) => name.endsWith('_count') && value === 3)
      return isOver === true ? all.get('switchyard_router_answers_with_errors_total')?.samples : undefined
    }, 'three answers')
    expect(counted.map(({ labels, value }) => [labels, value])).toEqual([
      [{ code: 'SUBGRAPH_UNREACHABLE', flag: '' }, 1],
      [{ code: 'SUBGRAPH_UNREACHABLE', flag: 'next' }, 1],
    ])
  })

  it('counts under the first code of the router, and as other with what subgraphs make up', () => {
    expect(summarizeErrors([])).toBe(NO_ERRORS)
    expect(summarizeErrors([error(), error('MADE_UP')])).toEqual({
      count: 2,
      code: 'other',
      failure: 'other',
    })
    expect(summarizeErrors([error('MADE_UP'), error('SUBGRAPH_TIMEOUT'), error('SUBGRAPH_BUSY')])).toEqual({
      count: 3,
      code: 'SUBGRAPH_TIMEOUT',
      failure: 'MADE_UP',
    })
    // That a client may not see a field is no failure.
    const denied = error('UNAUTHORIZED_FIELD_OR_TYPE')
    expect(summarizeErrors([denied]).failure).toBeNull()
    expect(summarizeErrors([denied, error('MADE_UP')])).toEqual({
      count: 2,
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      failure: 'MADE_UP',
    })
  })

  it('is a failure if it has more errors than are read, whatever those are that are read', () => {
    const denied = Array.from({ length: 100 }, () => error('UNAUTHORIZED_FIELD_OR_TYPE'))
    expect(summarizeErrors(denied).failure).toBeNull()
    expect(summarizeErrors([...denied, error('DB_DOWN')])).toEqual({
      count: 101,
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      failure: 'other',
    })
    expect(summarizeErrors([error('DB_DOWN'), ...denied]).failure).toBe('DB_DOWN')
  })

  it('in parts counts once, under the first code of the router in any part', () => {
    const other = summarizeErrors([error('MADE_UP')])
    const late = summarizeErrors([error('SUBGRAPH_TIMEOUT')])
    expect(joinSummaries(NO_ERRORS, late)).toBe(late)
    expect(joinSummaries(other, NO_ERRORS)).toBe(other)
    expect(joinSummaries(other, late)).toEqual({
      count: 2,
      code: 'SUBGRAPH_TIMEOUT',
      failure: 'MADE_UP',
    })
  })
})

describe('the time in which a request waits for subgraphs', () => {
  const waited = (...calls: readonly (readonly [from: number, to: number])[]) => {
    const time = new WaitingTime()
    for (const [from, to] of calls) time.add(to - from, to)
    return time.milliseconds
  }

  it('counts calls that follow each other', () => {
    expect(waited([0, 10], [15, 20])).toBe(15)
  })

  it('counts overlapping calls once', () => {
    expect(waited([0, 10], [5, 20])).toBe(20)
    expect(waited([0, 10], [20, 30], [5, 40])).toBe(40)
    expect(waited([0, 10], [20, 30], [12, 40])).toBe(38)
  })
})
