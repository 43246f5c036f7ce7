/** Row by row: who gets a trace, and what of it. */
import type { IncomingHttpHeaders } from 'node:http'
import { TRACE_EXCLUSIONS, type Jwks } from '@switchyard/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  createTraceGate,
  type TraceGateSettings,
  traceTokenInvalid,
  type TraceVerdict,
} from '../../src/tracing/trace-gate.ts'
import { AUDIENCE, goodClaims, newTestKey, NOW, signed, type TestKey } from './trace-tokens.ts'

const SETTINGS: TraceGateSettings = {
  enabled: true,
  devMode: false,
  forceUnauthenticated: false,
  vendor: 'VENDOR',
}
const EVERYTHING = {
  rawInputData: true,
  input: true,
  output: true,
  loadStats: true,
  plannerStats: true,
  parseStats: true,
  normalizeStats: true,
  validateStats: true,
  predictableTimings: false,
}
const OFF = { kind: 'off' }
const FULL = { kind: 'trace', arguments: EVERYTHING, warnings: [] }
const ASKED = { 'x-vendor-trace': 'true' }

let key: TestKey
let keys: Jwks
let good: IncomingHttpHeaders
beforeAll(async () => {
  key = await newTestKey('k1')
  keys = { keys: [key.publicJwk] }
  good = { 'x-vendor-token': signed(key) }
})

function admit(
  headers: IncomingHttpHeaders,
  search = '',
  settings: Partial<TraceGateSettings> = {},
  known = keys,
): TraceVerdict | Promise<TraceVerdict> {
  const gate = createTraceGate({ ...SETTINGS, ...settings }, () => NOW)
  return gate.admit({ headers, search, keys: known, audience: AUDIENCE })
}

/** Of a request that nobody has to allow. */
function asked(value: string, search = ''): TraceVerdict | Promise<TraceVerdict> {
  return admit(value === '' ? {} : { 'x-vendor-trace': value }, search, { devMode: true })
}

