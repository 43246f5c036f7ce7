import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { type OperationRequest, prepareOperation } from '../../src/operation/operation.ts'
import { RequestError } from '../../src/operation/operation-error.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const graph = openGraph(
  compileSupergraph(/* GraphQL */ `
    schema
      @link(url: "https://specs.apollo.dev/link/v1.0")
      @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION)
      @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)
    { query: Query mutation: Mutation subscription: Subscription }
    directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
    directive @join__graph(name: String!, url: String!) on ENUM_VALUE
    directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
    directive @join__enumValue(graph: join__Graph!) repeatable on ENUM_VALUE
    directive @inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
    scalar join__FieldSet
    scalar link__Import
    enum link__Purpose { SECURITY EXECUTION }
    enum join__Graph { A @join__graph(name: "a", url: "http://a.example") }
    type Query @join__type(graph: A) {
      self: Query
      me: Int
      hidden: Int @inaccessible
      f(int: Int, colour: Colour, filter: Filter, list: [Int!], json: JSON, id: ID, pick: Pick): Int
    }
    type Mutation @join__type(graph: A) { run: Int }
    type Subscription @join__type(graph: A) { tick: Int }
    enum Colour @join__type(graph: A) { RED @join__enumValue(graph: A) HIDDEN @join__enumValue(graph: A) @inaccessible }
    input Filter @join__type(graph: A) { size: Int! = 3 colour: Colour = RED secret: Int @inaccessible }
    input Pick @oneOf @join__type(graph: A) { a: Int b: Int }
    scalar JSON @join__type(graph: A)
  `),
)

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

