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

/** Pages with longer sentences. A page without any leaves the list, and no page is added. */
const NOT_YET: readonly string[] = [
  'docs/adr/0051-plain-http-has-a-client-of-its-own.md',
  'docs/adr/0053-lines-of-the-log-are-written-by-our-own-writer.md',
  'docs/adr/0055-equal-fetches-in-flight-are-one-call.md',
  'docs/adr/0057-large-answers-are-read-by-what-they-hold.md',
  'docs/adr/0058-what-a-request-may-not-see-is-left-out-of-its-plan.md',
  'docs/adr/0059-a-subgraph-whose-calls-fail-is-not-called-for-a-while.md',
  'docs/adr/0061-costs-are-a-sum-over-the-shape-of-the-response.md',
  'docs/adr/0064-documents-are-resolved-before-they-are-read.md',
  'docs/adr/0066-headers-of-answers-go-by-the-order-of-the-plan.md',
  'docs/adr/0067-who-is-at-the-other-end-and-in-how-many-bytes.md',
  'docs/adr/0071-unix-sockets-are-named-by-settings.md',
  'docs/adr/0072-other-settings-are-a-new-version-of-what-serves.md',
  'docs/adr/0073-calls-that-take-long-are-made-a-second-time-within-a-budget.md',
  'docs/adr/0074-manifests-of-documents-travel-with-configs.md',
  'docs/adr/0075-subgraphs-over-http2-have-a-client-of-their-own.md',
  'docs/adr/0080-a-log-that-was-set-back-begins-an-epoch.md',
  'docs/adr/0081-a-lost-call-is-told-at-each-field-that-is-null.md',
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
  it.each(PAGES.filter((page) => !NOT_YET.includes(page)))('of %s have at most 35 words', (page) => {
    expect(longSentencesOf(page)).toEqual([])
  })

  it('are still too long on every page that is listed as not done', () => {
    expect(NOT_YET.filter((page) => !PAGES.includes(page) || longSentencesOf(page).length === 0)).toEqual([])
  })

  it('are counted as their readers read them', () => {
    const words = sentencesOf(
      'One [two three](a-b.md) `four five`.\nSix\n\n* seven\n\n| eight | nine. Ten |\n',
    )
    expect(words.map(wordsIn).filter((count) => count > 0)).toEqual([4, 1, 1, 1, 1, 1])
  })
})