describe('the gate', () => {
  it('is shut when tracing is switched off, whatever else is set or sent', async () => {
    for (const more of [{}, { devMode: true }, { forceUnauthenticated: true }])
      for (const headers of [ASKED, { ...ASKED, ...good }, { ...ASKED, 'x-vendor-token': 'garbage' }])
        expect(await admit(headers, 'vendor_trace=true', { ...more, enabled: false })).toEqual(OFF)
  })

  it('is open in dev mode, and looks at no token', async () => {
    for (const headers of [ASKED, { ...ASKED, 'x-vendor-token': 'garbage' }])
      expect(await admit(headers, '', { devMode: true }, { keys: [] })).toEqual(FULL)
  })

  it('is open when that is forced, and looks at no token', async () => {
    for (const headers of [ASKED, { ...ASKED, 'x-vendor-token': 'garbage' }])
      expect(await admit(headers, '', { forceUnauthenticated: true }, { keys: [] })).toEqual(FULL)
  })

  it('is open to a valid token', async () => {
    expect(await admit({ ...ASKED, ...good })).toEqual(FULL)
    expect(await admit(good, 'vendor_trace=true')).toEqual(FULL)
  })

  it('leaves out what the token excludes, whatever was asked for, and what was asked to be left out', async () => {
    const token = signed(key, goodClaims({ exclude: ['output', 'load_stats'] }))
    const headers = { 'x-vendor-trace': 'true, exclude_input', 'x-vendor-token': token }
    expect(await admit(headers)).toEqual({
      kind: 'trace',
      arguments: { ...EVERYTHING, output: false, loadStats: false, input: false },
      warnings: [],
    })
  })

  it('lets requests without a token pass, without a trace', async () => {
    expect(await admit(ASKED)).toEqual(OFF)
    expect(await admit({}, 'vendor_trace=true')).toEqual(OFF)
    expect(await admit(ASKED, '', {}, { keys: [] })).toEqual(OFF)
  })

  it('refuses a token that is no good', async () => {
    for (const token of [
      'garbage',
      '',
      'x'.repeat(5000),
      signed(key, goodClaims({ aud: 'default/other' })),
    ]) {
      expect(await admit({ ...ASKED, 'x-vendor-token': token })).toEqual({
        kind: 'refused',
        message: expect.stringMatching(/^The trace token is not valid\. /),
      })
    }
  })

  it('refuses every token while it knows no key', async () => {
    const verdict = await admit({ ...ASKED, ...good }, '', {}, { keys: [] })
    expect(verdict).toEqual({ kind: 'refused', message: expect.stringContaining('knows no key') })
  })

  it('refuses two tokens, as Node.js gives them', async () => {
    const token = String(good['x-vendor-token'])
    for (const two of [`${token}, ${token}`, [token, token]])
      expect(await admit({ ...ASKED, 'x-vendor-token': two })).toMatchObject({ kind: 'refused' })
  })

  it('looks at no token when no trace is asked for', async () => {
    for (const value of ['', 'false', ' , '])
      expect(await admit({ 'x-vendor-trace': value, 'x-vendor-token': 'garbage' })).toEqual(OFF)
    expect(await admit({ 'x-vendor-token': 'garbage' })).toEqual(OFF)
    expect(await admit({ ...ASKED, 'x-vendor-token': 'garbage' }, 'vendor_trace=false')).toEqual(OFF)
  })

  it('answers at once, with the same object, whoever does not ask', () => {
    const gate = createTraceGate(SETTINGS)
    const question = {
      headers: { accept: '*/*' },
      search: 'query=%7Ba%7D&x=vendor_trace',
      keys,
      audience: AUDIENCE,
    }
    const verdict = gate.admit(question)
    expect(verdict).toEqual(OFF)
    expect(gate.admit(question)).toBe(verdict)
  })

  it('is answered as 401 with a code of its own', () => {
    const error = traceTokenInvalid({ kind: 'refused', message: 'Because.' })
    expect(error).toMatchObject({ status: 401, code: 'TRACE_TOKEN_INVALID', message: 'Because.' })
    expect(error.headers['WWW-Authenticate']).toBeDefined()
  })
})

