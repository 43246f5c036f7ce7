import { useState } from 'react'
import { printable } from './printable.ts'

/** The command line that does the same as a page, to be copied. */
export function Command({ words }: { readonly words: readonly string[] }) {
  const line = words.map(quoted).join(' ')
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no')
  const copy = () => {
    // Absent where the page did not come by HTTPS or from this machine.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (clipboard === undefined) return setCopied('refused')
    clipboard.writeText(line).then(
      () => setCopied('yes'),
      () => setCopied('refused'),
    )
  }
  const label = { no: 'Copy', yes: 'Copied', refused: 'Select and copy it' }[copied]
  return (
    <div className="command" role="group" aria-label="Command">
      <pre>
        <code>{printable(line)}</code>
      </pre>
      <button type="button" className="button" data-size="small" onClick={copy}>
        <span aria-live="polite">{label}</span>
      </button>
    </div>
  )
}

/** Quotes a word as shells read it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
