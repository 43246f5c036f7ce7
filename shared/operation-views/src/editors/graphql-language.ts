/**
 * The colours of SDL and operations. It reads one line at a time and remembers little, so that a schema of a
 * megabyte is coloured where it is seen, without a parser of the whole.
 */
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import type { Extension } from '@codemirror/state'

type Reading = {
  /** Whether the place is inside of a text in three quotation marks. */
  isInBlock: boolean
  /** Braces and brackets that are open. Words are keywords outside of all of them only. */
  depth: number
}

const KEYWORDS = new Set(
  'type interface union enum scalar input extend schema directive implements on repeatable query mutation subscription fragment'.split(
    ' ',
  ),
)
const ATOMS = new Set(['true', 'false', 'null'])

const language = StreamLanguage.define<Reading>({
  name: 'graphql',
  startState: () => ({ isInBlock: false, depth: 0 }),
  copyState: (reading) => ({ ...reading }),
  token,
})

function token(stream: StringStream, reading: Reading): string | null {
  if (reading.isInBlock) return restOfBlock(stream, reading)
  if (stream.eatSpace()) return null
  if (stream.match('"""')) {
    reading.isInBlock = true
    return restOfBlock(stream, reading)
  }
  if (stream.match(/^#.*/)) return 'comment'
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string'
  if (stream.match(/^[@$]\w*/)) return 'meta'
  if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
  const word = stream.match(/^\w+/)
  if (word !== null && word !== true && word !== false) return ofWord(word[0], reading.depth)
  const mark = stream.next() ?? ''
  if ('{(['.includes(mark)) reading.depth += 1
  if ('})]'.includes(mark)) reading.depth = Math.max(0, reading.depth - 1)
  return 'punctuation'
}

function ofWord(word: string, depth: number): string {
  if (depth === 0 && KEYWORDS.has(word)) return 'keyword'
  if (ATOMS.has(word)) return 'atom'
  return /^[A-Z]/.test(word) ? 'typeName' : 'propertyName'
}

function restOfBlock(stream: StringStream, reading: Reading): string {
  while (!stream.eol()) {
    if (stream.match('\\"""')) continue
    if (stream.match('"""')) {
      reading.isInBlock = false
      break
    }
    stream.next()
  }
  return 'string'
}

/** The colours of tags. */
export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.meta, color: 'var(--code-directive)' },
  { tag: [tags.string, tags.number, tags.atom], color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--text-quiet)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--text-quiet)' },
])

/** The colours of GraphQL in an editor. */
export function graphqlColours(): Extension {
  return [language, syntaxHighlighting(colours)]
}
