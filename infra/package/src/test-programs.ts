/**
 * `node infra/package/src/test-programs.ts`: bundles the programs for a run of tests, and prints the folder
 * in which they are. Its file `programs.json` says which file each source became; see `programFile` of the
 * testkit. In `bin` is the command `switchyard`, for shells.
 *
 * The folder is named by what is in it, so that runs at the same time do not change each other's programs,
 * and the code that Node.js keeps compiled stays of use.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { bundle } from './bundle.ts'
import { firstFile } from './first-file.ts'
import { ENTRIES, PAGES, ROOT } from './programs.ts'

const FOLDER = join(ROOT, '.cache/programs')
/** Milliseconds after which programs that no run has used since are removed. */
const KEPT = 24 * 60 * 60 * 1000

mkdirSync(FOLDER, { recursive: true })
removeOld()
const fresh = mkdtempSync(join(FOLDER, 'new-'))
await bundle(join(fresh, 'dist'))
cpSync(join(ROOT, 'package.json'), join(fresh, 'package.json'))
for (const { built, inPackage } of PAGES) {
  const page = join(ROOT, built)
  if (existsSync(page)) cpSync(page, join(fresh, 'dist', inPackage), { recursive: true })
}
const files = [...ENTRIES].map(([name, source]) => [relative(ROOT, source), `dist/${name}.js`])
writeFileSync(join(fresh, 'programs.json'), JSON.stringify(Object.fromEntries(files)))
mkdirSync(join(fresh, 'bin'))
writeFileSync(join(fresh, 'bin/switchyard.cjs'), firstFile('../dist/switchyard.js'), { mode: 0o755 })
symlinkSync('switchyard.cjs', join(fresh, 'bin/switchyard'))
process.stdout.write(`${kept(fresh)}\n`)

/** Names the folder by its content. Returns the one that has the same content, if there is one. */
function kept(folder: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (statSync(join(folder, file)).isFile()) hash.update(file).update(readFileSync(join(folder, file)))
  }
  const named = join(FOLDER, hash.digest('hex').slice(0, 16))
  try {
    renameSync(folder, named)
  } catch (error) {
    if (!existsSync(named)) throw error
    rmSync(folder, { recursive: true })
    utimesSync(named, new Date(), new Date())
  }
  return named
}

function removeOld(): void {
  for (const name of readdirSync(FOLDER)) {
    const folder = join(FOLDER, name)
    // Another run at the same time may have renamed or removed it.
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - used > KEPT) rmSync(folder, { recursive: true, force: true })
  }
}
