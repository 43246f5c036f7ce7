/** The files of a page as they were built, and how one of them is sent. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { negotiateCoding } from './accept-encoding.ts'

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

/** A page, and the files that it loads. */
export type BuiltPage = {
  readonly html: PageFile
  /**
   * The files by name, such as `index-B7owSnv_.js`. The name depends on the content: a file of that name
   * never changes.
   */
  readonly assets: ReadonlyMap<string, PageFile>
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
}

/**
 * Opens the page that was built into the folder, with what it loads in `assets` below it. Returns null if it
 * has not been built. Throws what node:fs throws where files cannot be read.
 */
export function openBuiltPage(folder: string, assets: string): BuiltPage | null {
  const html = join(folder, 'index.html')
  if (!existsSync(html)) return null
  const names = readdirSync(join(folder, assets)).filter((name) => !name.endsWith('.gz'))
  return {
    html: pageFile(html),
    assets: new Map(names.map((name) => [name, pageFile(join(folder, assets, name))])),
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

export type SentFile = {
  /** The path of the file whose bytes are sent. */
  readonly file: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** Chooses between a file and its compressed form by the header `Accept-Encoding` of the request. */
export function sentFile(file: PageFile, acceptEncoding: string | undefined): SentFile {
  const coding = negotiateCoding(acceptEncoding, file.gzip === null ? [] : ['gzip'])
  const sent = coding === null ? file : (file.gzip ?? file)
  return {
    file: sent.file,
    headers: [
      'Content-Type',
      file.type,
      'Content-Length',
      String(sent.size),
      ...(coding === null ? [] : ['Content-Encoding', coding]),
      'Vary',
      'Accept-Encoding',
      'X-Content-Type-Options',
      'nosniff',
    ],
  }
}
