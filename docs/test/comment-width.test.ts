/** Comments keep to the width of the code, which the formatter holds; comments it leaves as they are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['services', 'shared', 'infra', 'docs', 'scripts']
/** Columns; `lineWidth` of biome.json. */
const WIDTH = 110
const COMMENT = /^\s*(?:\/\/|\/\*)|^\s+\*(?=\s|\/)/
/** Read by tools, of which each wants its own on one line. */
const DIRECTIVE = /oxlint-disable|@ts-expect-error|@__PURE__/

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (entry.isDirectory()) return name === 'node_modules' ? [] : sources(join(folder, name))
    return name.endsWith('.ts') ? [join(ROOT, folder, name)] : []
  })
}

function wideComments(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    line.length > WIDTH && COMMENT.test(line) && !DIRECTIVE.test(line)
      ? [`${relative(ROOT, path)}:${index + 1}`]
      : [],
  )
}

it('no comment is wider than the code', () => {
  const files = FOLDERS.flatMap(sources)
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap(wideComments)).toEqual([])
})
