/** Shows characters of a text that hide or turn it as their codes. */
import type { Extension } from '@codemirror/state'
import { highlightSpecialChars } from '@codemirror/view'
import { HIDDEN, shownCode } from '@switchyard/values'

export function hiddenCharacters(): Extension {
  return highlightSpecialChars({ addSpecialChars: HIDDEN, render: hidden })
}

function hidden(code: number, description: string | null): HTMLElement {
  const element = document.createElement('span')
  element.className = 'cm-specialChar'
  element.textContent = shownCode(code)
  element.title = description ?? ''
  return element
}
