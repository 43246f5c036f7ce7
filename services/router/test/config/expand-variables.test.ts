import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadRouterConfig, RouterConfigError } from '../../src/config/router-config.ts'

function load(text: string, env: Record<string, string> = {}) {
  return loadRouterConfig({ env, file: { path: 'router.yaml', text } })
}

function problems(text: string, env: Record<string, string> = {}): readonly string[] {
  try {
    load(text, env)
  } catch (error) {
    if (error instanceof RouterConfigError) return error.problems
    throw error
  }
  return []
}

/** What a header rule sends that is made of `text`, an expression with variables. */
function sent(text: string, env: Record<string, string>): unknown {
  return load(`headers: { request: [{ set: x-a, value: "${text}" }] }`, env).headers.all[0]
}

describe('variables of the environment in a settings file', () => {
  it('stand for numbers, switches, durations and texts, alone or as a part', () => {
    const text = [
      'port: ${PORT}',
      'base_path: /${STAGE}/api',
      'introspection: { enabled: "${INTROSPECTION}" }'.replaceAll('"', ''),
      'subgraphs:',
      '  timeout: ${SECONDS}s',
      '  allowed_networks: ["${NETWORK}", public]',
    ].join('\n')
    const quoted = text.replace('{ enabled: ${INTROSPECTION} }', '\n  enabled: ${INTROSPECTION}')
    const env = { PORT: '4005', STAGE: 'blue', INTROSPECTION: 'false', SECONDS: '7', NETWORK: '10.0.0.0/8' }
    expect(load(quoted, env)).toMatchObject({
      port: 4005,
      basePath: '/blue/api',
      introspection: false,
      subgraphs: { all: { timeout: 7000 }, allowedNetworks: ['10.0.0.0/8', 'public'] },
    })
  })

  it('give way to a default where they are unset, or set to nothing', () => {
    expect(load('port: ${PORT:-4007}').port).toBe(4007)
    expect(load('port: ${PORT:-4007}', { PORT: '' }).port).toBe(4007)
    expect(load('port: ${PORT:-4007}', { PORT: '4008' }).port).toBe(4008)
    expect(load('base_path: ${PREFIX:-}').basePath).toBe('')
    expect(sent('${A:-http://a.example:1/?b}', {})).toEqual({ set: 'x-a', value: 'http://a.example:1/?b' })
  })

  it('are written $${ where the characters themselves are meant', () => {
    expect(sent('$${A} costs $5 {x}', { A: 'no' })).toEqual({ set: 'x-a', value: '${A} costs $5 {x}' })
  })

  it('are not looked for in what they hold, nor in keys', () => {
    expect(sent('${A}', { A: '${B}', B: 'no' })).toEqual({ set: 'x-a', value: '${B}' })
    expect(problems('"${A}": 1', { A: 'port' })).toEqual([expect.stringMatching(/unknown setting "\$\{A\}"/)])
  })

  it('are numbers or switches only without quotation marks, as all values are', () => {
    expect(problems('port: "${PORT}"', { PORT: '4005' })).toEqual([
      'router.yaml:1: "port": Invalid input: expected number, received string (the value is made from PORT)',
    ])
    expect(sent('${A}', { A: '007' })).toEqual({ set: 'x-a', value: '007' })
  })

  it('must be set, or have a default', () => {
    expect(problems('port: 4000\nbase_path: /${STAGE}\n')).toEqual([
      'router.yaml:2: the variable STAGE is not set: expected it in the environment, or a default, as in ${STAGE:-value}',
    ])
  })

  it.each(['${}', '${1}', '${a b}', '${A', '${A-b}', 'x ${', '${A:b}'])('are refused as %s', (text) => {
    expect(problems(`base_path: '${text}'`, { A: 'a' })).toEqual([
      expect.stringMatching(/^router\.yaml:1: a "\$\{" is followed by no name of a variable and "\}"/),
    ])
  })

  it('are named by the problem of a value that is made from them', () => {
    expect(problems('subgraphs:\n  timeout: ${A}${B}\n', { A: '5', B: 'x' })).toEqual([
      'router.yaml:2: "subgraphs.timeout": expected a duration such as 500ms, 30s or 10m (the value is made from A and B)',
    ])
  })

  it('add nothing to the file but one value, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        const found = problems('flags:\n  cookie: ${A}\nport: 4005\n', { A: value })
        if (value === 'true' || value === 'false') expect(found).toEqual([])
        else {
          expect(found).toHaveLength(1)
          const wrong = value === '' ? 'the variable A is not set' : '"flags.cookie": '
          expect(found[0]).toContain(`router.yaml:2: ${wrong}`)
        }
      }),
    )
    for (const value of ['true\nport: 1', 'true # no', '{ a: 1 }', '[1]', '*a', '&a true', '!!str x', '- 1'])
      expect(problems('flags:\n  cookie: ${A}\n', { A: value })).toHaveLength(1)
  })
})
