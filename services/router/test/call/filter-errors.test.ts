import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorRules } from '../../src/call/settings.ts'
import { filterErrors } from '../../src/call/filter-errors.ts'
import { json, type Ledger, startLedger } from '../support/ledger.ts'
import { post } from '../support/router.ts'

const rules: ErrorRules = {
  mode: 'pass_through',
  showSubgraphNames: true,
  allowedExtensions: new Set(['code', 'info']),
  maxPerAnswer: 3,
  maxMessageLength: 100,
  maxExtensionSize: 50,
}
const errorsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ message: `e${index}` }))
const messages = (body: unknown) =>
  (filterErrors(body, 'stock', rules) as { errors: { message: string }[] }).errors.map(
    ({ message }) => message,
  )

describe('the errors of one subgraph answer', () => {
  it('pass as they are up to the limit', () => {
    expect(messages({ errors: errorsOf(3) })).toEqual(['e0', 'e1', 'e2'])
  })

  it('are cut beyond it, with one error that says how many there were', () => {
    expect(messages({ errors: errorsOf(4) }).at(-1)).toBe(
      '1 more error of this answer of subgraph "stock" left out.',
    )
    const body = filterErrors({ data: { a: 1 }, errors: errorsOf(100_000) }, 'stock', rules)
    expect(body).toEqual({
      data: { a: 1 },
      errors: [
        ...errorsOf(3),
        {
          message: '99997 more errors of this answer of subgraph "stock" left out.',
          extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' },
        },
      ],
    })
  })

  it('say so although no extensions are allowed', () => {
    const body = filterErrors({ errors: errorsOf(5) }, 'stock', {
      ...rules,
      allowedExtensions: new Set(),
      maxPerAnswer: 1,
    })
    expect(body).toMatchObject({
      errors: [{ message: 'e0' }, { extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' } }],
    })
  })
})

describe('an error of a subgraph', () => {
  const shown = (error: unknown) =>
    (filterErrors({ errors: [error] }, 'stock', rules) as { errors: unknown[] }).errors[0]
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)

  it('has a message of bounded length', () => {
    expect(shown({ message: 'x'.repeat(100) })).toEqual({ message: 'x'.repeat(100) })
    expect(shown({ message: 'x'.repeat(10_000_000) })).toEqual({
      message: `${'x'.repeat(100)}… (9999900 characters left out)`,
    })
  })

  it('has extensions of bounded size and depth', () => {
    const info = (value: unknown) => shown({ message: 'm', extensions: { info: value, other: value } })
    const with_ = (value: unknown) => ({ message: 'm', extensions: { info: value } })
    const large = '… (left out, as it is larger than 50 characters)'
    expect(info({ a: [1, 'b', null] })).toEqual(with_({ a: [1, 'b', null] }))
    expect(info('y'.repeat(60))).toEqual(with_(`${'y'.repeat(50)}… (10 characters left out)`))
    expect(info(Array.from({ length: 1_000_000 }, () => 1))).toEqual(with_(large))
    expect(info({ ['k'.repeat(50)]: 1 })).toEqual(with_(large))
    expect(info(nested(10))).toEqual(with_(nested(10)))
    expect(info(nested(100_000))).toEqual(with_('… (left out, as it nests deeper than 100 levels)'))
  })

  it('has no path that is longer than any of an answer', () => {
    expect(shown({ message: 'm', path: Array.from({ length: 1001 }, () => 'a') })).toEqual({ message: 'm' })
  })
})

describe('a client of a subgraph with very many errors', () => {
  let world: Ledger
  beforeAll(async () => {
    world = await startLedger('subgraph_errors: { max_per_answer: 5 }')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('gets the data, the first of them and their number', async () => {
    const errors = errorsOf(20_000).map((error) => ({ ...error, path: ['must', 'kind'] }))
    world.ledger.answers(json(JSON.stringify({ data: { must: { number: 1, kind: 'OPEN' } }, errors })))
    const reply = await post(world.router, { query: '{ must { number kind } }' })
    expect(reply.json.data).toEqual({ must: { number: 1, kind: 'OPEN' } })
    expect(reply.json.errors).toHaveLength(6)
    expect(reply.json.errors?.at(-1)).toEqual({
      message: '19995 more errors of this answer of subgraph "ledger" left out.',
      path: ['must'],
      extensions: { code: 'SUBGRAPH_ERRORS_OMITTED', serviceName: 'ledger' },
    })
  })

  it('hears of no further error for a null whose error was left out', async () => {
    world.ledger.answers(json(JSON.stringify({ data: null, errors: errorsOf(9) })))
    const reply = await post(world.router, { query: '{ must { number kind } }' })
    expect(reply.json.errors).toHaveLength(6)
    expect(reply.json.errors?.map(({ extensions }) => extensions['code']).filter(Boolean)).toEqual([
      'SUBGRAPH_ERRORS_OMITTED',
    ])
  })
})
