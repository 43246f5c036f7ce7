/** An answer as text, with the lines that a part has added lit. It is kept while parts come. */
import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { EditorState as State } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, lineNumbers } from '@codemirror/view'
import { hiddenCharacters } from './hidden-characters.ts'
import { jsonColours } from './json-language.ts'
import { put, shadowOf } from './shadow.ts'
import { theme } from './theme.ts'

/** Lines from the first to the last one, from 1. */
export type LineRange = { readonly from: number; readonly to: number }

export type ShownAnswer = {
  readonly text: string
  /** Ranges in order, which do not overlap. */
  readonly lit: readonly LineRange[]
}

export type AnswerEditor = {
  /** Shows another text, or the same with other lines lit. */
  readonly update: (shown: ShownAnswer) => void
  readonly remove: () => void
}

const setLit = StateEffect.define<readonly LineRange[]>()
const litRanges = StateField.define<readonly LineRange[]>({
  create: () => [],
  update: (ranges, { effects }) =>
    effects.reduce((last, effect) => (effect.is(setLit) ? effect.value : last), ranges),
})
const added = Decoration.line({ class: 'cm-added' })
const bounded = EditorView.theme({ '&': { maxHeight: '36rem' } })

/** Shows an answer. `label` is its name for readers of the screen. */
export function showAnswer(host: HTMLElement, label: string, shown: ShownAnswer): AnswerEditor {
  const view = new EditorView({
    doc: shown.text,
    root: shadowOf(host),
    extensions: [
      State.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      lineNumbers(),
      hiddenCharacters(),
      jsonColours(),
      theme,
      bounded,
      litRanges,
      litLines(),
    ],
  })
  let text = shown.text
  const light = ({ text: next, lit }: ShownAnswer) => {
    const changes = next === text ? [] : [{ from: 0, to: view.state.doc.length, insert: next }]
    text = next
    view.dispatch({ changes, effects: setLit.of(lit) })
    const [first] = lit
    if (first !== undefined) scrollTo(view, first.from)
  }
  const remove = put(host, view.dom, () => view.destroy())
  light(shown)
  return { update: light, remove }
}

/** Decorates the lines that can be seen: an answer may have very many. */
function litLines(): Extension {
  return EditorView.decorations.of((view) => decorated(view.state, view.visibleRanges))
}

function decorated(state: EditorState, visible: readonly { readonly from: number; readonly to: number }[]) {
  const builder = new RangeSetBuilder<Decoration>()
  const lit = state.field(litRanges)
  for (const { from, to } of visible) {
    const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number]
    for (const range of lit) {
      if (range.to < first || range.from > last) continue
      for (let line = Math.max(first, range.from); line <= Math.min(last, range.to); line++)
        builder.add(state.doc.line(line).from, state.doc.line(line).from, added)
    }
  }
  const set: DecorationSet = builder.finish()
  return set
}

/** Scrolls the editor alone: CodeMirror's own way would scroll the page, too. */
function scrollTo(view: EditorView, line: number): void {
  const place = view.state.doc.line(Math.min(line, view.state.doc.lines)).from
  view.requestMeasure({
    read: () => view.lineBlockAt(place).top - 48,
    write: (top) => {
      view.scrollDOM.scrollTop = Math.max(0, top)
    },
  })
}
