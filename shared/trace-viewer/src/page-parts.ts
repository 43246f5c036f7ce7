/**
 * The parts of which the page of a trace is made, besides the trace. A package without sources has this
 * module made beforehand.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { linkModules } from './link-modules.ts'

export type PageParts = { readonly style: string; readonly script: string }

export function pageParts(): PageParts {
  return {
    style: readFileSync(new URL('page/style.css', import.meta.url), 'utf8'),
    script: linkModules(fileURLToPath(new URL('page/main.ts', import.meta.url))),
  }
}
