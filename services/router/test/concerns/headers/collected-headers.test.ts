/** Which headers of answers come out, whatever the order in which the answers come. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../../src/config/router-config.ts'
import {
  CollectedHeaders,
  type DropReason,
  MAX_CHARACTERS,
  MAX_VALUES,
} from '../../../src/concerns/headers/collected-headers.ts'
import {
  compileResponseRules,
  type CompiledResponseRules,
} from '../../../src/concerns/headers/response-rules.ts'

function rulesOf(text: string, own = ''): CompiledResponseRules | null {
  const settings = `headers: { response: [${text}], subgraphs: { reviews: { response: [${own}] } } }`
  const { all, bySubgraph } = loadRouterConfig({ file: { path: 'router.yaml', text: settings } }).headers
    .response
  return compileResponseRules([...all, ...(bySubgraph.get('reviews') ?? [])])
}

type Sent = Readonly<Record<string, string | readonly string[]>>

/** What clients get, of answers by the number of their fetch, in the order in which they come. */
function collect(rules: CompiledResponseRules | null, ...answers: readonly (readonly [number, Sent])[]) {
  const dropped: DropReason[] = []
  const collected = new CollectedHeaders((reason) => dropped.push(reason))
  if (rules !== null) for (const [fetch, sent] of answers) collected.take(fetch, rules, sent)
  return { list: collected.write(), dropped, collected }
}

describe('one header of several answers', () => {
  const THREE = [
    [2, { 'x-a': 'third' }],
    [0, { 'x-a': 'first' }],
    [1, { 'x-b': 'other' }],
  ] as const

  it('is that of the first or last fetch of the plan, or all of them', () => {
    expect(collect(rulesOf('{ propagate: X-A, strategy: first }'), ...THREE).list).toEqual(['X-A', 'first'])
    expect(collect(rulesOf('{ propagate: x-a, strategy: last }'), ...THREE).list).toEqual(['x-a', 'third'])
    expect(collect(rulesOf('{ propagate: x-a, strategy: append }'), ...THREE).list).toEqual([
      'x-a',
      'first, third',
    ])
  })

  it('has the name that the rule gives it', () => {
    expect(collect(rulesOf('{ propagate: x-a, rename: X-C, strategy: first }'), ...THREE).list).toEqual([
      'X-C',
      'first',
    ])
  })

  it('has the default only if no answer has the header', () => {
    const rules = rulesOf('{ propagate: x-b, strategy: first, default: none }')
    expect(collect(rules, ...THREE).list).toEqual(['x-b', 'other'])
    expect(collect(rules, [0, {}], [1, { 'x-b': '' }]).list).toEqual(['x-b', 'none'])
    expect(collect(rules).list).toEqual([])
  })

  it('says the same once', () => {
    const rules = rulesOf('{ propagate: x-a, strategy: append }')
    expect(collect(rules, [1, { 'x-a': ['b', 'a'] }], [0, { 'x-a': 'a' }]).list).toEqual(['x-a', 'a, b'])
  })

  it('is spared by the rules of one subgraph', () => {
    expect(rulesOf('{ propagate: x-a, strategy: first }', '{ remove: X-A }')).toBeNull()
  })

  it('keeps cookies in lines of their own', () => {
    const cookies = rulesOf('{ propagate: set-cookie, strategy: append }')
    expect(cookies?.hasCookies).toBe(true)
    const sent = collect(cookies, [1, { 'set-cookie': ['b=2'] }], [0, { 'set-cookie': ['a=1, x', 'c=3'] }])
    expect(sent.list).toEqual(['set-cookie', ['a=1, x', 'c=3', 'b=2']])
  })
})

describe('what does not reach the client', () => {
  const rules = rulesOf('{ propagate: x-a, strategy: append }')

  it('is what could not be sent as it is', () => {
    const { list, dropped } = collect(rules, [0, { 'x-a': ['ü', 'a\u0000', 'ok'] }])
    expect(list).toEqual(['x-a', 'ok'])
    expect(dropped).toEqual(['invalid', 'invalid'])
  })

  it('is what comes after the headers were written', () => {
    const { dropped, collected } = collect(rules, [0, { 'x-a': 'a' }])
    collected.take(1, rules as CompiledResponseRules, { 'x-a': 'b' })
    collected.take(2, rules as CompiledResponseRules, {})
    expect(dropped).toEqual(['too_late'])
  })

  it('is what is too large', () => {
    const long = 'a'.repeat(MAX_CHARACTERS)
    expect(collect(rules, [0, { 'x-a': long }]).list).toEqual(['x-a', long])
    expect(collect(rules, [0, { 'x-a': `${long}a` }])).toMatchObject({ list: [], dropped: ['too_large'] })
    expect(collect(rules, [1, { 'x-a': 'b' }], [0, { 'x-a': long }])).toMatchObject({
      list: ['x-a', long],
      dropped: ['too_large'],
    })
  })
})

