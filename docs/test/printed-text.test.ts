/**
 * Nothing is written to standard output or standard error except by the modules that take out of a text what
 * a terminal would act on: names, messages and schemas come from other teams, subgraphs and clients.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Sources of what users run. What only developers start prints as it likes. */
const FOLDERS = ['services', 'shared', 'infra/demo']
const DEVELOPERS_ONLY = ['shared/corpus/', 'shared/testkit/']

/** Files that touch the streams of the process, and why each of them may. */
const ALLOWED = new Map([
  ['shared/service-kit/src/text/printable.ts', 'writes text for people after it has made it printable'],
  ['shared/service-kit/src/logging/standard-streams.ts', 'writes lines of JSON that loggers have escaped'],
  ['shared/service-kit/src/logging/printed-warnings.ts', 'turns what libraries print into log lines'],
  ['services/cli/src/main.ts', 'hands the streams to the command line, which prints by output/style.ts'],
  ['infra/demo/src/main.ts', 'listens for the end of the streams'],
])

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g
const TOUCHES = new RegExp(
  [
    String.raw`\bprocess\s*\??\.\s*(?:stdout|stderr)\b`,
    // Of `process[name]` nobody knows which member it is.
    String.raw`\bprocess\s*(?:\?\.\s*)?\[`,
    String.raw`\{[^{}]*\b(?:stdout|stderr)\b[^{}]*\}\s*=\s*process\b`,
    String.raw`\bconsole\s*\??[.[]`,
    String.raw`\bwrite(?:File)?Sync\s*\(\s*(?:[12]|'/dev/std(?:out|err)')\s*,`,
    String.raw`\bfrom\s+['"](?:node:)?(?:console|process)['"]`,
  ].join('|'),
  'g',
)

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'test', 'dist'].includes(entry.name) ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) && path.includes('/src/') ? [path] : []
  })
}

/** Where a source uses the streams of the process, or the console. */
function uses(text: string): readonly string[] {
  // Line ends stay, so that lines keep their numbers.
  const code = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '))
  return [...code.matchAll(TOUCHES)].map(
    ({ index, 0: use }) => `${code.slice(0, index).split('\n').length}: ${use}`,
  )
}

describe('what is printed', () => {
  it('goes through the modules that make it printable', () => {
    const files = FOLDERS.flatMap(sources).filter(
      (path) => !DEVELOPERS_ONLY.some((folder) => path.startsWith(folder)),
    )
    expect(files.length).toBeGreaterThan(500)
    const found = new Map(files.map((path) => [path, uses(readFileSync(join(ROOT, path), 'utf8'))]))
    const touching = files.filter((path) => (found.get(path)?.length ?? 0) > 0)
    const forbidden = touching.filter((path) => !ALLOWED.has(path) && !path.startsWith('shared/playground/'))
    expect(forbidden.flatMap((path) => found.get(path)?.map((use) => `${path}:${use}`))).toEqual([])
    expect([...ALLOWED.keys()].filter((path) => !touching.includes(path))).toEqual([])
  })

  it.each([
    'process.stdout.write(name)',
    'const stream = process.stderr',
    'const { stdout: out } = process',
    "process['stdout'].write(name)",
    'console.log(name)',
    'const tell = console.error',
    'writeSync(1, name)',
    'fs.writeSync(2, name)',
    "writeFileSync('/dev/stdout', name)",
    "import { stdout } from 'node:process'",
  ])('would be found in %s', (text) => {
    expect(uses(text)).toHaveLength(1)
  })

  it.each([
    'process.exitCode = 1',
    "process.env['NO_COLOR']",
    'context.stdout.write(text)',
    'writeSync(fd, text)',
    '// process.stdout.write(name)',
    '/** It goes to `process.stdout`. */',
  ])('is left alone in %s', (text) => {
    expect(uses(text)).toEqual([])
  })
})
