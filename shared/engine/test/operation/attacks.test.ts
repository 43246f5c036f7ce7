/** Requests that are small for what they made a router do. What is counted is work and sizes, never time. */
import { describe, expect, it, vi } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { type OperationRequest, prepareOperation } from '../../src/operation/operation.ts'
import { RequestError } from '../../src/operation/operation-error.ts'
import { INPUTS, INPUT_TYPES } from './inputs.ts'

const graph = openGraph(compileSupergraph(INPUTS))

const fieldOf = (type: string) => INPUT_TYPES.find((input) => input.type === type)?.field ?? expect.fail(type)

function refusal(action: () => unknown): RequestError {
  try {
    action()
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
  throw new Error('The request was not refused.')
}

const refused = (document: string, more: Partial<OperationRequest> = {}) =>
  refusal(() => prepareOperation(graph, { document, ...more }))

/** Of an operation that hands one variable of a type on. */
const taking = (type: string) =>
  prepareOperation(graph, { document: `query ($x: ${type}) { ${fieldOf(type)}(v: $x) }` })

const sizeOf = (error: RequestError) => JSON.stringify(error.errors).length

/** How often texts of this length or more are searched line by line while something is done. */
function searches(length: number, action: () => void): number {
  const matchAll = vi.spyOn(String.prototype, 'matchAll')
  action()
  const count = matchAll.mock.contexts.filter((text) => String(text).length >= length).length
  matchAll.mockRestore()
  return count
}

describe('variables', () => {
  it('with a hundred thousand unknown fields, 4 MB, get 50 short messages', () => {
    const x: Record<string, unknown> = { need: 1 }
    for (let index = 0; index < 100_000; index++) x[`unknown${index}`] = 'xxxxxxxxxxxxxxxxxxxxxxxx'
    const error = refusal(() => taking('Deep').coerceVariables({ x }))
    expect(error.errors).toHaveLength(50)
    expect(error.errors[0]).toEqual({
      message:
        'Variable "$x" has invalid value: Expected value of type "Deep" not to include unknown field "unknown0".',
      locations: [{ line: 1, column: 8 }],
      extensions: { code: 'BAD_USER_INPUT' },
    })
    expect(sizeOf(error)).toBeLessThan(15_000)
  })

  it.each<[string, unknown]>([
    ['a text of a megabyte', 'x'.repeat(1_000_000)],
    ['a list of a hundred thousand', Array.from({ length: 100_000 }, () => 'x')],
    ['a wide object', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))],
    ['a name of a megabyte', { need: 1, ['n'.repeat(1_000_000)]: 1 }],
  ])('get messages that show no more than the beginning of %s', (_, x) => {
    for (const type of ['Int', 'Float', 'Boolean!', 'Colour', 'ID', 'Deep', 'Pick', '[Deep]', '[Colour!]']) {
      const operation = taking(type)
      let error: unknown = null
      try {
        operation.coerceVariables({ x })
      } catch (caught) {
        error = caught
      }
      if (error instanceof RequestError) expect(sizeOf(error)).toBeLessThan(50 * 500)
    }
  })

  it.each(['JSON', '[JSON]', 'Deep'])('of the type %s that nest 2000 deep are refused', (type) => {
    let x: unknown = type === 'Deep' ? { need: 1 } : 1
    for (let depth = 0; depth < 2000; depth++) x = type === 'Deep' ? { need: 1, deep: x } : [x]
    const error = refusal(() => taking(type).coerceVariables({ x }))
    expect(error).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      message: 'The value of the variable "$x" nests deeper than the 500 levels allowed.',
    })
  })

  it('whose defaults contain themselves are refused where these would be used, given or declared', () => {
    const looping = (declared: string) =>
      prepareOperation(graph, { document: `query ($x: ${declared}) { loop(v: $x) }` })
    const message =
      'A default value of the type "Loop" contains itself without end, so it cannot be used. Expected a value for the fields that have such defaults.'
    expect(refusal(() => looping('Loop').coerceVariables({ x: {} })).message).toBe(message)
    expect(refusal(() => looping('Loop = {}')).message).toBe(message)
    expect(
      looping('Loop')
        .coerceVariables({ x: { again: null } })
        .get('x'),
    ).toEqual({ again: null })
  })

  it('may nest 400 deep', () => {
    expect(() =>
      taking('JSON').coerceVariables({ x: JSON.parse('['.repeat(400) + ']'.repeat(400)) }),
    ).not.toThrow()
  })

  it('that hold more values than allowed are refused, given or made of few', () => {
    const limited = (type: string, x: unknown) =>
      refusal(() =>
        prepareOperation(graph, {
          document: `query ($x: ${type}) { ${fieldOf(type)}(v: $x) }`,
          limits: { variableValues: 1000 },
        }).coerceVariables({ x }),
      )
    const message = 'The variables hold more than the 1000 values allowed.'
    const code = 'OPERATION_LIMIT_EXCEEDED'
    expect(
      limited(
        '[Int]',
        Array.from({ length: 1000 }, () => 1),
      ),
    ).toMatchObject({ code, message })
    expect(
      limited(
        'JSON',
        Array.from({ length: 4000 }, () => 1),
      ),
    ).toMatchObject({ code, message })
    // Each small object makes all fields of its type be looked at.
    expect(
      limited(
        '[Deep]',
        Array.from({ length: 500 }, () => ({ need: 1 })),
      ),
    ).toMatchObject({ code, message })
  })

  it('of five megabytes are coerced in slices', async () => {
    let turns = 0
    const next = () => {
      turns++
      return Promise.resolve()
    }
    const x = Array.from({ length: 900_000 }, (_, index) => index)
    const coerced = taking('[Int]').coerceVariablesInTurns({ x }, { next })
    expect(coerced).toBeInstanceOf(Promise)
    expect((await coerced).get('x')).toEqual(x)
    expect(turns).toBe(180)
    expect(taking('[Int]').coerceVariablesInTurns({ x: [1] }, { next })).toBeInstanceOf(Map)
  })
})

