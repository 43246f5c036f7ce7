/** Forbidden imports, planted beside copies of what they import, are found by the check of `make lint`. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../shared/testkit/src/temporary-directory.ts'

const repository = resolve(import.meta.dirname, '../..')

/**
 * Each file with the only import that it has, and the rule that forbids it. A circle is told of its first
 * file.
 */
const PLANTED: readonly (readonly [file: string, imported: string, rule: string | undefined])[] = [
  ['shared/contracts/src/planted.ts', '@switchyard/registry', 'shared/contracts/src/'],
  ['services/registry/src/planted.ts', '@switchyard/router', 'services/registry/src/'],
  ['services/registry/src/testing.ts', '@switchyard/testkit', 'only-tests-import-what-is-made-for-tests'],
  ['services/registry/test/planted.ts', '../../router/src/main.ts', 'no-paths-into-other-packages'],
  ['shared/engine/src/graph/planted.ts', '../execution/execute.ts', 'shared/engine/src/graph/'],
  ['shared/engine/src/plan/print/planted.ts', '../build/emit-fetches.ts', 'shared/engine/src/plan/print/'],
  ['services/router/src/call/planted.ts', '../listen/server.ts', 'services/router/src/call/'],
  ['services/router/src/concerns/costs/planted.ts', '../rates/buckets.ts', 'no-concern-imports-another'],
  ['services/router/src/helpers/planted.ts', '../errors/http-error.ts', 'every-file-has-a-place'],
  ['services/registry/src/circle/one.ts', './two.ts', 'no-cycles'],
  ['services/registry/src/circle/two.ts', './one.ts', undefined],
]

it('finds imports upwards, in circles, past exports, and from folders that nobody gave a place', async () => {
  await using folder = await temporaryDirectory()
  const copy = folder.path
  copyImportedFilesInto(copy)
  for (const [file, imported] of PLANTED) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(
      join(copy, file),
      `import type * as imported from '${imported}'\nexport type Planted = typeof imported\n`,
    )
  }
  const found = violationsIn(copy)
  expect(found.toSorted()).toEqual(
    PLANTED.flatMap(([file, , rule]) => (rule === undefined ? [] : [`${rule}: ${file}`])).toSorted(),
  )
})

/** What planted files import, each a file or an export of a package. Nothing that these import is there. */
function copyImportedFilesInto(copy: string): void {
  mkdirSync(join(copy, 'node_modules/@switchyard'), { recursive: true })
  for (const [file, imported] of PLANTED) {
    const folder = imported.startsWith('@') ? folderOf(imported) : undefined
    const paths =
      folder === undefined
        ? [join(dirname(file), imported)]
        : [`${folder}/package.json`, join(folder, mainOf(folder))]
    for (const path of paths.filter((each) => PLANTED.every(([planted]) => planted !== each)))
      cpSync(join(repository, path), join(copy, path))
    if (folder !== undefined) symlinkSync(join(copy, folder), join(copy, 'node_modules', imported))
  }
}

/** The folder of a package, from its name. */
function folderOf(name: string): string {
  const own = name.replace('@switchyard/', '')
  return existsSync(join(repository, 'services', own)) ? `services/${own}` : `shared/${own}`
}

/** The file behind the export of a package that is named as the package is. */
function mainOf(folder: string): string {
  const { exports } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8'))
  return exports['.']
}

/** What the check finds in files of a folder that have been planted, as `<rule>: <file>`. */
function violationsIn(folder: string): readonly string[] {
  const check = spawnSync(
    join(repository, 'node_modules/.bin/depcruise'),
    [
      '--config',
      join(repository, 'dependency-cruiser.config.ts'),
      '--output-type',
      'err',
      'services',
      'shared',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(check.status, check.stdout + check.stderr).toBeGreaterThan(0)
  const planted = new Set(PLANTED.map(([file]) => file))
  return [...check.stdout.matchAll(/error (\S+): (\S+) →/g)].flatMap(([, rule = '', file = '']) =>
    planted.has(file) ? [`${rule}: ${file}`] : [],
  )
}
