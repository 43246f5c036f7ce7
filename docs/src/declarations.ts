/** Finds what the sources of services declare for the pages of docs/, and puts tables of it into a page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A declaration, and the package whose sources declare it, such as `services/router`. */
export type Found<Declaration> = { readonly place: string; readonly declaration: Declaration }

export type Source = { readonly file: string; readonly text: string }

/** Reads the sources of all packages in shared/ and services/. */
export function sources(): readonly Source[] {
  return ['shared', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((name) =>
      readdirSync(join(ROOT, group, name, 'src'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') })),
    ),
  )
}

/**
 * Imports every source in which one of the functions `makers` is called, and returns the declarations that
 * the source exports, alone or as members of an object.
 */
export async function declarations<Declaration>(
  makers: readonly string[],
  type: abstract new (...args: never[]) => Declaration,
): Promise<readonly Found<Declaration>[]> {
  const call = new RegExp(`(?<!function )\\b(?:${makers.join('|')})\\(`, 'g')
  const found: Found<Declaration>[] = []
  for (const { file, text } of sources()) {
    const calls = [...text.matchAll(call)].length
    if (calls === 0) continue
    const exported: object = await import(pathToFileURL(join(ROOT, file)).href)
    const values = Object.values(exported).flatMap((value: unknown) =>
      typeof value === 'object' && value !== null && !(value instanceof type)
        ? Object.values(value)
        : [value],
    )
    const declared = values.filter((value: unknown) => value instanceof type)
    if (declared.length < calls)
      throw new Error(`${file} declares ${calls}, and exports ${declared.length}. Expected exports of all`)
    const place = file.split('/', 2).join('/')
    found.push(...declared.map((declaration) => ({ place, declaration })))
  }
  return found
}

/** Returns the page with these rows as the table of the section with this heading. */
export function withTable(page: string, heading: string, head: string, rows: readonly string[]): string {
  const section = page.indexOf(`\n## ${heading}\n`)
  const start = page.indexOf(head, section)
  const end = page.indexOf('\n## ', section + 1)
  if (section < 0 || start < 0 || (end >= 0 && start > end))
    throw new Error(`Expected a section "${heading}" with the table of a head "${head.split('\n', 1)[0]}"`)
  const rest = page.slice(start).search(/\n(?!\|)/)
  return `${page.slice(0, start)}${head}${rows.join('\n')}${page.slice(start + rest)}`
}
