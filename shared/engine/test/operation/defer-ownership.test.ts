import { describe, expect, it } from 'vitest'
import { RequestError } from '../../src/operation/operation-error.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { PlanningError } from '../../src/work/planning-error.ts'
import { deferred, groups, owners, world } from '../plan/search/split-at-defer/planned.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const { graph } = world

describe('which fields are deferred', () => {
  it('is for routers that defer alone: else the plan is that of ordinary fragments', () => {
    const plain = planOperation(prepareOperation(graph, { document: '{ me { id name } }' }), new Map())
    const document = '{ me { id ... @defer { name } } }'
    expect(planOperation(prepareOperation(graph, { document }), new Map())).toEqual(plain)
    expect(plain).toMatchObject({ deferred: false, groups: [{ id: 0, parent: -1, isLive: true }] })
  })

  it('numbers each active @defer in document order, as often as its fragment is spread', () => {
    const document = `{ me { ...F } books { ... @defer { id } } box { ...@defer { inner { ...G } } } now2: me { ...F } }
      fragment F on User { ... @defer { name friend { ... @defer { name } } } }
      fragment G on Inner { ... @defer { p } q }`
    expect(groups(document)).toEqual([
      '1<0 at me',
      '2<1 at me.friend',
      '3<0 at books',
      '4<0 at box',
      '5<4 at box.inner',
      '6<0 at now2',
      '7<6 at now2.friend',
    ])
  })

  it('gives no number below what is skipped, nor to an inactive one', () => {
    const document = `query($off: Boolean!) { me { ... @defer(if: false) { id } ... @defer(if: $off) { age }
      friend @skip(if: true) { ... @defer { name } } ... @defer { name } } }`
    expect(groups(document, { off: false })).toEqual(['1<0 at me'])
    expect(owners(document, { off: false })).toBe('{me:0{id:0 age:0 name:1}}')
  })

  it('gives the same plan as without the directive when none is active', () => {
    const document =
      'query($on: Boolean) { me { id ... @defer(if: $on) { name } ... @defer(if: false) { age } } }'
    const plain = planOperation(prepareOperation(graph, { document: '{ me { id name age } }' }), new Map())
    expect(deferred(document, { on: false })).toEqual(plain)
  })

  it.each([[true], [undefined]])('is active where its variable is %s', (on) => {
    const document = 'query($on: Boolean) { me { ... @defer(if: $on) { name } } }'
    expect(groups(document, on === undefined ? {} : { on })).toEqual(['1<0 at me'])
  })

  it('does not defer what is selected outside as well, and merges objects field by field', () => {
    expect(owners('{ me { name details { a } ... @defer { name details { a b } } } }')).toBe(
      '{me:0{name:0 details:0{a:0 b:1}}}',
    )
  })

  it('lets the first of several fragments deliver what they share, and the others wait for it', () => {
    const document = '{ me { ... @defer { details { a } } ... @defer { name details { a b } } } }'
    expect(owners(document)).toBe('{me:0{details:1|2{a:1|2 b:2} name:2}}')
    expect(groups(document)).toEqual(['1<0 at me', '2<0 at me holds 1'])
  })

  it('does not count a fragment nested in another one that selects the field', () => {
    const document = '{ me { ... @defer { ... @defer { name age } name } } }'
    expect(owners(document)).toBe('{me:0{name:1 age:2}}')
    expect(groups(document)).toEqual(['1<0 at me', '2<1 at me'])
  })

  it('delivers __typename with its object', () => {
    expect(owners('{ me { ... @defer { t: __typename friend { __typename name } } } }')).toBe(
      '{me:0{t:0 friend:1{__typename:1 name:1}}}',
    )
  })

  it('decides type by type', () => {
    const document = '{ node { ... @defer { id } ... on User { id ... @defer { name } } } }'
    expect(owners(document)).toBe('{node:0{id:1 / id:0 name:2}}')
    expect(groups(document)).toEqual(['1<0 at node', '2<0 at node(User)'])
  })

  it('never delivers keys and inputs of @requires that only later requests need', () => {
    expect(owners('{ me { name ... @defer { address } } }')).toBe('{me:0{name:0 address:1}}')
    expect(owners('{ books { ... @defer { stock } } }')).toBe('{books:0{stock:1}}')
  })

  it('delivers introspection as any other field', () => {
    expect(owners('{ now ... @defer { __schema { queryType { name } } } }')).toBe('{now:0 __schema:1}')
  })
})

