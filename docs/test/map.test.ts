/** A stranger finds every page: README.md is short, and docs/README.md lists each page of docs/ once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

const MAP = 'README.md'
const MOST_LINES = 120

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

it('docs/README.md lists every page of docs/ exactly once', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== MAP)
  const listed = [...read('docs/README.md').matchAll(/^\* \[[^\]]+\]\(([\w-]+\.md)\): /gm)]
  expect(listed.map(([, page]) => page).toSorted()).toEqual(pages.toSorted())
})

it('README.md leads to the map, and has at most 120 lines', () => {
  const page = read('README.md')
  expect(page).toContain('](docs/README.md)')
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES)
})
