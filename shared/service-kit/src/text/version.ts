import { readFileSync } from 'node:fs'

/** The version of Switchyard that this process runs, as its package.json says: `0.1.0`. */
export const VERSION: string = versionIn(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
)

function versionIn(text: string): string {
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}
