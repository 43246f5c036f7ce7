/**
 * Editors of CodeMirror for SDL, answers and plans. They are loaded apart from the pages that show them, and
 * live in shadow roots, where CodeMirror uses constructed style sheets: policies of pages forbid all others.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension, RangeSetBuilder, type Text } from '@codemirror/state'
import { Decoration, EditorView, keymap, lineNumbers, WidgetType } from '@codemirror/view'
import { printable } from '@switchyard/values'
import { graphqlColours } from './graphql-language.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { put, shadowOf } from './shadow.ts'
import { theme } from './theme.ts'

/** A place to be lit. */
export type LitPlace = {
  readonly line: number
  readonly column: number
  readonly length?: number | undefined
  readonly label?: string | undefined
}

export type Shown = {
  /** The name of the text for readers of the screen. */
  readonly label: string
  readonly text: string
  readonly isGraphQL: boolean
  readonly lit: readonly LitPlace[]
}

export type Compared = {
  readonly label: string
  readonly before: string
  readonly after: string
  readonly isGraphQL: boolean
  /** Whether lines are left out that are far from every change. */
  readonly isCollapsed: boolean
}

/** Below this width the two texts stand in one column. */
const SIDE_BY_SIDE = 720
/** Differences of texts that are hard to compare are told roughly, so that the page does not stand still. */
export const DIFF = { scanLimit: 500, timeout: 300 }
const MARGIN = 3
/** An editor scrolls by itself, and two that are side by side scroll together. */
const bounded = EditorView.theme({ '&': { maxHeight: '32rem' } })
/** Lines of a text that may be lit; errors have at most a few places in each. */
const MOST_LIT = 500

/** Shows a text. Returns what takes it away again. */
export function showText(host: HTMLElement, { label, text, isGraphQL, lit }: Shown): () => void {
  const state = EditorState.create({
    doc: text,
    extensions: [
      ...reading(label, isGraphQL),
      bounded,
      EditorView.decorations.of((view) => decorated(view.state, lit)),
    ],
  })
  const [first] = lit
  const view = new EditorView({ state, root: shadowOf(host) })
  if (first !== undefined) scrollTo(view, placeOf(state.doc, first).from)
  return put(host, view.dom, () => view.destroy())
}

export type Written = {
  readonly label: string
  /** The text at the beginning. */
  readonly text: string
  /** Told after each change, with a way to read the text: a large one is not copied for every key. */
  readonly onChange: (read: () => string) => void
}

/** Shows a text to be written in. */
export function editText(host: HTMLElement, { label, text, onChange }: Written): () => void {
  const view = new EditorView({
    doc: text,
    root: shadowOf(host),
    extensions: [
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      history(),
      // Tab leaves the editor, so that nobody is caught in it.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      bounded,
      EditorView.domEventHandlers({ beforeinput: overwrite }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(() => state.doc.toString())
      }),
      ...look(true),
    ],
  })
  return put(host, view.dom, () => view.destroy())
}

/**
 * Writes over what is selected. The browser's own way keeps the look of what was there by inline styles,
 * which the policy of the page forbids.
 */
function overwrite({ inputType, data }: InputEvent, view: EditorView): boolean {
  if (inputType !== 'insertText' || data === null || view.state.selection.main.empty) return false
  view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' })
  return true
}

/** Shows the difference of two texts, side by side where there is room. */
export function showDifference(host: HTMLElement, compared: Compared): () => void {
  const { label, before, after, isGraphQL, isCollapsed } = compared
  const collapseUnchanged = { margin: MARGIN, minSize: 2 * MARGIN }
  const collapse = isCollapsed ? { collapseUnchanged } : {}
  const root = shadowOf(host)
  if (host.clientWidth >= SIDE_BY_SIDE) {
    const merged = new MergeView({
      a: { doc: before, extensions: reading(`${label}, before`, isGraphQL) },
      b: { doc: after, extensions: reading(`${label}, after`, isGraphQL) },
      root,
      diffConfig: DIFF,
      gutter: true,
      ...collapse,
    })
    return put(host, merged.dom, () => merged.destroy())
  }
  const view = new EditorView({
    doc: after,
    root,
    extensions: [
      ...reading(label, isGraphQL),
      unifiedMergeView({ original: before, mergeControls: false, diffConfig: DIFF, ...collapse }),
    ],
  })
  return put(host, view.dom, () => view.destroy())
}

/** Scrolls the editor alone: CodeMirror's own way would scroll the page, too. */
function scrollTo(view: EditorView, place: number): void {
  view.requestMeasure({
    read: () => view.lineBlockAt(place).top - view.scrollDOM.clientHeight / 2,
    write: (top) => {
      view.scrollDOM.scrollTop = top
    },
  })
}

function reading(label: string, isGraphQL: boolean): Extension[] {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ...look(isGraphQL),
  ]
}

function look(isGraphQL: boolean): Extension[] {
  return [lineNumbers(), hiddenCharacters(), isGraphQL ? graphqlColours() : [], theme]
}

function decorated({ doc }: EditorState, lit: readonly LitPlace[]) {
  const builder = new RangeSetBuilder<Decoration>()
  const places = lit.slice(0, MOST_LIT).map((place) => ({ ...placeOf(doc, place), label: place.label }))
  let lastLine = -1
  for (const { line, from, to, end, label } of places.toSorted(
    (a, b) => a.line - b.line || a.from - b.from,
  )) {
    if (line !== lastLine) builder.add(line, line, Decoration.line({ class: 'cm-lit' }))
    lastLine = line
    if (to > from) builder.add(from, to, Decoration.mark({ class: 'cm-lit-part' }))
    if (label !== undefined) builder.add(end, end, Decoration.widget({ widget: new Label(label), side: 1 }))
  }
  return builder.finish()
}

/** Returns the offsets of a place; those of the end of the text if it is shorter than the place says. */
function placeOf(doc: Text, { line, column, length = 0 }: LitPlace) {
  const { from: start, to: end } = doc.line(Math.min(line, doc.lines))
  const from = Math.min(start + column - 1, end)
  return { line: start, from, to: Math.min(from + length, end), end }
}

class Label extends WidgetType {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  override eq(other: Label): boolean {
    return other.#text === this.#text
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span')
    element.className = 'cm-lit-label'
    element.textContent = printable(this.#text)
    return element
  }
}
