/** Builds the page into `dist`, which the router serves. */
import { fileURLToPath } from 'node:url'
import { buildPage as build } from '@switchyard/built-page/build'
import { ASSETS } from './open-page.ts'

/** Files of all modules that are in the page. */
export function buildPage(): Promise<readonly string[]> {
  const root = fileURLToPath(new URL('./page', import.meta.url))
  const folder = fileURLToPath(new URL('../dist', import.meta.url))
  // The page may lie below a base path: everything is named from where it is.
  return build({ root, folder, assets: ASSETS, base: './' })
}
