/** No page holds what Git writes where it could not merge. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MARKER = /^(?:<{7}|>{7}) \S/m

it('no page has the marks of a conflict that nobody resolved', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|json)$/.test(name))
    .map((name) => join('docs', name))
  const marked = ['README.md', 'CHANGELOG.md', ...pages].filter((page) =>
    MARKER.test(readFileSync(join(ROOT, page), 'utf8')),
  )
  expect(marked).toEqual([])
})