describe('preparing an operation', () => {
  it('says where a document cannot be parsed', () => {
    const error = refused('{ me ')
    expect(error).toMatchObject({ phase: 'parse', code: 'GRAPHQL_PARSE_FAILED' })
    expect(error.errors).toEqual([
      {
        message: 'Syntax Error: Expected Name, found <EOF>.',
        locations: [{ line: 1, column: 6 }],
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      },
    ])
  })

  it('says everything that is invalid', () => {
    const error = refused('{ me hidden f(colour: HIDDEN, nope: 1) }')
    expect(error).toMatchObject({ phase: 'validate', code: 'GRAPHQL_VALIDATION_FAILED' })
    expect(error.errors.map(({ message }) => message)).toEqual([
      'Cannot query field "hidden" on type "Query".',
      'Value "HIDDEN" does not exist in "Colour" enum.',
      'Unknown argument "nope" on field "Query.f".',
    ])
    for (const { extensions } of error.errors)
      expect(extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' })
  })

  it('finds the operation to execute', () => {
    const document = 'query A { me } mutation B { run } fragment F on Query { me } query C { ...F }'
    expect(prepareOperation(graph, { document, operationName: 'B' })).toMatchObject({
      kind: 'mutation',
      name: 'B',
    })
    expect(prepareOperation(graph, { document: '{ me }', operationName: null })).toMatchObject({
      kind: 'query',
      name: null,
    })
    for (const [source, operationName] of [
      [document, null],
      [document, 'D'],
      ['{ me }', 'D'],
      ['fragment F on Query { me }', null],
    ] as const)
      expect(refused(source, { operationName })).toMatchObject({
        phase: 'operation',
        code: 'OPERATION_RESOLUTION_FAILURE',
      })
  })

  it('refuses subscriptions in plain words', () => {
    expect(refused('subscription { tick }')).toMatchObject({
      phase: 'operation',
      code: 'SUBSCRIPTIONS_NOT_SUPPORTED',
      message: 'Subscriptions are not supported; send a query or a mutation.',
    })
  })

  it.each([
    '{ me ... @defer(label: "x") { self { me } } }',
    '{ ... @defer(label: "x") { me } ... @defer(label: "x") { self { me } } }',
    'query($x: String) { ... @defer(label: $x) { me } }',
    'mutation { ... @defer { run } }',
  ])('does not check @defer while it means nothing: %s', (document) => {
    expect(() => prepareOperation(graph, { document })).not.toThrow()
  })
})

describe('limits', () => {
  const nested = (depth: number) => `${'{ self '.repeat(depth - 1)}{ me }${' }'.repeat(depth - 1)}`

  it.each<[string, string, Partial<OperationRequest>['limits']]>([
    ['tokens', '{ me me me }', { tokens: 4 }],
    ['depth', nested(5), { depth: 4 }],
    ['depth in fragments', `query { self { ...F } } fragment F on Query ${nested(4)}`, { depth: 4 }],
    [
      'depth in fragments used twice',
      'query { ...F self { ...F } } fragment F on Query { self { me } }',
      { depth: 2 },
    ],
    ['aliases', '{ a: me b: me }', { aliases: 1 }],
    ['aliases in fragments', '{ ...F self { ...F } } fragment F on Query { a: me }', { aliases: 1 }],
    ['root fields', '{ me self { me } f }', { rootFields: 2 }],
    ['root fields in fragments', '{ ...F ...F } fragment F on Query { me f }', { rootFields: 3 }],
    [
      'condition variables',
      'query ($a: Boolean!, $b: Boolean!) { me @skip(if: $a) ...F } fragment F on Query { f @include(if: $b) }',
      { conditionVariables: 1 },
    ],
  ])('refuse an operation with too many: %s', (_name, document, limits) => {
    expect(refused(document, limits === undefined ? {} : { limits })).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      errors: [{ extensions: { code: 'OPERATION_LIMIT_EXCEEDED' } }],
    })
  })

  it('allow exactly as much as they say', () => {
    const limits = { tokens: 12, depth: 3, aliases: 2, rootFields: 2 }
    expect(
      prepareOperation(graph, {
        document: '{ a: me self { b: self { me } } }',
        limits: { ...limits, tokens: 15 },
      }).kind,
    ).toBe('query')
    expect(refused('{ a: me self { b: self { me } } }', { limits })).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
    })
  })

  it('stop fragments that double each other', () => {
    const fragments = Array.from(
      { length: 40 },
      (_, i) => `fragment F${i} on Query { self { ...F${i + 1} } other: self { ...F${i + 1} } }`,
    )
    const document = `{ ...F0 } ${fragments.join(' ')} fragment F40 on Query { me }`
    expect(refused(document)).toMatchObject({ code: 'OPERATION_LIMIT_EXCEEDED' })
  })

  it('stop a field that is repeated so often that its conflicts cannot be looked for', () => {
    expect(refused(`{ self { ${'me '.repeat(9_000)} } }`)).toMatchObject({
      code: 'OPERATION_LIMIT_EXCEEDED',
      errors: [{ message: 'The operation selects the same fields too often to be checked for conflicts.' }],
    })
  })

  it('leave fragments that include themselves to validation', () => {
    expect(refused('{ ...F } fragment F on Query { self { ...F } }')).toMatchObject({ phase: 'validate' })
  })

  it('stop documents that nest deeper than can be parsed', () => {
    for (const document of [
      '{ self '.repeat(15_000),
      `{ f(json: ${'['.repeat(15_000)}`,
      '{ ... '.repeat(9_000),
    ]) {
      const { code } = refused(document)
      expect(['OPERATION_LIMIT_EXCEEDED', 'GRAPHQL_PARSE_FAILED']).toContain(code)
    }
  })

  it('refuses one response key too often in one place before anything compares the fields', () => {
    const document = (count: number) => `{ self { ${'... { self { unknown } } '.repeat(count)} } }`
    expect(refusal(() => prepareOperation(graph, { document: document(300) }))).toMatchObject({
      phase: 'operation',
      code: 'OPERATION_LIMIT_EXCEEDED',
      errors: [{ message: 'The operation selects the same fields too often to be checked for conflicts.' }],
    })
    expect(refusal(() => prepareOperation(graph, { document: document(100) })).phase).toBe('validate')
    const aliased = Array.from({ length: 300 }, (_, index) => `a${index}: self { me }`).join(' ')
    expect(prepareOperation(graph, { document: `{ self { ${aliased} } }` }).kind).toBe('query')
  })
})

