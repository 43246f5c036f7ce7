/** A button that copies text, and says whether it could. */
import { button } from './dom.ts'

const SAID_FOR_MS = 2_000

export function copyButton(text: string, textOf: () => string): HTMLButtonElement {
  const element = button(text, { class: 'copy' }, () => {
    void copy(textOf()).then((copied) => {
      element.textContent = copied ? 'Copied' : 'Could not copy'
      announce(element, copied ? 'Copied' : 'The browser does not allow copying')
      setTimeout(() => {
        element.textContent = text
      }, SAID_FOR_MS)
    })
  })
  return element
}

/** Tells a text to screen readers, in the line that `mountTrace` keeps for this. */
export function announce(near: Element, text: string): void {
  const line = near.closest('.switchyard-trace')?.querySelector('[data-announcer]')
  if (line instanceof HTMLElement) line.textContent = text
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Copies by selecting a text, where pages from files have no clipboard. */
function copyBySelection(text: string): boolean {
  const back = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'off-screen'
  document.body.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (back instanceof HTMLElement) back.focus()
  }
}