describe('literals', () => {
  it.each([
    ['a text of 900 KB', () => `"${'x'.repeat(900_000)}"`],
    [
      'unknown fields',
      () => `{ ${Array.from({ length: 3000 }, (_, index) => `u${index}: "${'x'.repeat(100)}"`).join(' ')} }`,
    ],
    ['a name of 900 KB', () => 'X'.repeat(900_000)],
    ['a number of 900 KB', () => '9'.repeat(900_000)],
  ])('that are wrong get messages that show no more than their beginning: %s', (_, literal) => {
    const text = literal()
    for (const type of ['Int', 'Boolean!', 'Colour', 'Deep', '[Deep]', 'Pick']) {
      const error = refused(`{ ${fieldOf(type)}(v: ${text}) }`)
      expect(error.code).toBe('GRAPHQL_VALIDATION_FAILED')
      expect(error.errors.length).toBeLessThanOrEqual(51)
      expect(sizeOf(error)).toBeLessThan(51 * 500)
    }
  })

  it('are suggested what was meant, where little has to be compared', () => {
    expect(refused('{ f7(v: BLU) }').message).toBe(
      'Value "BLU" does not exist in "Colour" enum. Did you mean "BLUE"?',
    )
    expect(refused('{ mee }').message).toBe('Cannot query field "mee" on type "Query". Did you mean "me"?')
    const many = Array.from({ length: 6 }, (_, index) => `mee${index}: mee`).join(' ')
    expect(refused(`{ ${many} }`).message).not.toContain('Did you mean')
  })
})

describe('names that are a megabyte long', () => {
  it.each([
    ['a field', (name: string) => `{ ${name} }`],
    ['a fragment', (name: string) => `{ ...${name} }`],
    ['a variable', (name: string) => `{ f0(v: $${name}) }`],
    ['an operation', (name: string) => `query ${name} { me } query ${name} { me }`],
    ['no syntax', (name: string) => `{ me } ${name}`],
    ['no end of a text', (name: string) => `{ f3(v: "${name}\n") }`],
  ])('stand in no message as a whole: %s', (_, document) => {
    const error = refused(document('n'.repeat(900_000)), { operationName: 'x' })
    expect(sizeOf(error)).toBeLessThan(5000)
  })
})

describe('documents of empty lines', () => {
  const unknown = Array.from({ length: 60 }, (_, index) => `u${index}`).join('\n')

  it('with 60 unknown fields after them have their lines counted once', () => {
    const document = `${'\n'.repeat(99_000)}{ ${unknown} }`
    const lines = searches(90_000, () => {
      const { errors } = refused(document)
      expect(errors).toHaveLength(51)
      expect(errors[0]?.locations).toEqual([{ line: 99_001, column: 3 }])
      expect(errors[49]?.locations).toEqual([{ line: 99_050, column: 1 }])
    })
    // Once for the limit, and once for all places.
    expect(lines).toBe(2)
  })

  it('are refused when there are 2.6 million of them', () => {
    for (const lineBreak of ['\n', '\r', '\r\n'])
      expect(refused(`${lineBreak.repeat(2_600_000)}{ ${unknown} }`)).toMatchObject({
        code: 'OPERATION_LIMIT_EXCEEDED',
        message: 'The document has more than the 100000 lines allowed.',
      })
  })

  it('with wrong labels of @defer after them get 50 errors, and no more are made', () => {
    const fragments = Array.from(
      { length: 400 },
      (_, index) => `... @defer(label: "a") { m${index}: me }`,
    ).join('\n')
    const lines = searches(90_000, () => {
      const { errors } = refused(`${'\n'.repeat(90_000)}{ ${fragments} }`, {
        defer: true,
      })
      expect(errors).toHaveLength(50)
      expect(errors[1]?.locations).toEqual([
        { line: 90_001, column: 7 },
        { line: 90_003, column: 5 },
      ])
    })
    expect(lines).toBe(2)
  })
})