describe('variables', () => {
  const coerce = (declared: string, used: string, raw: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      prepareOperation(graph, { document: `query (${declared}) { f(${used}) }` }).coerceVariables(raw),
    )

  it('are coerced to what goes to subgraphs', () => {
    expect(coerce('$x: Int', 'int: $x', { x: 1, other: 2 })).toEqual({ x: 1 })
    expect(coerce('$x: ID', 'id: $x', { x: 12 })).toEqual({ x: '12' })
    expect(coerce('$x: Colour', 'colour: $x', { x: 'RED' })).toEqual({ x: 'RED' })
    expect(coerce('$x: [Int!]', 'list: $x', { x: 4 })).toEqual({ x: [4] })
    expect(coerce('$x: JSON', 'json: $x', { x: { any: ['thing', null] } })).toEqual({
      x: { any: ['thing', null] },
    })
  })

  it('take defaults, and keep an explicit null apart from an absent value', () => {
    expect(coerce('$x: Int = 5', 'int: $x', {})).toEqual({ x: 5 })
    expect(coerce('$x: Int = 5', 'int: $x', { x: null })).toEqual({ x: null })
    expect(coerce('$x: Int', 'int: $x', {})).toEqual({})
    expect(JSON.stringify(coerce('$x: Filter', 'filter: $x', { x: {} }))).toBe(
      '{"x":{"size":3,"colour":"RED"}}',
    )
    expect(JSON.stringify(coerce('$x: Filter', 'filter: $x', { x: { colour: null } }))).toBe(
      '{"x":{"size":3,"colour":null}}',
    )
  })

  it.each<[string, string, Readonly<Record<string, unknown>>, RegExp]>([
    ['$x: Int!', 'int: $x', {}, /Variable "\$x" has invalid value: Expected a value of non-null type "Int!"/],
    ['$x: Int!', 'int: $x', { x: null }, /not to be null/],
    ['$x: Int', 'int: $x', { x: 'y' }, /Int cannot represent non-integer value/],
    ['$x: Int', 'int: $x', { x: 3_000_000_000 }, /32-bit/],
    ['$x: Colour', 'colour: $x', { x: 'HIDDEN' }, /does not exist in "Colour" enum/],
    ['$x: Filter', 'filter: $x', { x: { nope: 1 } }, /unknown field "nope"/],
    ['$x: Filter', 'filter: $x', { x: { secret: 1 } }, /unknown field "secret"/],
    ['$x: Filter', 'filter: $x', { x: [] }, /to be an object/],
    ['$x: Filter', 'filter: $x', JSON.parse('{"x":{"__proto__":1}}'), /unknown field "__proto__"/],
    ['$x: [Int!]', 'list: $x', { x: [1, null] }, /at "x\[1\]"|at "\[1\]"|\[1\]/],
    ['$x: Pick', 'pick: $x', { x: { a: 1, b: 2 } }, /[Ee]xactly one/],
  ])('of the type %s are refused when %s is given %j', (declared, used, raw, message) => {
    const error = refusal(() => coerce(declared, used, raw))
    expect(error).toMatchObject({ phase: 'variables', code: 'BAD_USER_INPUT' })
    expect(error.message).toMatch(message)
    expect(error.errors[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT' })
  })

  it('that decide on fields must be true or false', () => {
    const operation = prepareOperation(graph, {
      document: 'query ($x: Boolean = true) { me @include(if: $x) }',
    })
    expect(operation.coerceVariables(null).get('x')).toBe(true)
    expect(refusal(() => operation.coerceVariables({ x: null }))).toMatchObject({ phase: 'variables' })
  })
})

describe('plans', () => {
  it('differ between requests only by the variables of conditions', () => {
    const operation = prepareOperation(graph, {
      document: 'query ($a: Boolean!, $n: Int) { me @skip(if: $a) f(int: $n) }',
    })
    expect(operation.conditions).toEqual(['a'])
    const planFor = (raw: Readonly<Record<string, unknown>>) =>
      planOperation(operation, operation.coerceVariables(raw))
    const shown = planFor({ a: false, n: 1 })
    expect(shown.fetches[0]?.document).toContain('me')
    expect(planFor({ a: false, n: 2 })).toEqual(shown)
    expect(planFor({ a: true, n: 1 }).fetches[0]?.document).not.toContain('me')
  })
})
