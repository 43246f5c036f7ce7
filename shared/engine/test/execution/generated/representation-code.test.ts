import { Random } from '@switchyard/samples'
import { describe, expect, it } from 'vitest'
import { generateRepresentations } from '../../../src/execution/generated/representation-code.ts'
import { RepresentationTexts } from '../../../src/execution/generated/representation-texts.ts'
import type { EntitiesPart } from '../../../src/execution/joining/prepared-plan.ts'
import { typeFacts } from '../../../src/execution/joining/type-facts.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import { data, run } from '../support/run.ts'
import { openShop } from '../support/shop.ts'

const { graph } = openShop()
const planOf = (document: string) => planOperation(prepareOperation(graph, { document }), new Map())

/** What subgraphs may send for a key or for an input of `@requires`, whatever its type is. */
const VALUES: readonly unknown[] = [
  '1',
  '1',
  '2',
  1,
  1,
  2,
  0,
  -0,
  1.5,
  true,
  'true',
  '',
  '"',
  '\\',
  '\u2028',
  '\ud800',
  '__proto__',
  'x'.repeat(3000),
  Number('9007199254740993'),
  1e300,
  Number.POSITIVE_INFINITY,
  null,
  null,
  undefined,
  [],
  ['1'],
  {},
  { id: '1' },
] // prettier-ignore

const QUERIES = [
  '{ product { label } }',
  '{ products { price } }',
  '{ products { label stock } strict { label } }',
  '{ grid { label price } product { stock } }',
  '{ nodes { ... on Product { stock label } } products { label } }',
  '{ node { ... on Product { label } } again { product { label } } }',
]

describe('the representations that generated code collects', () => {
  // `run` executes by the interpreter and by generated code, and fails if they ask for different things.
  it.each(QUERIES)('are those of the interpreter, whatever the keys are: %s', async (query) => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed)
      const any = () => VALUES[random.below(VALUES.length)]
      const some = <Value>(make: () => Value) => Array.from({ length: random.below(6) }, make)
      const product = () => {
        const name = ['Product', 'Product', 'Product', 'Maker', 'Nothing', null, 1][random.below(7)]
        const object = { __typename: name, id: any(), name: any(), upc: 'u' }
        return random.below(8) === 0 ? [null, 'text', [object], 7][random.below(4)] : object
      }
      const lists = () => some(() => (random.below(5) === 0 ? null : some(product)))
      const root = () => ({
        product: product(),
        products: some(product),
        strict: some(product),
        grid: lists(),
      })
      const answer = { ...root(), node: product(), nodes: some(product), again: root() }
      const outcome = await run(graph, planOf(query), ({ body }) => {
        const { variables } = JSON.parse(body)
        const sent: readonly unknown[] = variables.r0 ?? []
        return data(
          sent.length === 0 ? answer : { _entities: sent.map(() => ({ label: 'l', stock: 1, price: 2 })) },
        )
      })
      expect(outcome.requests.length).toBeGreaterThan(0)
    }
  })

  it('are sent once for equal objects', () => {
    const plan = planOf('{ products { label } }')
    const [part] = plan.fetches.flatMap(({ parts }) => parts.filter((each) => each.kind === 'entities'))
    const code = generateRepresentations(plan, part as EntitiesPart, typeFacts(graph))
    const products = [
      { id: '1', name: 'one' },
      { id: 1, name: 'one' },
      null,
      { id: '1', name: 'one' },
      { id: '1' },
    ]
    const texts = new RepresentationTexts()
    const links = code.run(
      code.roots.map(() => ({ products })),
      [],
      [],
      1000,
      texts,
    )
    expect(links).toEqual([new Int32Array([0, 1, 0, 2])])
    expect(texts.texts).toEqual([
      '{"__typename":"Product","id":"1","name":"one"}',
      '{"__typename":"Product","id":1,"name":"one"}',
      '{"__typename":"Product","id":"1","name":null}',
    ])
  })
})
