/** Studio's page as it was built. */
import { fileURLToPath } from 'node:url'
import { type BuiltPage, openBuiltPage } from '@switchyard/built-page'

/** The folder of what the page loads, in the folder of the page. */
export const ASSETS = 'assets'

/** The folder to which the build writes the page. */
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url))

/**
 * Opens the built page. Returns null if it has not been built. Throws what node:fs throws where files cannot
 * be read.
 */
export function openStudio(folder: string = BUILT): BuiltPage | null {
  return openBuiltPage(folder, ASSETS)
}
