/** A list of any length: only what is seen of it is there. Arrow keys go through it; it is one stop of Tab. */
import { measureElement, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import './scrolled-list.css'

const BEYOND = 12
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

export function ScrolledList({
  label,
  count,
  rowHeight,
  chosen,
  row,
}: {
  readonly label: string
  readonly count: number
  /** About the height of a row in pixels; the rows that are there are measured. */
  readonly rowHeight: number
  /** The row that is chosen, which is scrolled to. Null if none is. */
  readonly chosen: number | null
  /** A row, whose one link or button takes the `tabIndex` that it is given. */
  readonly row: (index: number, tabIndex: 0 | -1) => ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<number | null>(null)
  // A row whose height was not foreseen moves all that follow it: the others are as high as the first ones.
  const usualHeight = useRef<number | null>(null)
  const rows = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight.current ?? rowHeight,
    measureElement: (element, entry, instance) => {
      const height = measureElement(element, entry, instance)
      if (element.dataset['index'] !== '0') usualHeight.current ??= height
      return height
    },
    overscan: BEYOND,
  })
  useEffect(() => {
    if (chosen !== null) rows.scrollToIndex(chosen, { align: 'auto' })
    // Only when another one is chosen: whoever scrolls away from it meant to.
  }, [chosen, rows])
  const stop = Math.min(focused ?? chosen ?? 0, count - 1)
  const move = (event: KeyboardEvent) => {
    const to = targetOf(event.key, stop, count)
    if (to === null) return
    event.preventDefault()
    setFocused(to)
    rows.scrollToIndex(to, { align: 'auto' })
    focusOn(scroller.current, to)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the rows in it
    <div ref={scroller} className="scrolled-list" onKeyDown={move}>
      <ul aria-label={label} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(index, index === stop ? 0 : -1)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function targetOf(key: string, from: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = STEPS[key]
  return step === undefined ? null : Math.max(0, Math.min(count - 1, from + step))
}

/** Puts the focus on a row, which may only be there after the list was scrolled to it. */
function focusOn(scroller: HTMLElement | null, index: number, frames = 10): void {
  const target = scroller?.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, button)`)
  if (target !== null && target !== undefined) target.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusOn(scroller, index, frames - 1))
}
