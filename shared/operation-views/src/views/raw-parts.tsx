/** Parts as they came, opened when somebody wants to see them. */
import { isRecord, printable } from '@switchyard/values'
import { useState } from 'react'
import type { AnswerPart } from '../answers/answer.ts'
import { printValue } from '../answers/print-answer.ts'

const MOST_SHOWN = 50
const LIMITS = { characters: 20_000, lines: 1_000, text: 2_000, depth: 100 }

export function RawParts({ parts }: { readonly parts: readonly AnswerPart[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="ov-raw" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As it came</summary>
      {isOpen ? (
        <ol>
          {parts.slice(0, MOST_SHOWN).map(({ number, after, body }) => (
            <li key={number}>
              <p className="ov-note">After {Math.round(after).toLocaleString('en')} ms</p>
              <pre tabIndex={0}>{printable(printValue(withoutTrace(body), LIMITS))}</pre>
            </li>
          ))}
        </ol>
      ) : null}
      {isOpen && parts.length > MOST_SHOWN ? (
        <p className="ov-note">The first {MOST_SHOWN} parts are shown.</p>
      ) : null}
    </details>
  )
}

/** The trace has a view of its own. */
function withoutTrace(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['extensions'])) return body
  const { trace, ...extensions } = body['extensions']
  return trace === undefined ? body : { ...body, extensions: { ...extensions, trace: '(shown as a trace)' } }
}
