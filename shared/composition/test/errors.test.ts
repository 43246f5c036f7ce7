import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { eventErrors } from './errors/event-errors.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { invalidGraphql } from './errors/invalid-graphql.ts'
import { mergeErrors } from './errors/merge-errors.ts'
import { ownErrors } from './errors/own-errors.ts'
import { subgraphErrors } from './errors/subgraph-errors.ts'
import { unreachable } from './errors/unreachable.ts'
import type { ErrorSet } from './errors/error-set.ts'
import { composeSdls, expectFailed } from './subgraph-fixtures.ts'

const UNRELATED = { unrelated: 'type Query { unrelated: Unrelated } type Unrelated { value: Int }' }

const TABLES = { subgraphErrors, invalidGraphql, eventErrors, mergeErrors, ownErrors, unreachable }

describe.each(Object.entries(TABLES))('%s', (_name, sets) => {
  it.each(sets)('$code: $name', (set) => {
    expectErrors(set)
  })
})

function expectErrors(set: ErrorSet): void {
  const { sdls, marks } = readMarks(set)
  const inputs = { ...sdls, ...(set.alone === true ? {} : UNRELATED) }
  const errors = expectFailed(composeSdls(inputs, set))
  expect(errors.map(({ code }) => code)).toEqual(Array(set.errors ?? 1).fill(set.code))
  const places = new Map(errors.flatMap(placesOf).map((place) => [JSON.stringify(place), place]))
  expect([...places.values()].sort(byText)).toEqual([...marks].sort(byText))
  for (const error of errors) {
    expect(error.message).not.toMatch(/unrelated|undefined|object Object/)
    expect(error.message).toContain(set.says ?? '')
    expect(error.subgraphs).toEqual([...new Set(error.locations.map(({ subgraph }) => subgraph))].sort())
  }
}

describe('the table of errors', () => {
  it('has every code that the composition library knows, or says why it cannot come', async () => {
    const shown = new Set(
      [...subgraphErrors, ...mergeErrors, ...ownErrors, ...unreachable].map(({ code }) => code),
    )
    const known = await readLibraryCodes()
    expect(known.size).toBeGreaterThan(70)
    expect([...known].filter((code) => !shown.has(code)).sort()).toEqual(Object.keys(CANNOT_COME).sort())
  })
})

const CONTEXT = 'contexts are refused before anything is composed'
const CANNOT_COME: Readonly<Record<string, string>> = {
  CONTEXTUAL_ARGUMENT_NOT_CONTEXTUAL_IN_ALL_SUBGRAPHS: CONTEXT,
  CONTEXT_INVALID_SELECTION: CONTEXT,
  CONTEXT_NAME_INVALID: CONTEXT,
  CONTEXT_NOT_SET: CONTEXT,
  CONTEXT_NO_RESOLVABLE_KEY: CONTEXT,
  DIRECTIVE_COST_INVALID_WEIGHT: 'what is no number is refused by the rules of GraphQL',
  INVALID_SUBGRAPH_NAME: 'a subgraph may have any name',
  NO_CONTEXT_IN_SELECTION: CONTEXT,
  UNSUPPORTED_FEATURE: 'a directive that the version does not have is refused as an import',
}

/** Every `code: "…"` in the library's text. */
async function readLibraryCodes(): Promise<ReadonlySet<string>> {
  const folder = dirname(fileURLToPath(import.meta.resolve('@theguild/federation-composition')))
  const codes = new Set<string>()
  for await (const file of glob('**/*.js', { cwd: folder })) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [, code = ''] of text.matchAll(/code: ["']([A-Z_]+)["']/g)) codes.add(code)
  }
  return codes
}
