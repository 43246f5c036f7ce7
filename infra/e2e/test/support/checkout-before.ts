/** The version before this one, as files beside the checkout. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '../../src/index.ts'

/** The end of the work on the version before, where no tag says which one it was. */
const COMMIT_BEFORE = 'd89ba14a8c252865cc9ff0220a973a4853f86941'

function git(...words: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', words, { cwd: REPOSITORY, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * The commit: of `SWITCHYARD_UPGRADE_FROM`, of the newest tag `v…` before this commit, or the one above.
 * Null: this clone does not have it, as one that is shallow, or there is no git.
 */
export function commitBefore(): string | null {
  const named =
    process.env['SWITCHYARD_UPGRADE_FROM'] ??
    git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~1')
  return git('rev-parse', '--verify', '--quiet', `${named ?? COMMIT_BEFORE}^{commit}`)
}

export type Checkout = Disposable & { readonly folder: string }

/** With the dependencies that are installed here. */
export function checkOut(commit: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-before-'))
  const { status } = spawnSync('sh', ['-c', `git archive ${commit} | tar -x -C "${folder}"`], {
    cwd: REPOSITORY,
  })
  if (status !== 0) throw new Error(`The commit ${commit} could not be checked out.`)
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  for (const modules of globSync('{services,shared}/*/node_modules', { cwd: REPOSITORY })) {
    if (!existsSync(join(folder, dirname(modules)))) continue
    // Links to other packages lead to those of the checkout, since they are relative.
    cpSync(join(REPOSITORY, modules), join(folder, modules), { recursive: true, verbatimSymlinks: true })
  }
  for (const manifest of globSync('{services,shared}/*/package.json', { cwd: folder }))
    linkMissing(folder, dirname(manifest))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Links the dependencies of a package that no package of the same name has here any more. */
function linkMissing(folder: string, name: string): void {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>
  }
  for (const [dependency, version] of Object.entries(dependencies)) {
    const link = join(folder, name, 'node_modules', dependency)
    if (existsSync(link)) continue
    const target = version.startsWith('workspace:') ? packageNamed(folder, dependency) : installed(dependency)
    if (target === null) throw new Error(`${name} of ${folder} needs ${dependency}, which is not here.`)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}

function packageNamed(folder: string, name: string): string | null {
  const found = globSync('{services,shared}/*/package.json', { cwd: folder }).find((manifest) => {
    const { name: own } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as {
      readonly name: string
    }
    return own === name
  })
  return found === undefined ? null : join(folder, dirname(found))
}

/** Returns the folder in which a dependency of one of today's packages is installed. */
function installed(dependency: string): string | null {
  const [found] = globSync(`{services,shared}/*/node_modules/${dependency}`, { cwd: REPOSITORY })
  return found === undefined ? null : join(REPOSITORY, found)
}