/** Fetch by fetch, whole ones only but for the first, as long as there is room. */
function appended(given: readonly (readonly string[])[]): readonly string[] {
  const fits = (values: readonly string[]) =>
    values.length <= MAX_VALUES && values.join('').length <= MAX_CHARACTERS
  let all: readonly string[] = []
  for (const values of given) {
    let own = [...new Set(values)]
    while (!fits(own)) own = own.slice(0, -1)
    const more = [...new Set([...all, ...own])]
    if (!fits(more)) break
    all = more
  }
  return all
}

it('comes out the same in whatever order the answers come, and within its limits', () => {
  const value = fc.oneof(
    fc.constantFrom('a', 'b', 'c', ''),
    fc.integer({ min: 1, max: MAX_CHARACTERS + 10 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 0, max: 99 }).map(String),
  )
  const answers = fc.uniqueArray(
    fc.tuple(
      fc.nat(80),
      fc.record({ 'x-a': fc.oneof(value, fc.array(value, { maxLength: 60 })) }, { requiredKeys: [] }),
    ),
    { selector: ([fetch]) => fetch, maxLength: 80 },
  )
  fc.assert(
    fc.property(
      fc.constantFrom('first', 'last', 'append'),
      answers.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      ),
      (strategy, [inOrder, shuffled]) => {
        const rules = rulesOf(`{ propagate: x-a, strategy: ${strategy}, default: none }`)
        const sorted = inOrder.toSorted(([left], [right]) => left - right)
        const { list } = collect(rules, ...shuffled)
        expect(list).toEqual(collect(rules, ...sorted).list)
        const [, text = ''] = list
        const values = String(text).split(', ')
        expect(values.length).toBeLessThanOrEqual(MAX_VALUES)
        expect(values.join('').length).toBeLessThanOrEqual(MAX_CHARACTERS)
        const given = sorted
          .map(([, sent]) =>
            [sent['x-a'] ?? []].flat().filter((each) => each !== '' && each.length <= MAX_CHARACTERS),
          )
          .filter((each) => each.length > 0)
        if (given.length === 0) expect(values).toEqual([inOrder.length === 0 ? '' : 'none'])
        else if (strategy === 'first') expect(values[0]).toBe(given[0]?.[0])
        else if (strategy === 'last') expect(values[0]).toBe(given.at(-1)?.[0])
        else expect(values).toEqual(appended(given))
      },
    ),
    { numRuns: 300 },
  )
})

describe('rules that are refused', () => {
  const refused = (text: string, own = '') => {
    try {
      rulesOf(text, own)
      return ''
    } catch (error) {
      return String(error)
    }
  }

  it.each([
    ['{ propagate: content-length, strategy: first }', 'belongs to one connection or one body'],
    ['{ propagate: connection, strategy: first }', 'belongs to one connection'],
    ['{ propagate: access-control-allow-origin, strategy: first }', 'belongs to one connection'],
    ['{ propagate: x-a, rename: Cache-Control, strategy: first }', 'belongs to one connection'],
    ['{ propagate: x-request-id, strategy: first }', "a meaning of the router's own"],
    ['{ set: X-Feature-Flag, value: a }', 'belongs to one connection'],
    ['{ set: set-cookie, value: a }', 'no secret'],
    ['{ propagate: set-cookie, strategy: append, default: a }', 'no secret'],
    ['{ propagate: set-cookie, rename: x-a, strategy: append }', 'expected no rename'],
    ['{ propagate: x-a, rename: set-cookie, strategy: append }', 'expected no rename'],
    ['{ propagate: x-a, strategy: middle }', 'expected {propagate: name, strategy'],
    ['{ propagate: x-a }', 'expected {propagate: name, strategy'],
    ['{ propagate: x-a, strategy: first }, { set: x-a, value: b }', 'another rule gives the header x-a'],
    ['{ set: x-a, value: b }, { set: X-A, value: c }', 'another rule gives the header x-a'],
  ])('%s', (text, message) => {
    expect(refused(text)).toContain(message)
  })

  it('are two strategies for one header, wherever they stand', () => {
    expect(refused('{ propagate: x-a, strategy: first }', '{ propagate: X-A, strategy: last }')).toContain(
      'has the strategy first: expected the same',
    )
    expect(refused('{ set: x-a, value: b }', '{ propagate: x-b, rename: x-a, strategy: first }')).toContain(
      'another rule gives the header x-a',
    )
  })
})
