/** Traces that somebody has: one looked at, or two compared. They stay in the browser. */
import { useEffect, useState } from 'react'
import { PageHead } from '../../parts/page-head.tsx'
import { SlotCard } from './slot-card.tsx'
import { TraceView } from '../../parts/traces/trace-view.tsx'
import './traces.css'
import { type Slot, useSlot } from '../../parts/traces/use-slot.ts'

export function Traces() {
  const a = useSlot()
  const b = useSlot()
  const isOver = useDrop(a, b)
  const [first, second] = [a.state, b.state]
  const areBoth = first.kind === 'read' && second.kind === 'read'
  const [isTurned, setTurned] = useState(false)
  const isEmpty = first.kind === 'empty' && second.kind === 'empty'
  const cards = [
    <SlotCard key="first" side={isTurned ? 'B' : 'A'} slot={a} isFirst />,
    ...(isEmpty ? [] : [<SlotCard key="second" side={isTurned ? 'A' : 'B'} slot={b} />]),
  ]
  return (
    <div className="stack traces" data-over={isOver}>
      <PageHead
        title="Traces"
        actions={
          areBoth ? (
            <button type="button" className="button" onClick={() => setTurned(!isTurned)}>
              Exchange A and B
            </button>
          ) : undefined
        }
      >
        What a router did for a request, and how two requests differ. A trace is read and shown in this
        browser, and sent nowhere.
      </PageHead>
      <div className="slots">{isTurned ? cards.toReversed() : cards}</div>
      <Shown a={isTurned ? second : first} b={isTurned ? first : second} />
    </div>
  )
}

function Shown({ a, b }: { readonly a: Slot['state']; readonly b: Slot['state'] }) {
  if (a.kind === 'read') return <TraceView a={a} b={b.kind === 'read' ? b : null} />
  return b.kind === 'read' ? <TraceView a={b} b={null} /> : null
}

/**
 * Takes what is dropped anywhere on the page, since a browser would go to a file that nobody takes. It goes
 * to the card that it is dropped on, or else to the first one that shows nothing. Returns whether something
 * is held above the page.
 */
function useDrop(a: Slot, b: Slot): boolean {
  const [isOver, setOver] = useState(false)
  const isTaken = a.state.kind === 'read'
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const on = event.target instanceof Element ? event.target.closest('[data-slot]') : null
      const name = on?.getAttribute('data-slot') ?? (isTaken ? 'second' : 'first')
      const { take } = name === 'second' ? b : a
      const [file] = event.dataTransfer?.files ?? []
      if (file !== undefined) return take(file, file.name)
      const text = event.dataTransfer?.getData('text/plain') ?? ''
      if (text !== '') take(new Blob([text]), 'dropped text')
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', left)
    window.addEventListener('drop', dropped)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', left)
      window.removeEventListener('drop', dropped)
    }
  }, [a, b, isTaken])
  return isOver
}
