/**
 * `node infra/helm/src/write-generated.ts`: writes the files that are made from others; the manifests if
 * there is Helm.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'
import { helmMissing } from './helm.ts'
import { MANIFESTS } from './paths.ts'
import { plainManifests } from './plain-manifests.ts'

for (const { path, text } of generatedFiles()) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const reason = helmMissing()
if (reason === null) {
  const manifests = plainManifests()
  rmSync(MANIFESTS, { recursive: true, force: true })
  mkdirSync(MANIFESTS, { recursive: true })
  for (const [file, text] of manifests) writeFileSync(join(MANIFESTS, file), text)
} else {
  process.stderr.write(`The manifests of infra/kubernetes were not written: ${reason}\n`)
  process.exitCode = 1
}
