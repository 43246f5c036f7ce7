/** The files of the page as they were built. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type PageFile = {
  /** The path of the file on disk. */
  readonly file: string
  /** Bytes of it. */
  readonly size: number
  /** The same file, compressed by gzip. Null if there is none. */
  readonly gzip: { readonly file: string; readonly size: number } | null
  /** Media type. */
  readonly type: string
}

/** The page, and the files that it loads. */
export type Page = {
  readonly html: PageFile
  /**
   * The files by name, such as `index-B7owSnv_.js`. The name depends on the content: a file of that name
   * never changes.
   */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** The path where the page expects the files that it loads, from its own address. */
export const ASSETS = 'playground/assets'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
}

/** The folder to which the build writes them. */
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url))

/**
 * Opens the built page. Returns null if it has not been built. Throws what node:fs throws where files cannot
 * be read.
 */
export function openPage(folder: string = BUILT): Page | null {
  const html = join(folder, 'index.html')
  if (!existsSync(html)) return null
  const assets = readdirSync(join(folder, ASSETS)).filter((name) => !name.endsWith('.gz'))
  return {
    html: pageFile(html),
    assets: new Map(assets.map((name) => [name, pageFile(join(folder, ASSETS, name))])),
  }
}

function pageFile(file: string): PageFile {
  const compressed = `${file}.gz`
  return {
    file,
    size: statSync(file).size,
    gzip: existsSync(compressed) ? { file: compressed, size: statSync(compressed).size } : null,
    type: TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  }
}
