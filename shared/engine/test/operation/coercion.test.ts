/** Variables are coerced by code of our own; graphql-js takes and refuses the same. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { getVariableValues, Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { RequestError } from '../../src/operation/operation-error.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { INPUTS, INPUT_TYPES } from './inputs.ts'

const RUN = new RandomRun(import.meta.url, 1000, 3000)
const graph = openGraph(compileSupergraph(INPUTS))

const names = ['RED', 'BLUE', 'x', 'need', 'deep', 'list', 'a', 'b', 'colour', '__proto__', 'constructor', '']
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 7, 2_147_483_648, 1.5, 1e21, ...names),
  fc.string({ maxLength: 5 }),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}))
/** Mostly right values, since random ones hardly ever are. */
const { fitting } = fc.letrec<{ fitting: unknown }>((tie) => ({
  fitting: fc.oneof(
    { maxDepth: 4 },
    fc.record(
      {
        need: fc.constantFrom(1, 2),
        x: fc.constantFrom('a', null),
        deep: tie('fitting'),
        list: fc.array(fc.oneof(tie('fitting'), fc.constant(null)), { maxLength: 3 }),
        colour: fc.constantFrom('RED', 'BLUE'),
      },
      { requiredKeys: ['need'] },
    ),
    value,
  ),
}))

type Outcome = { readonly values: string } | { readonly places: readonly string[] }

/** Where something is wrong: `$x at .a[0]`. */
const places = (messages: readonly string[]) =>
  [
    ...new Set(
      messages.map(
        (message) =>
          /^Variable "(\$\w+)" has invalid value( at [^:]*)?:/.exec(message)?.slice(1).join('') ?? message,
      ),
    ),
  ].sort()

function ours(document: string, raw: Readonly<Record<string, unknown>>): Outcome {
  try {
    const values = prepareOperation(graph, { document }).coerceVariables(raw)
    return { values: JSON.stringify([...values]) }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return { places: places(error.errors.map(({ message }) => message)) }
  }
}

function theirs(document: string, raw: Readonly<Record<string, unknown>>): Outcome {
  const [operation] = parse(document).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.')
  const result = getVariableValues(graph.apiSchema, operation.variableDefinitions ?? [], raw)
  return result.errors === undefined
    ? { values: JSON.stringify(Object.entries(result.variableValues.coerced)) }
    : { places: places(result.errors.map(({ message }) => message)) }
}

describe('random variables', () => {
  it(`are taken and refused as graphql-js does it (seed ${RUN.seed})`, {
    timeout: RUN.timeout(60_000),
  }, () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...INPUT_TYPES),
        fc.oneof(value, fitting),
        fc.constantFrom('x', 'y'),
        ({ type, field, withDefault }, given, name) => {
          const declared = withDefault === undefined ? type : `${type} = ${withDefault}`
          const document = `query ($x: ${declared}) { ${field}(v: $x) }`
          const expected = theirs(document, { [name]: given })
          if ('values' in expected) taken++
          expect(ours(document, { [name]: given }), `${document} ${JSON.stringify(given)}`).toEqual(expected)
        },
      ),
      RUN.parameters,
    )
    expect(taken).toBeGreaterThan(RUN.runs / 10)
    expect(taken).toBeLessThan(RUN.runs * 0.9)
  })
})
