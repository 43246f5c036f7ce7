import { useState } from 'react'
import { printable } from '@switchyard/values'

/** The command line that does the same as a page, to be copied. */
export function Command({ words }: { readonly words: readonly string[] }) {
  return <Copied text={words.map(quoted).join(' ')} label="Command" kind="command" />
}

/** A text with a button that copies it. */
export function Copied({
  text,
  label,
  kind,
}: {
  readonly text: string
  /** The name of the text. */
  readonly label: string
  readonly kind?: 'command'
}) {
  return (
    <div className="command" data-kind={kind} role="group" aria-label={label}>
      <pre>
        <code>{printable(text)}</code>
      </pre>
      <Copy text={text} />
    </div>
  )
}

/** A button that copies a text. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no')
  const copy = () => {
    // Absent where the page did not come by HTTPS or from this machine.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (clipboard === undefined) return setCopied('refused')
    clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('refused'),
    )
  }
  const said = { no: label, yes: 'Copied', refused: 'Select and copy it' }[copied]
  return (
    <button type="button" className="button" data-size="small" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}

/** Quotes a word as shells read it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
