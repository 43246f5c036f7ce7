/** Builds Studio into `dist`, which the registry serves. */
import { fileURLToPath } from 'node:url'
import { buildPage as build } from '@switchyard/built-page/build'
import { ASSETS } from './open-studio.ts'

/** Files of all modules that are in the page. */
export function buildPage(): Promise<readonly string[]> {
  const root = fileURLToPath(new URL('./page', import.meta.url))
  const folder = fileURLToPath(new URL('../dist', import.meta.url))
  return build({ root, folder, assets: ASSETS, base: '/studio/' })
}
