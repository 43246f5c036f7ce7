/**
 * Comments that document something begin with a verb or a noun phrase, and say "Null if …" in a sentence.
 *
 * A comment that begins with "Of", "What" or "By" has no subject: its reader has to guess what it speaks of.
 * So does a value with a colon, such as `null:` or `0:`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

const HEADLESS = /^(?:What|Whoever|Of|By|With|Beside|In place|For)\b/
const SHORTHAND = /(?:^|[.;,(] )(?:null|true|false|undefined|absent|-?\d+|''): /i

const PACKAGES: readonly string[] = ['services', 'shared', 'infra'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`),
)

/** Sources of a package, without its tests. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(?:node_modules|dist|test)$/.test(entry.name) ? [] : sourcesOf(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

type Comment = { readonly line: number; readonly text: string }

function commentsOf(source: string): readonly Comment[] {
  return [...source.matchAll(/\/\*\*(?!\/)([^]*?)\*\//g)].map(({ 1: inner = '', index }) => ({
    line: source.slice(0, index).split('\n').length,
    text: inner.replaceAll(/\s*\n\s*\* ?/g, ' ').trim(),
  }))
}

function offencesIn(source: string): readonly Comment[] {
  return commentsOf(source).filter(({ text }) => HEADLESS.test(text) || SHORTHAND.test(text))
}

function offencesOf(folder: string): readonly string[] {
  return sourcesOf(folder).flatMap((path) =>
    offencesIn(readFileSync(join(ROOT, path), 'utf8')).map(({ line, text }) => `${path}:${line} ${text}`),
  )
}

describe('comments', () => {
  it.each(PACKAGES)('of %s begin with a verb or a noun', (name) => {
    expect(offencesOf(name)).toEqual([])
  })

  it('are found, over one line or several, and at their values', () => {
    const source = [
      '/** Of clients. */',
      '/**',
      ' * What a client sends.',
      ' */',
      '/** Milliseconds; null: without end. */',
      '/** Forwards requests, each with its headers. Null if nobody asks. */',
      '/** Whether it is so. */',
    ].join('\n')
    expect(offencesIn(source)).toEqual([
      { line: 1, text: 'Of clients.' },
      { line: 2, text: 'What a client sends.' },
      { line: 5, text: 'Milliseconds; null: without end.' },
    ])
  })
})
