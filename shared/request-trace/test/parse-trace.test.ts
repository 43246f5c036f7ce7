import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  fetchesOf,
  parseTrace,
  printTraceJsonSchema,
  readTrace,
  readTracedResponse,
  type Trace,
  TraceInvalidError,
  traceJsonSchema,
} from '../src/index.ts'

const NOT_LOADED = { single_flight_used: false, single_flight_shared_response: false, load_skipped: false }
const PRODUCTS = { kind: 'Single', path: '', source_id: 'products', source_name: 'products' } as const

/** As small as a trace gets: all that can be left out is. */
const SMALLEST: Trace = {
  version: '1',
  info: { trace_start_time: '', trace_start_unix: 0 },
  composition: { feature_flag: null, reason: 'none', artifact: 'a'.repeat(64), revision: 3 },
  fetches: { kind: 'Sequence', children: [] },
  request: {
    method: 'POST',
    url: 'http://localhost:4000/graphql',
    headers: { 'content-type': 'application/json' },
    body: { query: '{ a }', operationName: null, variables: null },
  },
}

function withFetches(children: Trace['fetches']['children']): Trace {
  return { ...SMALLEST, fetches: { kind: 'Sequence', children } }
}

function problemsOf(value: unknown): readonly string[] {
  try {
    parseTrace(value)
  } catch (error) {
    if (error instanceof TraceInvalidError) return [error.message, ...error.problems]
    throw error
  }
  return []
}

describe('reading a trace', () => {
  it('takes one from which everything is left out that an argument can leave out', () => {
    expect(parseTrace(SMALLEST)).toEqual(SMALLEST)
  })

  it('takes the trace of a whole response', () => {
    expect(parseTrace({ data: null, extensions: { trace: SMALLEST, other: 1 } })).toEqual(SMALLEST)
  })

  it('takes the last part with a trace of a deferred response that curl saved', () => {
    const part = (value: object) =>
      `--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`
    const early = { ...SMALLEST, warnings: ['early'] }
    const body = [
      part({ data: {}, extensions: { trace: early }, hasNext: true }),
      part({ incremental: [], hasNext: true }),
      part({ hasNext: false, extensions: { trace: SMALLEST } }),
    ].join('')
    expect(readTrace(`\r\n${body}--graphql--\r\n`)).toEqual(SMALLEST)
    expect(readTrace(`${part({ data: {}, extensions: { trace: early } })}--graphql--`)).toEqual(early)
  })

  it('takes what curl --include saved, with the heads of proxies', () => {
    const head =
      'HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200 \r\ncontent-type: application/json\r\n\r\n'
    const answer = JSON.stringify({ data: {}, extensions: { trace: SMALLEST } })
    expect(readTrace(head + answer)).toEqual(SMALLEST)
    expect(
      readTrace(`${head}\r\n--graphql\r\nContent-Type: application/json\r\n\r\n${answer}\r\n--graphql--\r\n`),
    ).toEqual(SMALLEST)
    expect(() => readTrace(head)).toThrow(/^The file is no JSON: /)
    expect(() => readTrace('HTTP/1.1 200 OK')).toThrow(/^The file is no JSON: /)
    const many = `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(5_000_000)}`
    expect(() => readTrace(many)).toThrow(/^The file is no JSON: /)
    expect(readTrace(`${many}\r\n${answer}`)).toEqual(SMALLEST)
  })

  it('tells what the client was answered, if the file says it in one piece', () => {
    const answer = { data: { a: 1 }, errors: [{ message: 'b' }] }
    const response = { ...answer, extensions: { trace: SMALLEST } }
    expect(readTracedResponse(JSON.stringify(response)).answer).toEqual(answer)
    expect(readTracedResponse(JSON.stringify(SMALLEST))).not.toHaveProperty('answer')
    expect(readTracedResponse(`--x\n\n${JSON.stringify(response)}\n--x--`)).not.toHaveProperty('answer')
    const deep = '['.repeat(600) + ']'.repeat(600)
    const text = `{"data": ${deep}, "extensions": {"trace": ${JSON.stringify(SMALLEST)}}}`
    expect(readTracedResponse(text)).not.toHaveProperty('answer')
  })

  it('says that a response has none', () => {
    expect(problemsOf({ data: { a: 1 } })).toEqual([expect.stringContaining('no extensions.trace')])
    expect(() => readTrace('--x\n\n{"data":1}\n--x--')).toThrow('None of the 1 parts')
  })

  it('says where text is no JSON', () => {
    expect(() => readTrace('<html>')).toThrow(/^The file is no JSON: /)
    expect(() => readTrace('--x\n\n{}\n--x\n\n{\n--x--')).toThrow(/^Part 2 of the response is no JSON: /)
  })

  it('refuses members that it does not know, and says where they are', () => {
    expect(problemsOf({ ...SMALLEST, info: { ...SMALLEST.info, secret: 1 } })).toEqual([
      'This is no trace of version "1".',
      'info: Unrecognized key: "secret"',
    ])
  })

  it('names the path inside the plan, also through the forms that a member may have', () => {
    const input = { method: 'POST', url: 7, headers: {}, body: {} }
    const fetch = { ...PRODUCTS, trace: { ...NOT_LOADED, input } }
    const trace = { ...SMALLEST, fetches: { kind: 'Sequence', children: [{ kind: 'Single', fetch }] } }
    expect(problemsOf(trace)[1]).toBe(
      'fetches.children.0.fetch.trace.input.url: Invalid input: expected string, received number',
    )
  })

  it('refuses another version', () => {
    expect(problemsOf({ ...SMALLEST, version: '2' })[1]).toBe('version: Invalid input: expected "1"')
  })

  it('refuses a fetch that waits for one after it', () => {
    const fetch = { ...PRODUCTS, trace: NOT_LOADED }
    const trace = withFetches([
      { kind: 'Single', fetch: { ...fetch, depends_on: [1] } },
      { kind: 'Single', fetch },
    ])
    expect(problemsOf(trace)[1]).toBe(
      'fetch 0 (products): depends_on holds 1; expected the number of a fetch before it',
    )
  })

  it('refuses what nests too deeply, instead of failing on it', () => {
    const depth = 200_000
    const text = JSON.stringify(SMALLEST).replace(
      '"variables":null',
      `"variables":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    )
    expect(() => readTrace(text)).toThrow('nests more than 500 levels deep')
  })

  it('numbers the fetches in the order of the plan', () => {
    const single = (source_name: string) => ({
      kind: 'Single' as const,
      fetch: { ...PRODUCTS, source_name, trace: NOT_LOADED },
    })
    const trace = withFetches([
      single('a'),
      { kind: 'Parallel', children: [single('b'), single('c')] },
      single('d'),
    ])
    expect(fetchesOf(parseTrace(trace)).map(({ source_name }) => source_name)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('docs/trace.schema.json', () => {
  it('is the shape as it is (written by `node shared/request-trace/src/main.ts`)', () => {
    const file = new URL('../../../docs/trace.schema.json', import.meta.url)
    expect(readFileSync(file, 'utf8')).toBe(printTraceJsonSchema())
  })
})

describe('docs/tracing.md', () => {
  it('explains every member', () => {
    const page = readFileSync(new URL('../../../docs/tracing.md', import.meta.url), 'utf8')
    const names = new Set(propertyNames(traceJsonSchema()))
    expect(names.size).toBeGreaterThan(60)
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

function propertyNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner) : []),
    ...propertyNames(inner),
  ])
}
