/**
 * What a page of a trace is made of, besides the trace. A package in which there are no sources has this
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