describe('asking for a trace', () => {
  it('is done with true, in any case, alone or beside arguments', async () => {
    for (const value of ['true', ' TRUE ', 'true,true', 'true,', ',true'])
      expect(await asked(value)).toEqual(FULL)
    expect(await asked('true, exclude_output')).toEqual(await asked('exclude_output'))
  })

  it('is not done with false, in any case, nor with nothing, also beside other words', async () => {
    for (const value of ['', 'false', 'False', ',', ' , ,', 'true, false', 'false,exclude_output'])
      expect(await asked(value)).toEqual(OFF)
  })

  it.each(TRACE_EXCLUSIONS)('with exclude_%s leaves exactly that out', async (name) => {
    const part = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(Object.keys(EVERYTHING)).toContain(part)
    const expected = { ...FULL, arguments: { ...EVERYTHING, [part]: false } }
    expect(await asked(`exclude_${name}`)).toEqual(expected)
    expect(await asked('', `vendor_trace=exclude_${name}`)).toEqual(expected)
  })

  it('with enable_predictable_debug_timings makes times constant, and keeps everything', async () => {
    const expected = { ...FULL, arguments: { ...EVERYTHING, predictableTimings: true } }
    expect(await asked('enable_predictable_debug_timings')).toEqual(expected)
  })

  it('adds up several headers and several parameters', async () => {
    const expected = { ...FULL, arguments: { ...EVERYTHING, input: false, output: false } }
    expect(await asked('exclude_input, exclude_output')).toEqual(expected)
    expect(await asked('', 'vendor_trace=exclude_input&query=%7Ba%7D&vendor_trace=exclude_output')).toEqual(
      expected,
    )
    expect(await asked('', 'vendor_trace=exclude_input%2C+exclude_output')).toEqual(expected)
    const headers = { 'x-vendor-trace': ['exclude_input', 'exclude_output'] }
    expect(await admit(headers, '', { devMode: true })).toEqual(expected)
  })

  it('by parameter wins over the header, in both directions', async () => {
    expect(await asked('true', 'vendor_trace=false')).toEqual(OFF)
    expect(await asked('true', 'vendor_trace=')).toEqual(OFF)
    expect(await asked('true', 'vendor_trace')).toEqual(OFF)
    expect(await asked('false', 'vendor_trace=true')).toEqual(FULL)
    expect(await asked('exclude_input', 'vendor_trace=true')).toEqual(FULL)
  })

  it('finds the parameter wherever it stands and however it is written, and no other', async () => {
    for (const search of [
      'a=1&vendor_trace=true',
      'a&&vendor_trace=true&b',
      'vendor%5Ftrace=true',
      '%76endor_trace=true',
      'a=%&vendor_trace=true',
    ])
      expect(await asked('', search), search).toEqual(FULL)
    for (const search of [
      'xvendor_trace=true',
      'vendor_tracex=true',
      'a=vendor_trace=true',
      'a=b;vendor_trace=true',
      'VENDOR_TRACE=true',
      'vendor_trac%65x=true',
      'query=vendor_trace%3Dtrue',
    ])
      expect(await asked('', search), search).toEqual(OFF)
  })

  it('ignores arguments that there are not, and names them in the trace', async () => {
    const verdict = await asked('exclude_everything, exclude_output, exclude_everything')
    expect(verdict).toEqual({
      kind: 'trace',
      arguments: { ...EVERYTHING, output: false },
      warnings: ['There is no trace argument "exclude_everything": it was ignored.'],
    })
    expect(await asked('__proto__, constructor')).toMatchObject({ arguments: EVERYTHING })
  })

  it.each([
    ['exclude_"all"', String.raw`"exclude_\"all\""`],
    ['a%0D%0Ab%1B[2J', String.raw`"a\r\nb\u001b[2J"`],
    ['%E2%80%AEdesrever', String.raw`"\u202edesrever"`],
    ['%F3%A0%81%81tag', String.raw`"\udb40\udc41tag"`],
    [`exclude_${'x'.repeat(52)}`, `"exclude_${'x'.repeat(52)}"`],
    [`exclude_${'x'.repeat(53)}`, `"exclude_${'x'.repeat(12)}…" (61 characters)`],
  ])('names the argument %s so that it can be read', async (argument, named) => {
    expect(await asked('', `vendor_trace=${argument}`)).toMatchObject({
      warnings: [`There is no trace argument ${named}: it was ignored.`],
    })
  })

  it('repeats little of what a client makes up', async () => {
    const words = Array.from({ length: 500 }, (_, index) => `${index}${'x'.repeat(1000)}`)
    const verdict = await asked(words.join(','))
    if (verdict.kind !== 'trace') throw new Error('no trace')
    expect(verdict.warnings).toHaveLength(11)
    expect(verdict.warnings.at(-1)).toBe('490 further arguments that do not exist were ignored.')
    expect(JSON.stringify(verdict.warnings).length).toBeLessThan(3000)
  })

  it('goes by the operator’s own name, and only by that', async () => {
    const settings = { vendor: 'acme', devMode: true }
    expect(await admit({ 'x-acme-trace': 'true' }, '', settings)).toEqual(FULL)
    expect(await admit({}, 'acme_trace=true', settings)).toEqual(FULL)
    expect(await admit({ 'x-vendor-trace': 'true' }, 'vendor_trace=true', settings)).toEqual(OFF)
    const headers = { 'x-acme-trace': 'true', 'x-acme-token': String(good['x-vendor-token']) }
    expect(await admit(headers, '', { vendor: 'ACME' })).toEqual(FULL)
    expect(await admit({ ...headers, 'x-acme-token': 'x' }, '', { vendor: 'ACME' })).toMatchObject({
      kind: 'refused',
    })
  })
})