describe('documents of millions of characters', () => {
  it.each([
    ['escaped quotes', `{ ${fieldOf('JSON')}(v: "${'\\"'.repeat(1_200_000)}") }`],
    ['lines of a block string', `{ ${fieldOf('JSON')}(v: """${`\n${' '.repeat(40)}x`.repeat(90_000)}""") }`],
    ['commas', `{ me } ${','.repeat(4_900_000)}`],
    ['a comment', `{ me } #${'x'.repeat(4_900_000)}`],
  ])('are refused before their tokens are looked for: %s', (_, document) => {
    expect(refused(document)).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      message: 'The document has more than the 1000000 characters allowed.',
    })
    expect(prepareOperation(graph, { document, limits: { length: 5_000_000 } }).kind).toBe('query')
  })
})

describe('operations that are not executed', () => {
  const limit = { code: 'OPERATION_LIMIT_EXCEEDED' }
  const chosen = 'query Chosen { me }'

  it('are judged by the same limits as the one that is', () => {
    const same = `{ ${Array.from({ length: 300 }, () => 'x: me').join(' ')} }`
    const deep = '{ me '.repeat(70) + '}'.repeat(70)
    const doubling = `fragment F0 on Query { me } ${Array.from({ length: 16 }, (_, n) => `fragment F${n + 1} on Query { ...F${n} ...G${n} } fragment G${n} on Query { ...F${n} }`).join(' ')}`
    const operationName = 'Chosen'
    expect(refused(`${chosen} query Other { ${`a ${same} `.repeat(5)} }`, { operationName })).toMatchObject(
      limit,
    )
    expect(refused(`${chosen} query Other ${deep}`, { operationName })).toMatchObject(limit)
    expect(refused(`${chosen} query Other { ...F16 } ${doubling}`, { operationName })).toMatchObject(limit)
    expect(refused(`${chosen} ${doubling}`, { operationName })).toMatchObject(limit)
  })

  it('have no more fields together than one may have', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => `query Q${index} { ...F }`).join(' ')
    const fragment = `fragment F on Query { ${Array.from({ length: 100 }, (_, index) => `a${index}: me`).join(' ')} }`
    const operationName = 'Chosen'
    expect(refused(`${chosen} ${others(200)} ${fragment}`, { operationName })).toMatchObject({
      ...limit,
      message: 'The operations of the document have together more than the 20000 fields allowed.',
    })
    expect(() =>
      prepareOperation(graph, { document: `${chosen} ${others(150)} ${fragment}`, operationName }),
    ).not.toThrow()
  })

  it('have no more values in arguments together than one may have', () => {
    const values = Array.from({ length: 5000 }, () => '$a').join(' ')
    const others = Array.from({ length: 50 }, (_, index) => `query Q${index}($a: Int) { ...F }`).join(' ')
    const document = `${chosen} ${others} fragment F on Query { ${fieldOf('[Int]')}(v: [${values}]) }`
    expect(refused(document, { operationName: 'Chosen' })).toMatchObject({
      ...limit,
      message:
        'The operations of the document have together more than the 200000 values in arguments allowed.',
    })
  })

  it('have no more characters in arguments and aliases together than allowed, wherever fragments are spread', () => {
    const long = 'a'.repeat(10_000)
    const others = (count: number, variables = '') =>
      Array.from({ length: count }, (_, index) => `query Q${index}${variables} { ...F }`).join(' ')
    const aliased = `fragment F on Query { ${long}: me }`
    const included = `fragment F on Query { me @include(if: $${long}) }`
    const operationName = 'Chosen'
    expect(refused(`${chosen} ${others(101)} ${aliased}`, { operationName })).toMatchObject({
      ...limit,
      message:
        'The operations of the document have together more than the 1000000 characters in arguments and aliases allowed, those of fragments counted wherever they are spread.',
    })
    expect(refused(`${chosen} ${others(101, '($a: Int)')} ${included}`, { operationName })).toMatchObject(
      limit,
    )
    expect(() =>
      prepareOperation(graph, { document: `${chosen} ${others(99)} ${aliased}`, operationName }),
    ).not.toThrow()
  })

  it('may have as many characters in arguments as a document without fragments', () => {
    const text = JSON.stringify('a'.repeat(990_000))
    expect(() => prepareOperation(graph, { document: `{ ${fieldOf('String')}(v: ${text}) }` })).not.toThrow()
  })
})
