/**
 * The version of Switchyard stands in package.json of the checkout. Other files have to repeat it, since what
 * reads them reads nothing else: `node infra/package/src/versions.ts 0.2.0` writes it everywhere, and a test
 * holds them together.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './programs.ts'

type Place = { readonly files: readonly string[]; readonly pattern: RegExp }

const VERSION = String.raw`(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)`
const PLACES: readonly Place[] = [
  { files: ['package.json', '{services,shared,infra}/*/package.json'], pattern: at(`^  "version": "`) },
  { files: ['infra/docker/Dockerfile'], pattern: at('^ARG VERSION=') },
  { files: ['infra/helm/switchyard/Chart.yaml'], pattern: at('^(?:version|appVersion): ') },
  { files: ['infra/kubernetes/*.yaml'], pattern: at('app\\.kubernetes\\.io/version: "') },
  { files: ['infra/kubernetes/*.yaml'], pattern: at('image: switchyard/[a-z-]+:') },
]

function at(before: string): RegExp {
  return new RegExp(`(${before})${VERSION}`, 'gm')
}

export type WrittenVersion = { readonly file: string; readonly version: string }

export function writtenVersions(): readonly WrittenVersion[] {
  return PLACES.flatMap(({ files, pattern }) =>
    globSync([...files], { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, , version = '']) => ({
        file,
        version,
      })),
    ),
  )
}

function writeVersion(version: string): void {
  for (const { files, pattern } of PLACES)
    for (const file of globSync([...files], { cwd: ROOT })) {
      const path = join(ROOT, file)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(pattern, `$1${version}`))
    }
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2)
  if (new RegExp(`^${VERSION}$`).test(version)) writeVersion(version)
  else {
    process.stderr.write('Usage: versions.ts <version>, such as 0.2.0\n')
    process.exitCode = 2
  }
}
