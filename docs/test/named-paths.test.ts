/** Files and folders that the pages name in their text exist, like those in links and tables. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
/** A page may name a path from the checkout, or from the sources of the package that it describes. */
const BASES = ['.', ...globSync('{services,shared,infra}/*/src', { cwd: ROOT })]
/** Words that look like paths: media types, protocols of OTLP, a file that routers serve, and images. */
const NO_PATHS =
  /^(?:text\/(?:plain|html|event-stream)|http\/(?:protobuf|json)|playground\/state\.json|switchyard\/[a-z-]+)$/
/** The first folder says that a path is one of the checkout. */
const FOLDERS = new Set(
  BASES.flatMap((base) => (existsSync(join(ROOT, base)) ? readdirSync(join(ROOT, base)) : [])),
)

/** In backticks, outside of fences: a file of TypeScript, or what begins with a folder of the sources. */
function pathsIn(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  const words = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*\/?)`|`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(
    ([, path, file]) => path ?? file ?? '',
  )
  return words.filter((word) => !NO_PATHS.test(word) && isPath(word))
}

function isPath(word: string): boolean {
  return word.endsWith('.ts') || (word.includes('/') && FOLDERS.has(word.split('/', 1)[0] ?? ''))
}

/** docs/defer-lifecycle.md says that `router/` stands for the sources of the router there. */
function exists(path: string): boolean {
  const inRouter = path.startsWith('router/') ? [path.replace('router/', 'services/router/src/')] : []
  return [...inRouter, ...BASES.map((base) => join(base, path))].some((file) => existsSync(join(ROOT, file)))
}

describe('paths in the text', () => {
  it.each(PAGES)('of %s are those of files and folders', (page) => {
    const missing = pathsIn(page).filter((path) => !exists(path))
    expect(missing).toEqual([])
  })
})

describe('docs/engine.md', () => {
  it('says of every folder of the engine what it is for', () => {
    const page = readFileSync(join(ROOT, 'docs/engine.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, folder]) => folder)
    const folders = readdirSync(join(ROOT, 'shared/engine/src'), { withFileTypes: true })
    expect(listed.toSorted()).toEqual(
      folders
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    )
  })
})
