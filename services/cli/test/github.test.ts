import { RandomRun } from '@switchyard/testkit'
import { assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compositionAnnotations } from '../src/output/annotations.ts'
import { printForGitHub } from '../src/output/github.ts'
import { readWorkflowCommands } from './workflow-commands.ts'

const HERE = { cwd: '/repository/services/shop', env: {} }
const NASTY = [
  'plain',
  '100% of it',
  '%0A is no line end, %25 neither, %3A and %2C',
  'two\nlines\r\nthree',
  'a: b, c: d',
  '::error::no',
  '\n::warning file=x::inner\n',
  '##[error]no',
  '',
  'ünïcode 🦆',
]

/** `SEED=… RUNS=… vitest run services/cli/test/github.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 100)

describe('annotations of GitHub Actions', () => {
  it.each(NASTY)('come out as they went in: %j', (text) => {
    const at = { file: text === '' ? 'x' : text, line: 3, column: 7, length: 5 }
    const output = printForGitHub(text, [{ level: 'error', title: text, message: text, at }], HERE)
    expect(readWorkflowCommands(output)).toEqual([
      {
        command: 'error',
        properties: { file: at.file, line: '3', col: '7', endColumn: '12', title: text },
        message: text,
      },
    ])
  })

  it('are not made of a text by what is taken out of it', () => {
    const text = ['\u001b::error::forged', '\u202e##[error]forged', ' \u009b::set-env name=A::b'].join('\n')
    expect(readWorkflowCommands(printForGitHub(text, [], HERE))).toEqual([])
  })

  it('come out as they went in, whatever the text', { timeout: RUN.timeout(60_000) }, () => {
    const text = string({
      unit: oneof(constantFrom('%', ':', ',', '=', '\n', '\r', '0', 'A', ' '), string()),
    })
    assert(
      property(text, text, text, (title, message, human) => {
        const output = printForGitHub(human, [{ level: 'warning', title, message }], HERE)
        expect(readWorkflowCommands(output)).toEqual([{ command: 'warning', properties: { title }, message }])
      }),
      RUN.parameters,
    )
  })

  it('name files from the root of the checkout', () => {
    const at = { file: 'a.graphql', line: 1, column: 1 }
    const fileOf = (file: string, workspace: string) => {
      const annotation = { level: 'error', title: 't', message: 'm', at: { ...at, file } } as const
      const output = printForGitHub('', [annotation], { ...HERE, env: { GITHUB_WORKSPACE: workspace } })
      return readWorkflowCommands(output)[0]?.properties['file']
    }
    expect(fileOf('a.graphql', '/repository')).toBe('services/shop/a.graphql')
    expect(fileOf('../b.graphql', '/repository')).toBe('services/b.graphql')
    expect(fileOf('/repository/c.graphql', '/repository')).toBe('c.graphql')
    expect(fileOf('/elsewhere/d.graphql', '/repository')).toBe('/elsewhere/d.graphql')
    expect(fileOf('a.graphql', '')).toBe('a.graphql')
  })

  it('leave text without commands alone', () => {
    expect(printForGitHub('one\ntwo :: three', [], HERE)).toBe('one\ntwo :: three\n')
    expect(printForGitHub('', [], HERE)).toBe('')
  })
})

describe('annotations of failed compositions', () => {
  const error = {
    code: 'INVALID_FIELD_SHARING',
    message: 'Non-shareable field',
    subgraphs: ['products', 'stock'],
    locations: [
      { subgraph: 'products', line: 2, column: 3 },
      { subgraph: 'stock', line: 5, column: 1 },
    ],
  }
  const failed = { graph: 'shop', featureFlag: null, failedBefore: false, errors: [error] }

  it('stand once in the file that is known, and name everything that is struck', () => {
    const annotations = compositionAnnotations(
      [failed, { ...failed, featureFlag: 'next' }],
      new Map([['stock', { file: 'stock.graphql' }]]),
    )
    expect(annotations).toEqual([
      {
        level: 'error',
        title: 'INVALID_FIELD_SHARING',
        message: 'Non-shareable field\nat subgraph products:2:3\nin shop, shop with flag next',
        at: { file: 'stock.graphql', line: 5, column: 1 },
      },
    ])
  })

  it('stand without a file when none is known, and are warnings when the failure is older', () => {
    expect(compositionAnnotations([{ ...failed, failedBefore: true }], new Map())).toEqual([
      {
        level: 'warning',
        title: 'INVALID_FIELD_SHARING',
        message: 'Non-shareable field\nat subgraph products:2:3\nat subgraph stock:5:1\nin shop',
      },
    ])
  })

  it('name the first of many flags only', () => {
    const flags = ['a', 'b', 'c', 'd', 'e'].map((featureFlag) => ({ ...failed, featureFlag }))
    const [annotation] = compositionAnnotations([failed, ...flags, { ...failed, graph: 'x' }], new Map())
    expect(annotation?.message).toMatch(/\nin shop, shop with 5 flags \(a, b, c, d, …\), x$/)
  })
})
