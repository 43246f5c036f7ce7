/** The editor in which operations are written: with completion, and with what is wrong by the schema. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { graphql, updateSchema } from 'cm6-graphql'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { prettyPrinted } from '../answers/pretty-print.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { colours } from './graphql-language.ts'
import { put, shadowOf } from './shadow.ts'
import { theme } from './theme.ts'

export type OperationEditing = {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** Runs the operation: Ctrl-Enter, or Cmd-Enter. */
  readonly onRun: () => void
}

export type OperationEditor = {
  readonly setText: (text: string) => void
  /** Sets the schema by its SDL; null if there is none. Returns why it cannot be used, or null. */
  readonly setSchema: (sdl: string | null) => string | null
  readonly remove: () => void
}

const DEFER = 'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT'
/** A browser takes half a second to prepare so many characters of SDL. */
const MAX_SDL = 2_000_000
const bounded = EditorView.theme({ '&': { maxHeight: '28rem' }, '.cm-content': { minHeight: '12rem' } })

export function editOperation(host: HTMLElement, editing: OperationEditing): OperationEditor {
  const view = new EditorView({
    doc: editing.text,
    root: shadowOf(host),
    extensions: [
      EditorView.contentAttributes.of({ 'aria-label': editing.label, tabindex: '0' }),
      lineNumbers(),
      hiddenCharacters(),
      history(),
      bracketMatching(),
      closeBrackets(),
      autocompletion(),
      keymap.of([
        { key: 'Mod-Enter', run: () => (editing.onRun(), true) },
        // Tab leaves the editor, so that nobody is caught in it.
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      graphql(undefined, { showErrorOnInvalidSchema: false }),
      syntaxHighlighting(colours),
      EditorView.domEventHandlers({ paste: pasted }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) editing.onChange(state.doc.toString())
      }),
      theme,
      bounded,
    ],
  })
  return {
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    setSchema: (sdl) => {
      const { schema, problem } = schemaOf(sdl)
      updateSchema(view, schema)
      return problem
    },
    remove: put(host, view.dom, () => view.destroy()),
  }
}

/** Prints a pasted operation in lines, where it is all that the editor has afterwards. */
function pasted(event: ClipboardEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main
  const isAll = view.state.doc.toString().trim() === '' || (from === 0 && to === view.state.doc.length)
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const printed = isAll ? prettyPrinted(text) : null
  if (printed === null) return false
  event.preventDefault()
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: printed },
    selection: { anchor: printed.length },
    userEvent: 'input.paste',
  })
  return true
}

function schemaOf(sdl: string | null): {
  readonly schema: GraphQLSchema | undefined
  readonly problem: string | null
} {
  if (sdl === null) return { schema: undefined, problem: null }
  if (sdl.length > MAX_SDL)
    return { schema: undefined, problem: 'The schema is too large for completion in a browser.' }
  try {
    const whole = /^directive @defer\b/m.test(sdl) ? sdl : `${sdl}\n${DEFER}`
    return { schema: buildSchema(whole, { assumeValid: true, noLocation: true }), problem: null }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      schema: undefined,
      problem: `There is no completion, since the schema cannot be read: ${reason}`,
    }
  }
}
