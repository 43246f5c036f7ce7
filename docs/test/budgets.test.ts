/**
 * A folder of sources has at most 25 files of its own, so that a newcomer can read its list at one glance.
 *
 * The lint holds functions to 60 lines (`max-lines-per-function` in .oxlintrc.json, with the files that have
 * longer ones).
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

const MOST_FILES = 25

/** Folders that have more. One that has fewer leaves the list, and none is added. */
const NOT_YET: readonly string[] = [
  // One value a file, each a test case of the corpus.
  'shared/corpus/src/suites',
]

type Folder = { readonly path: string; readonly files: number }

function foldersBelow(path: string): readonly Folder[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).length
  const below = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  return [{ path, files }, ...below.flatMap(({ name }) => foldersBelow(`${path}/${name}`))]
}

const SOURCES = ['services', 'shared', 'infra'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => `${group}/${name}/src`)
    .filter((path) => readdirSync(join(ROOT, path, '..')).includes('src')),
)

it('no folder of sources has more than 25 files of its own, but for those that are listed', () => {
  const folders = SOURCES.flatMap(foldersBelow)
  expect(folders.length).toBeGreaterThan(100)
  const full = folders.filter(({ files }) => files > MOST_FILES)
  expect(full.map(({ path }) => path).toSorted()).toEqual(NOT_YET)
})
