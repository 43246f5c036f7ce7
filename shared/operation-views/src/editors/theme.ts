/** The look of editors: the tokens of the page, which reach through the shadow root that editors live in. */
import { EditorView } from '@codemirror/view'

export const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--small)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: 'var(--s2) 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--s3)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text-quiet)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--s2)', minWidth: '2.5rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  // The images of the library are addresses with data in them, which policies of pages forbid.
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warn)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-wash)',
    color: 'var(--text)',
  },
  '.cm-specialChar': { color: 'var(--bad)' },
  '& .cm-lit': { backgroundColor: 'var(--bad-wash)', boxShadow: 'inset 3px 0 var(--bad)' },
  '& .cm-added': { backgroundColor: 'var(--good-wash)', boxShadow: 'inset 3px 0 var(--good)' },
  '.cm-lit-part': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '0.25em' },
  '.cm-lit-label': {
    marginLeft: '1.5em',
    color: 'var(--bad)',
    fontFamily: 'var(--sans)',
    fontWeight: '550',
    whiteSpace: 'pre-wrap',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-wash)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine, .cm-insertedLine': {
    backgroundColor: 'var(--good-wash)',
  },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px var(--bad)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', boxShadow: 'inset 0 -2px var(--good)' },
  '.cm-changedLineGutter': { background: 'var(--good)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--bad)' },
  '.cm-changeGutter': { width: '3px' },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--text-quiet)',
    fontFamily: 'var(--sans)',
    padding: 'var(--s1) var(--s3)',
    '&::before, &::after': { content: '""' },
  },
})