describe('a fragment that owns nothing', () => {
  it('is dropped, and those nested in it move up', () => {
    const document = '{ me { name ... @defer { name __typename ... @defer { age } } } }'
    expect(groups(document)).toEqual(['-1<0 at me', '2<0 at me'])
  })

  it('is kept where another one delivers everything in it, since that one may fail', () => {
    const document = '{ me { ... @defer { details { a } } ... @defer { details { a ... @defer { b } } } } }'
    expect(groups(document)).toEqual(['1<0 at me', '2<0 at me holds 1', '3<2 at me.details'])
  })

  it('is dropped where it would fail with the one that delivers everything in it', () => {
    const document = '{ me { ... @defer { details { a } ... @defer { details { a ... @defer { b } } } } } }'
    expect(groups(document)).toEqual(['1<0 at me', '-2<1 at me', '3<1 at me.details'])
  })

  it('leaves the answer a stream', () => {
    expect(deferred('{ me { ... @defer { __typename } } }')).toMatchObject({
      deferred: true,
      groups: [{ id: 0 }, { id: 1, isLive: false }],
    })
  })

  it('keeps its number where no object can be of its type', () => {
    expect(
      groups('{ node { ... on User { ... on Node { ... on Book @defer { id } } } ... @defer { id } } }'),
    ).toEqual(['-1<0 at ', '2<0 at node'])
  })
})

describe('operations with very many deferred fragments', () => {
  const fragments = (count: number, between: string, field: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `... @defer { ${field(index)} `).join(between)
  const nested = (count: number, field: (index: number) => string) =>
    `{ me { ${fragments(count, '', field)} name ${'} '.repeat(count)} } }`
  const beside = (count: number) => `{ me { ${fragments(count, '} ', (index) => `n${index}: name`)} } } }`
  const stepsFor = (document: string): number => {
    let steps = 0
    const onSteps = (spent: number) => {
      steps = spent
    }
    planOperation(prepareOperation(graph, { document, defer: true }), new Map(), { onSteps })
    return steps
  }

  it.each<[string, number, (count: number) => string]>([
    ['nested around one field', 1000, (count) => nested(count, () => '')],
    ['nested, with a field each', 1000, (count) => nested(count, (index) => `n${index}: name`)],
    ['nested, with a field that all share', 500, (count) => nested(count, () => 'name')],
    ['side by side', 1000, beside],
  ])('take steps in proportion to them: %s', (_name, many, documentOf) => {
    const few = stepsFor(documentOf(many / 5))
    expect(few).toBeGreaterThan(many / 5)
    expect(stepsFor(documentOf(many))).toBeLessThan(few * 10)
  })

  it('meet the limits that every operation has', () => {
    const bomb = (levels: number) =>
      Array.from(
        { length: levels },
        (_, index) =>
          `fragment F${index} on User { ... @defer { ...F${index + 1} } ... @defer { ...F${index + 1} } }`,
      ).join(' ')
    const refusalOf = (document: string) => {
      try {
        deferred(document)
      } catch (error) {
        return error instanceof RequestError || error instanceof PlanningError ? error.code : error
      }
      return null
    }
    const refusals = [
      `{ me { ...F0 } } ${bomb(20)} fragment F20 on User { id }`,
      `{ me { ${'... @defer { id } '.repeat(3000)} } }`,
      `{ me { ${'friend { ... @defer { '.repeat(70)} id ${'} } '.repeat(70)} } }`,
      `{ me { ${Array.from({ length: 1001 }, (_, index) => `... @defer { n${index}: name } `).join('')} } }`,
    ]
    expect(refusals.map(refusalOf)).toEqual(refusals.map(() => 'OPERATION_LIMIT_EXCEEDED'))
    const operation = prepareOperation(graph, { document: beside(1000), defer: true })
    expect(() => planOperation(operation, new Map(), { stepLimit: 1000 })).toThrow(
      expect.objectContaining({ code: 'PLANNING_LIMIT' }),
    )
  })

  it('make a bounded number of requests', () => {
    const plan = deferred(beside(1000))
    expect(plan.fetches).toHaveLength(65)
    expect(plan.groups.filter(({ isLive }) => isLive)).toHaveLength(1001)
  })
})
