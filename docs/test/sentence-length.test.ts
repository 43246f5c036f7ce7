/**
 * Sentences of the pages have at most 35 words.
 *
 * How a sentence is counted: code fences and HTML are no prose. A paragraph, a heading, an item of a list and
 * a cell of a table are each read alone. A link counts the words of its text, and code in backticks counts as
 * one word. A sentence ends with `.`, `!` or `?` before a space, or with the paragraph, item or cell. A colon
 * or semicolon ends none. A word has a letter or a digit.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './pages/commands.ts'

const MOST_WORDS = 35

const PAGES: readonly string[] = [
  'README.md',
  ...['docs', 'docs/adr'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

/** Paragraphs, headings, items of lists and cells of tables, without the marks of Markdown. */
function blocksOf(page: string): readonly string[] {
  const text = page
    .replaceAll(/^ *```[^]*?^ *```$/gm, '\n')
    .replaceAll(/<[^>\n]*>/g, '')
    .replaceAll(/`[^`\n]+`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .replaceAll(/^ *(?:[*-]|\d+\.|#+) /gm, '\n\n')
    .replaceAll(/^\|.*$/gm, (row) => `\n\n${row.replaceAll('|', '\n\n')}\n\n`)
    .split(/\n\s*\n/)
}

function sentencesOf(page: string): readonly string[] {
  return blocksOf(page).flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?][*_)"]*) /))
}

function wordsIn(sentence: string): number {
  return sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

function longSentencesOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return sentencesOf(text).filter((sentence) => wordsIn(sentence) > MOST_WORDS)
}

describe('sentences', () => {
  it.each(PAGES)('of %s have at most 35 words', (page) => {
    expect(longSentencesOf(page)).toEqual([])
  })

  it('are counted as their readers read them', () => {
    const words = sentencesOf(
      'One [two three](a-b.md) `four five`.\nSix\n\n* seven\n\n| eight | nine. Ten |\n',
    )
    expect(words.map(wordsIn).filter((count) => count > 0)).toEqual([4, 1, 1, 1, 1, 1])
  })
})
