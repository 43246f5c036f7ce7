/** The place of one trace: how to put one there, what is wrong with it, or which one it is. */
import { type ClipboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Foreign } from '../../parts/foreign.tsx'
import { MAX_MEBIBYTES } from '../../parts/traces/limits.ts'
import type { Slot } from '../../parts/traces/use-slot.ts'

type SlotProps = { readonly side: 'A' | 'B'; readonly slot: Slot; readonly isFirst?: boolean }

export function SlotCard({ side, slot, isFirst = false }: SlotProps) {
  const { state, clear } = slot
  const card = useRef<HTMLElement>(null)
  const shown = useRef(state.kind)
  useEffect(() => {
    if (shown.current === state.kind) return
    shown.current = state.kind
    // The button that was pressed is gone: readers of the screen go on at its card.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  }, [state.kind])
  return (
    <section
      ref={card}
      tabIndex={-1}
      className="card slot"
      data-slot={isFirst ? 'first' : 'second'}
      aria-label={`Trace ${side}`}
    >
      {state.kind === 'empty' || state.kind === 'refused' ? (
        <Giving side={side} slot={slot} isFirst={isFirst} />
      ) : (
        <div className="slot-taken">
          <b className="slot-letter">{side}</b>
          <Foreign text={state.name} />
          <span className="quiet small" role="status">
            {state.kind === 'reading' ? 'Reading …' : ''}
          </span>
          <button type="button" className="button" data-size="small" onClick={clear}>
            {state.kind === 'reading' ? 'Stop' : 'Close'}
            <span className="unseen"> trace {side}</span>
          </button>
        </div>
      )}
      {state.kind === 'refused' ? (
        <div className="notice" data-tone="bad" role="alert">
          <p>
            <Foreign text={state.name} /> is not shown. <Foreign text={state.message} />
          </p>
          {state.problems.length === 0 ? null : (
            <ul>
              {state.problems.map((problem) => (
                <li key={problem}>
                  <Foreign text={problem} />
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : null}
    </section>
  )
}

/** The ways to put a trace there. A text that is pasted is taken at once, and never laid out. */
function Giving({ side, slot, isFirst = false }: SlotProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const take = (text: string) => {
    setTyped('')
    slot.take(new Blob([text]), 'pasted text')
  }
  const pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (typed !== '' || text === '') return
    event.preventDefault()
    take(text)
  }
  return (
    <div className="slot-giving">
      <h2>{isFirst ? 'Open a trace' : 'Compare with another one'}</h2>
      <p className="quiet">
        {isFirst
          ? `Drop a file here: a trace, or a whole response that has one, as curl saves it. Up to ${MAX_MEBIBYTES} MiB.`
          : 'The same operation on another day, with a flag, or for another user.'}
      </p>
      <div className="slot-ways">
        <label className="button" data-kind="main">
          Open a file
          <span className="unseen"> for trace {side}</span>
          <input
            type="file"
            className="unseen"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              // So that the same file can be opened again after it was changed.
              if (file !== undefined) slot.take(file, file.name)
              currentTarget.value = ''
            }}
          />
        </label>
        <div className="slot-text">
          <label className="unseen" htmlFor={id}>
            Text of trace {side}
          </label>
          <textarea
            id={id}
            className="field mono"
            rows={1}
            placeholder="or paste its text"
            spellCheck={false}
            value={typed}
            onPaste={pasted}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {typed === '' ? null : (
            <button type="button" className="button" onClick={() => take(typed)}>
              Show it
            </button>
          )}
        </div>
      </div>
    </div>
  )
}
