/** The programs of the product, as tests start them in processes of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Returns the file with which Node.js starts a program. `source` is its main module, from the root of the
 * checkout.
 *
 * A run of all tests bundles the programs first, as the npm package has them (`SWITCHYARD_TEST_PROGRAMS`
 * names the folder; see infra/package): such a program starts with half of the processor time. Without the
 * variable, as when a test file is run by itself, programs start from their sources, and so do programs that
 * the package does not have.
 */
export function programFile(source: string): string {
  const folder = process.env['SWITCHYARD_TEST_PROGRAMS']
  if (folder === undefined || folder === '') return join(ROOT, source)
  const files = JSON.parse(readFileSync(join(folder, 'programs.json'), 'utf8')) as Record<string, string>
  const file = files[source]
  return file === undefined ? join(ROOT, source) : join(folder, file)
}
