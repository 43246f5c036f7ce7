import { Recording, replay } from '@switchyard/corpus'
import { Random } from '@switchyard/samples'
import { describe, expect, it } from 'vitest'
import { execute, type ExecuteOptions } from '@switchyard/engine'
import { generateCompletion } from '../../../src/execution/generated/completion-code.ts'
import {
  literalMember,
  memberOf,
  NotGeneratedError,
  quoted,
} from '../../../src/execution/generated/generated-code.ts'
import type { ExecutionResult } from '../../../src/execution/contract/response.ts'
import { typeFacts } from '../../../src/execution/joining/type-facts.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'
import { HostileSubgraph } from '../support/hostile-subgraph.ts'
import { openShop } from '../support/shop.ts'

const { graph } = openShop()

/** Names of GraphQL that mean something in JavaScript, or in code that is generated. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  '__lookupSetter__',
  'propertyIsEnumerable',
  'arguments',
  'eval',
  'await',
  'return',
  'class',
  'this',
  'null',
  'undefined',
  'NaN',
  'let',
  'length',
  'push',
  'steps',
  'weight',
  'most',
  'constants',
  'UNUSUAL',
  'read',
  'isArray',
  'roots',
  'tables',
  'type',
  'at',
  'o0',
  'v0',
  'c1',
  'e1_1',
  '_0',
  '_',
] // prettier-ignore

/** What no name of GraphQL may be, and what would run as code if it were put into code as it is. */
const NO_NAMES = [
  '"',
  "'",
  '\\',
  '\\"',
  '`',
  '${globalThis.broken=1}',
  '"];globalThis.broken=1;//',
  '*/globalThis.broken=1/*',
  '\u2028globalThis.broken=1',
  '\u2029',
  '\n',
  '1',
  '1e9',
  '-',
  'a b',
  'a-b',
  'é',
  '\ud800',
  ' ',
  '"]=0;[("',
] // prettier-ignore

function operationWith(random: Random): string {
  const name = () => NAMES[random.below(NAMES.length)] ?? '_'
  const fields = (names: readonly string[], inner: string): string => {
    const used = new Set<string>()
    const selected = names.flatMap((field) => {
      const alias = name()
      if (used.has(alias) || random.below(4) === 0) return []
      used.add(alias)
      return [`${alias}: ${field}`]
    })
    const last = name()
    return `{ __typename ${selected.join(' ')} ${used.has(last) || inner === '' ? '' : `${last}: ${inner}`} }`
  }
  const maker = `maker ${fields(['name', 'country', '__typename'], '')}`
  const product = fields(['upc', 'name', 'id', 'price', 'label', 'stock'], maker)
  const roots = ['product', 'products', 'strict', 'grid'].map((field) => `${field} ${product}`)
  return fields(roots, `nodes { ... on Product ${product} }`)
}

describe('names that mean something in code', () => {
  it('are data, whatever the operation calls its fields', async () => {
    let generated = 0
    for (let seed = 0; seed < 150; seed++) {
      const document = operationWith(new Random(seed))
      const plan = planOperation(prepareOperation(graph, { document }), new Map())
      const subgraph = new HostileSubgraph(graph.apiSchema, new Random(seed), { rate: 0, kind: 'quiet' })
      const recording = new Recording()
      const options: ExecuteOptions = {
        plan,
        variables: new Map(),
        interpretedRuns: Number.POSITIVE_INFINITY,
        fetch: recording.of(({ body }, done) => {
          const text = JSON.stringify({ data: subgraph.data(body) })
          setImmediate(() => done({ kind: 'answer', status: 200, body: JSON.parse(text) }))
        }),
      }
      const interpreted = await new Promise<{ result: ExecutionResult; weight: number }>((resolve) => {
        execute(graph, options, (result, weight) => resolve({ result, weight }))
      })
      expect(await replay(graph, options, recording, interpreted), document).toEqual([])
      generateCompletion(plan, typeFacts(graph))
      generated++
    }
    expect(generated).toBe(150)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it.each(NO_NAMES)('never enter code if they are no names: %j', (name) => {
    expect(() => quoted(name)).toThrow(NotGeneratedError)
    expect(() => literalMember(name, '0')).toThrow(NotGeneratedError)
    expect(() => memberOf('o0', name)).toThrow(NotGeneratedError)
  })

  it('are refused in any place of a plan', () => {
    const document =
      '{ nodes { __typename ... on Product { price label } ... on Maker { name } } product { stock } }'
    const plan = planOperation(prepareOperation(graph, { document }), new Map())
    const text = JSON.stringify(plan)
    const names = new Set(
      [...text.matchAll(/"(?:key|name|alias|responseKey)":("[A-Za-z_]+")/g)].map(([, n]) => n ?? ''),
    )
    expect(names.size).toBeGreaterThan(5)
    let refused = 0
    for (const name of names) {
      for (const hostile of NO_NAMES) {
        const changed: Plan = JSON.parse(text.replaceAll(`:${name}`, `:${JSON.stringify(hostile)}`))
        try {
          const { run, roots, links } = generateCompletion(changed, typeFacts(graph))
          run(
            roots.map(() => ({})),
            links.map(() => []),
            links.map(() => null),
            1000,
            { steps: 0, weight: 0 },
          )
        } catch {
          refused++
        }
      }
    }
    expect(refused).toBeGreaterThan(NO_NAMES.length)
    expect(globalThis).not.toHaveProperty('broken')
  })
})
