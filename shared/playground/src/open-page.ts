/** The playground's page as it was built. */
import { fileURLToPath } from 'node:url'
import { type BuiltPage, openBuiltPage } from '@switchyard/built-page'

/** The path where the page expects the files that it loads, from its own address. */
export const ASSETS = 'playground/assets'

/** The folder to which the build writes them. */
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url))

/**
 * Opens the built page. Returns null if it has not been built. Throws what node:fs throws where files cannot
 * be read.
 */
export function openPage(folder: string = BUILT): BuiltPage | null {
  return openBuiltPage(folder, ASSETS)
}
