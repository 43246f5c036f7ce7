/**
 * Two folders of sources point one way: if files of one import files of the other, no file of the other
 * imports one of the first. A folder and the folders in it are two folders, too.
 *
 * Folders that import each other can only be understood together, and none of them can be moved alone. The
 * check of `make lint` finds circles of files only, of which there need be none between such folders. Longer
 * circles of folders are found, too.
 *
 * To cut a circle, move what both folders need into a folder below them, move a type to its mechanism, or let
 * a function take the few values that it reads instead of a type of the folder above.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

type Source = { readonly path: string; readonly text: string }

function sourcesBelow(folder: string): readonly Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesBelow(path)
    return entry.name.endsWith('.ts') ? [{ path, text: readFileSync(join(ROOT, path), 'utf8') }] : []
  })
}

/** Sources of all packages that users run or tests use. Tools in infra/ are programs of their own. */
const PACKAGES = ['services', 'shared'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => `${group}/${name}`)
    .filter((path) => readdirSync(join(ROOT, path)).includes('src')),
)

/** Folders by the folder that imports them. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const IMPORT = /(?:\bfrom |\bimport |\bimport\()'(\.[^']*)'/g

function arrowsBetween(sources: readonly Source[]): Arrows {
  const arrows = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    const from = dirname(path)
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const to = dirname(join(from, imported))
      if (to !== from) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
  }
  return arrows
}

/** Returns a shortest way back along an arrow, from its end to its beginning. Null if there is none. */
function wayBack(arrows: Arrows, from: string, to: string): readonly string[] | null {
  const ways = [[to]]
  const seen = new Set([to])
  for (const way of ways) {
    const last = way.at(-1) ?? ''
    if (last === from) return way
    for (const next of arrows.get(last) ?? []) {
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return null
}

/** Returns the shortest circle through each arrow, once, as the folders that it joins. */
function circlesIn(sources: readonly Source[]): readonly string[] {
  const arrows = arrowsBetween(sources)
  const circles = [...arrows].flatMap(([from, ends]) =>
    [...ends].flatMap((to) => {
      const way = wayBack(arrows, from, to)
      return way === null ? [] : [way.toSorted().join(' <-> ')]
    }),
  )
  return [...new Set(circles)].toSorted()
}

it('no two folders import each other, nor do more in a circle', () => {
  const circles = PACKAGES.flatMap((path) => circlesIn(sourcesBelow(`${path}/src`)))
  expect(PACKAGES.length).toBeGreaterThan(20)
  expect(circles.toSorted()).toEqual([])
})

it('finds a folder and its child, neighbours, and longer circles, and nothing else', () => {
  const sources = [
    { path: 'a/start.ts', text: "import { b } from './b/b.ts'\nimport { c } from './c/c.ts'\n" },
    { path: 'a/b/b.ts', text: "import type { Start } from '../start.ts'\n" },
    { path: 'a/c/c.ts', text: "export { d } from '../d/d.ts'\n" },
    { path: 'a/d/d.ts', text: "export const e = () => import('../e/e.ts')\n" },
    {
      path: 'a/e/e.ts',
      text: "import '../c/side-effects.ts'\nimport { Client } from '@switchyard/client'\n",
    },
    { path: 'a/c/side-effects.ts', text: '' },
  ]
  expect(circlesIn(sources)).toEqual(['a <-> a/b', 'a/c <-> a/d <-> a/e'])
})
