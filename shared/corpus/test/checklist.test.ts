/** Holds the table of features in README.md, and the wall between the oracle and the engine. */
import { readdirSync, readFileSync } from 'node:fs'
import { buildSchema, getNullableType, isListType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { Suite } from '../src/harness/suite.ts'
import { SUITES } from '../src/suites/index.ts'

const PACKAGE = new URL('../', import.meta.url)
const KINDS = ['plain', 'fragments', 'aliases', 'conditions', 'errors', 'lists'] as const
type Kind = (typeof KINDS)[number]

type Row = { readonly feature: string; readonly suites: readonly string[] }

const rows = readRows()

describe('every feature of the table', () => {
  it('is there, with suites of its own', () => {
    expect(rows.length).toBeGreaterThanOrEqual(46)
    const named = rows.flatMap(({ suites }) => suites)
    expect(new Set(named).size).toBe(named.length)
  })

  it.each(rows)('has operations of every kind: $feature', ({ suites }) => {
    const found = suites.map((name) => SUITES.find((suite) => suite.name === name) ?? name)
    expect(found.filter((suite) => typeof suite === 'string')).toEqual([])
    const operations = found.flatMap((suite) => (typeof suite === 'string' ? [] : kindsOf(suite)))
    expect(operations.length).toBeGreaterThanOrEqual(6)
    expect(KINDS.filter((kind) => !operations.some((kinds) => kinds.has(kind)))).toEqual([])
  })
})

describe('the expected answers', () => {
  it('are made without the engine', () => {
    const suites = readdirSync(new URL('src/suites/', PACKAGE)).map(
      (file) => new URL(`src/suites/${file}`, PACKAGE),
    )
    const oracle = importsOf([
      new URL('test/oracle.test.ts', PACKAGE),
      new URL('src/harness/monolith.ts', PACKAGE),
      ...suites,
    ])
    expect(oracle.some((path) => path.endsWith('/harness/subgraph-behaviour.ts'))).toBe(true)
    expect(
      oracle.filter((path) => path.includes('/shared/engine/src/') || path === '@switchyard/engine'),
    ).toEqual([])
  })

  it('would not pass a test that reads them from the engine', () => {
    const engine = importsOf([new URL('src/harness/run-engine.ts', PACKAGE)])
    expect(engine).toContain('@switchyard/engine')
  })
})

function readRows(): readonly Row[] {
  const readme = readFileSync(new URL('README.md', PACKAGE), 'utf8')
  return readme.split('\n').flatMap((line) => {
    const [, feature, suites] = /^\| (.+?) +\| (`.+`) +\|$/.exec(line) ?? []
    if (feature === undefined || suites === undefined) return []
    return [{ feature, suites: [...suites.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) }]
  })
}

/** What each operation of a suite shows. Plain: nothing but fields and arguments, and no failure. */
function kindsOf(suite: Suite): readonly ReadonlySet<Kind>[] {
  const schema = buildSchema(suite.monolith)
  return suite.operations.map(({ query, errors }) => {
    const kinds = new Set<Kind>(errors === undefined ? [] : ['errors'])
    let lists = false
    const types = new TypeInfo(schema)
    const visitor = {
      InlineFragment: () => void kinds.add('fragments'),
      FragmentSpread: () => void kinds.add('fragments'),
      Directive: () => void kinds.add('conditions'),
      Field: ({ alias }: { readonly alias?: unknown }) => {
        if (alias !== undefined) kinds.add('aliases')
        const type = types.getType()
        lists ||= type !== undefined && isListType(getNullableType(type))
      },
    }
    visit(parse(query), visitWithTypeInfo(types, visitor))
    if (kinds.size === 0) kinds.add('plain')
    return lists ? kinds.add('lists') : kinds
  })
}

/** Every module that these modules load, by path, and packages by name. Types are no code. */
function importsOf(roots: readonly URL[]): readonly string[] {
  const seen = new Set<string>()
  const visitModule = (url: URL) => {
    if (seen.has(url.pathname)) return
    seen.add(url.pathname)
    const text = readFileSync(url, 'utf8')
    for (const [, names = '', from = ''] of text.matchAll(/^import ([^'"]*?from )?'([^']+)'/gms)) {
      if (names.startsWith('type ')) continue
      if (from.startsWith('.')) visitModule(new URL(from, url))
      else seen.add(from)
    }
  }
  for (const root of roots) visitModule(root)
  return [...seen]
}
