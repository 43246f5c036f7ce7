/** What clients learn of errors of subgraphs, by `subgraph_errors.mode` and `show_subgraph_names`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorRules } from '../../src/call/settings.ts'
import { filterErrors } from '../../src/call/filter-errors.ts'
import { SITUATIONS } from '../incremental/error-situations.ts'
import { json, type Ledger, startLedger } from '../support/ledger.ts'
import { post } from '../support/router.ts'
import { overHttp1 } from '../support/streams.ts'
import { FAULTS, type Name, Warehouse } from '../support/warehouse.ts'

const RULES: ErrorRules = {
  mode: 'pass_through',
  showSubgraphNames: true,
  allowedExtensions: new Set(['code', 'hint']),
  maxPerAnswer: 2,
  maxMessageLength: 100,
  maxExtensionSize: 50,
}
const FAILED = {
  message: 'Connection to db-7.internal refused',
  path: ['must', 'kind'],
  locations: [{ line: 1, column: 2 }],
  extensions: { code: 'DB_DOWN', hint: 'call Ann', stacktrace: ['at x.ts:1'] },
}

function shown(errors: readonly unknown[], rules: Partial<ErrorRules>): unknown {
  const body = filterErrors({ data: null, errors }, 'stock', { ...RULES, ...rules })
  return (body as { readonly errors: unknown }).errors
}

describe('wrapped errors', () => {
  it('are one error with those of the subgraph in it, under the same limits', () => {
    const inner = { ...FAILED, extensions: { code: 'DB_DOWN', hint: 'call Ann' } }
    expect(shown([FAILED], { mode: 'wrapped' })).toEqual([
      {
        message: 'Subgraph "stock" reported 1 error.',
        extensions: { code: 'SUBGRAPH_ERRORS', errors: [inner] },
      },
    ])
    expect(shown([FAILED, FAILED, FAILED], { mode: 'wrapped' })).toEqual([
      {
        message: 'Subgraph "stock" reported 3 errors.',
        extensions: {
          code: 'SUBGRAPH_ERRORS',
          errors: [
            inner,
            inner,
            {
              message: '1 more error of this answer of subgraph "stock" left out.',
              extensions: { code: 'SUBGRAPH_ERRORS_OMITTED' },
            },
          ],
        },
      },
    ])
  })

  it('are none where the subgraph reports none', () => {
    expect(shown([], { mode: 'wrapped' })).toEqual([])
  })

  it('name no subgraph inside either where names are not shown', () => {
    const errors = shown([FAILED, FAILED, FAILED], { mode: 'wrapped', showSubgraphNames: false })
    expect(JSON.stringify(errors)).toContain('1 more error of this answer of a subgraph left out.')
  })
})

describe('redacted errors', () => {
  it('say where something failed, and keep the code and nothing else that the subgraph wrote', () => {
    expect(shown([FAILED], { mode: 'redacted' })).toEqual([
      {
        message: 'Subgraph "stock" reported an error.',
        path: ['must', 'kind'],
        extensions: { code: 'DB_DOWN' },
      },
    ])
  })

  it.each([
    [{ ...FAILED, extensions: { code: 7 } }],
    [{ ...FAILED, extensions: { code: 'x'.repeat(101) } }],
    [{ ...FAILED, extensions: 'DB_DOWN' }],
    [{ message: 'm', path: ['must', 'kind'] }],
  ])('have a code of the router where theirs is none: %j', (error) => {
    expect(shown([error], { mode: 'redacted' })).toEqual([
      {
        message: 'Subgraph "stock" reported an error.',
        path: ['must', 'kind'],
        extensions: { code: 'SUBGRAPH_ERRORS' },
      },
    ])
  })

  it('have no code of the subgraph where codes are not allowed', () => {
    expect(shown([FAILED], { mode: 'redacted', allowedExtensions: new Set() })).toMatchObject([
      { extensions: { code: 'SUBGRAPH_ERRORS' } },
    ])
  })

  it.each([
    ['a text', 'text'],
    ['null', null],
    ['a number', 7],
    ['a list', ['a']],
    ['an error with a text as path', { path: 'no path' }],
    ['an error with a path of 2000 names', { path: Array.from({ length: 2000 }, () => 'a') }],
  ])('are made of anything that stands in the list: %s', (_, error) => {
    expect(shown([error], { mode: 'redacted' })).toEqual([
      { message: 'Subgraph "stock" reported an error.', extensions: { code: 'SUBGRAPH_ERRORS' } },
    ])
  })
})

describe.each([
  [
    'wrapped',
    {
      message: 'Subgraph "ledger" reported 1 error.',
      path: ['must'],
      extensions: {
        code: 'SUBGRAPH_ERRORS',
        serviceName: 'ledger',
        errors: [{ message: FAILED.message, path: FAILED.path, extensions: { code: 'DB_DOWN' } }],
      },
    },
  ],
  [
    'redacted',
    {
      message: 'Subgraph "ledger" reported an error.',
      path: ['must', 'kind'],
      extensions: { code: 'DB_DOWN', serviceName: 'ledger' },
    },
  ],
] as const)('a client of a router with %s errors', (mode, expected) => {
  let world: Ledger
  beforeAll(async () => {
    world = await startLedger(`subgraph_errors: { mode: ${mode} }`)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('gets the data, and the error where it belongs', async () => {
    const data = { must: { number: 1, kind: null } }
    world.ledger.answers(json(JSON.stringify({ data, errors: [FAILED] })))
    const reply = await post(world.router, { query: '{ must { number kind } }' })
    expect(reply.json.data).toEqual(data)
    expect(reply.json.errors).toMatchObject([expected])
    expect(reply.text).not.toContain('stacktrace')
  })

  it('hears of no further error for a null where none may be', async () => {
    world.ledger.answers(json(JSON.stringify({ data: null, errors: [FAILED] })))
    const reply = await post(world.router, { query: '{ must { number kind } }' })
    expect(reply.json.data).toBeNull()
    expect(reply.json.errors).toHaveLength(1)
  })
})

/** What subgraphs report is all that the modes treat differently. */
const CASES = [
  { mode: 'pass_through', faults: FAULTS },
  { mode: 'wrapped', faults: ['error'] as const },
  { mode: 'redacted', faults: ['error'] as const },
]

describe.each(CASES)('with $mode errors and names that are not shown', ({ mode, faults }) => {
  let warehouse: Warehouse
  beforeAll(async () => {
    warehouse = await Warehouse.start(`subgraph_errors: { mode: ${mode}, show_subgraph_names: false }`)
  })
  afterAll(() => warehouse[Symbol.asyncDispose]())

  it.each(faults)('no answer names a subgraph, in one piece or in parts: %s', async (fault) => {
    let errors = 0
    for (const { query, trouble } of SITUATIONS) {
      const root = query.startsWith('mutation') ? 'order' : 'item'
      const [subgraph, field] = trouble.replace('$', root).split('.') as [Name, string]
      warehouse.suffer({ subgraph, field, fault })
      const router = await warehouse.router()
      const inParts = query.replace('$', root)
      const whole = await post(router, { query: inParts.replaceAll('@defer', '') })
      const texts = [whole.text]
      const stream = await overHttp1(router, inParts)
      for (let part = await stream.next(); part !== null; part = await stream.next())
        texts.push(JSON.stringify(part))
      for (const text of texts) expect(text).not.toMatch(/serviceName|ubgraph \\?"/)
      errors += texts.filter((text) => text.includes('"errors"')).length
    }
    // Otherwise there was nothing to hide.
    if (fault !== 'null') expect(errors).toBeGreaterThan(SITUATIONS.length)
  })
})
