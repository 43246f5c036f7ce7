/** The parts of an answer on a line of time. What one of them added is lit in the merged answer. */
import { printable } from '@switchyard/values'
import { useState } from 'react'
import type { Answer, AnswerPart } from '../answers/answer.ts'
import { AnswerText } from './answer-text.tsx'
import { RawParts } from './raw-parts.tsx'

/** Parts that have an entry in the list. */
const MOST_LISTED = 100
const MOST_NAMES = 3

export function AnswerParts({
  answer,
  label,
  isWaiting,
}: {
  readonly answer: Answer
  /** The name of the answer for readers of the screen. */
  readonly label: string
  /** Whether more parts are awaited. */
  readonly isWaiting: boolean
}) {
  const [chosen, setChosen] = useState<number | null>(null)
  const { parts } = answer
  // Before somebody chooses, the newest part is lit; an answer in one piece has nothing to tell apart.
  const last = parts.length > 1 ? parts.length - 1 : null
  const lit = chosen !== null && chosen < parts.length ? chosen : last
  const isSeveral = parts.length > 1 || isWaiting
  return (
    <div className="operation-views">
      {isSeveral ? (
        <>
          <Line parts={parts} lit={lit} isWaiting={isWaiting} />
          <ol className="ov-parts" aria-label={`Parts of ${label}`}>
            {parts.slice(0, MOST_LISTED).map((part, index) => (
              <li key={part.number}>
                <button type="button" aria-pressed={index === lit} onClick={() => setChosen(index)}>
                  <strong>{milliseconds(part.after)}</strong> <bdi>{describe(part, index)}</bdi>
                </button>
              </li>
            ))}
          </ol>
          {parts.length > MOST_LISTED ? (
            <p className="ov-note">{parts.length - MOST_LISTED} more parts are on the line.</p>
          ) : null}
        </>
      ) : null}
      <AnswerText answer={answer} lit={lit} label={label} />
      <RawParts parts={parts} />
    </div>
  )
}

/** The line. The list says the same to who does not see it. */
function Line({
  parts,
  lit,
  isWaiting,
}: {
  readonly parts: readonly AnswerPart[]
  readonly lit: number | null
  readonly isWaiting: boolean
}) {
  const end = Math.max(1, parts.at(-1)?.after ?? 1)
  return (
    <div className="ov-line" aria-hidden="true" data-waiting={isWaiting}>
      {parts.map(({ number, after }, index) => (
        <span key={number} data-lit={index === lit} style={{ left: `${(after / end) * 100}%` }} />
      ))}
      <small>{milliseconds(end)}</small>
    </div>
  )
}

function describe({ added, completed, errors }: AnswerPart, index: number): string {
  const names = completed.slice(0, MOST_NAMES).map((name) => printable(name.slice(0, 60)))
  const more = completed.length - names.length
  const fields = `${added.length} ${added.length === 1 ? 'field' : 'fields'}`
  const facts = [
    index === 0 ? 'the first part' : `added ${fields}`,
    ...(names.length === 0 ? [] : [`completed ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'error' : 'errors'}`]),
  ]
  return facts.join(', ')
}

function milliseconds(value: number): string {
  return `${Math.round(value).toLocaleString('en')} ms`
}
