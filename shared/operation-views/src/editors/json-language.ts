/** The colours of JSON, which are read line by line. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

const language = StreamLanguage.define<null>({
  name: 'json',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^\w+/)) return 'atom'
    stream.next()
    return 'punctuation'
  },
})

const colours = HighlightStyle.define([
  { tag: [tags.string, tags.number, tags.atom], color: 'var(--code-value)' },
  { tag: tags.punctuation, color: 'var(--text-quiet)' },
])

/** The colours of JSON in an editor. */
export function jsonColours(): Extension {
  return [language, syntaxHighlighting(colours)]
}
