/**
 * `node infra/package/src/main.ts`: writes the npm package, as a folder and as a tarball, below `.package`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { buildPage as buildPlayground } from '@switchyard/playground/build-page'
import { buildPage as buildStudio } from '@switchyard/studio/build-page'
import { bundle } from './bundle.ts'
import { firstFile } from './first-file.ts'
import { BUILD, OLDEST_NODE, PAGES, PROGRAMS, ROOT } from './programs.ts'
import { printThirdParties, thirdParties } from './third-party.ts'

const folder = join(BUILD, 'switchyard')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const require = createRequire(import.meta.url)

rmSync(BUILD, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const modules = [
  ...(await bundle(join(folder, 'dist'))),
  ...(await buildPlayground()),
  ...(await buildStudio()),
]
for (const { built, inPackage } of PAGES)
  cpSync(join(ROOT, built), join(folder, 'dist', inPackage), { recursive: true })
mkdirSync(join(folder, 'bin'))
for (const name of Object.keys(PROGRAMS))
  writeFileSync(join(folder, commandFile(name)), firstFile(`../dist/${name}.js`), { mode: 0o755 })
const parties = thirdParties(modules, (name) => dirname(require.resolve(`${name}/package.json`)))
writeFileSync(join(folder, 'THIRD_PARTY.txt'), printThirdParties(parties))
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(ROOT, file), join(folder, file))
cpSync(join(ROOT, 'infra/package/PACKAGE.md'), join(folder, 'README.md'))
const tarball = pack()
const megabytes = (statSync(tarball).size / 1e6).toFixed(1)
process.stdout.write(
  `${relative(ROOT, tarball)}: ${megabytes} MB, with ${parties.length} packages of others in it\n`,
)

function manifest(): unknown {
  return {
    name: 'switchyard',
    version,
    description: 'A federated GraphQL router, and the platform that feeds it',
    license: 'Apache-2.0',
    keywords: ['graphql', 'federation', 'router', 'supergraph', 'feature-flags', 'defer'],
    type: 'module',
    engines: { node: `>=${OLDEST_NODE}` },
    bin: Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, commandFile(name)])),
    files: ['bin', 'dist', 'CHANGELOG.md', 'THIRD_PARTY.txt'],
  }
}

/** Returns the file of a command of the package, from the package's folder. */
function commandFile(name: string): string {
  return `bin/${name}.cjs`
}

/** Packs the package. npm fetches nothing and runs no script. */
function pack(): string {
  const words = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', BUILD]
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return join(BUILD, `switchyard-${version}.tgz`)
}
