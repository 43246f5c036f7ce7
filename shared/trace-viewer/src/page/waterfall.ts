/**
 * The rows on their axis, as a listbox: one stop for the tab key, arrow keys from row to row, Enter to open
 * one.
 */
import { printDuration } from '../model/format.ts'
import { type Bar, type Row, type RowLane, ticksOf } from '../model/rows.ts'
import { h, place, sign } from './dom.ts'
import { legend } from './legend.ts'
import { createRowFilter } from './row-filter.ts'

export type WaterfallInput = {
  readonly lanes: readonly RowLane[]
  readonly axis: 'time' | 'order'
  readonly end: number
  readonly compared: boolean
}

export type WaterfallEvents = {
  /** Called when a row is selected, by a click or by moving to it. */
  readonly selected: (row: Row) => void
  /** Called when a row is opened by Enter, so that its details are read next. */
  readonly opened: (row: Row) => void
  readonly escaped: () => void
}

export type Waterfall = {
  readonly element: HTMLElement
  /** Moves to a row, showing it where a filter hides it. */
  readonly goTo: (id: string) => void
  readonly focus: () => void
  readonly focusFilter: () => void
}

const PAGE = 10
/** The number of rows from which on those out of sight are not laid out. */
const MANY_ROWS = 150
/** About how many ticks the axis has; steps have short names. */
const TICKS = { time: 6, order: 14 } as const

export function createWaterfall(input: WaterfallInput, events: WaterfallEvents): Waterfall {
  const rows = input.lanes.flatMap((lane) => lane.rows)
  const elements = new Map(rows.map((row) => [row.id, rowElement(row, input)]))
  const list = h(
    'div',
    { role: 'listbox', class: 'rows', 'aria-label': 'Phases and fetches' },
    ...input.lanes.map((lane) => laneElement(lane, elements)),
  )
  const filter = createRowFilter(input.lanes, elements)
  let current: Row | null = null

  const select = (row: Row) => {
    if (current !== null) {
      const before = elements.get(current.id)
      before?.setAttribute('aria-selected', 'false')
      before?.setAttribute('tabindex', '-1')
    }
    current = row
    const element = elements.get(row.id)
    element?.setAttribute('aria-selected', 'true')
    element?.setAttribute('tabindex', '0')
  }
  const moveTo = (row: Row | undefined) => {
    if (row === undefined) return
    select(row)
    const element = elements.get(row.id)
    element?.focus({ preventScroll: true })
    events.selected(row)
    // After the details have taken their room.
    element?.scrollIntoView({ block: 'nearest' })
  }
  const rowAt = (target: EventTarget | null): Row | undefined => {
    const id = target instanceof Element ? target.closest('[role=option]')?.getAttribute('data-row') : null
    return rows.find((row) => row.id === id)
  }
  const [first] = rows
  if (first !== undefined) elements.get(first.id)?.setAttribute('tabindex', '0')

  list.addEventListener('click', (event) => {
    moveTo(rowAt(event.target))
  })
  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const focused = rowAt(event.target)
    if (focused === undefined) return
    if (event.key === 'Enter' || event.key === ' ') {
      select(focused)
      events.opened(focused)
    } else if (event.key === 'Escape') events.escaped()
    else {
      const visible = rows.filter(({ id }) => elements.get(id)?.hidden === false)
      const target = targetOf(event.key, visible.indexOf(focused), visible.length)
      if (target === null) return
      moveTo(visible[target])
    }
    event.preventDefault()
  })

  const chart = h(
    'div',
    { class: 'chart' },
    axisElement(input),
    h('div', { class: 'plot' }, gridElement(input), list),
  )
  if (rows.length === 0)
    chart.replaceChildren(h('p', { class: 'remark' }, 'This trace has no phases and no fetches.'))
  const element = h(
    'section',
    { class: 'waterfall card', 'aria-label': 'Waterfall' },
    h('div', { class: 'toolbar' }, h('h2', {}, 'Waterfall'), filter.element),
    chart,
    legend(input),
  )
  if (input.compared) element.classList.add('compared')
  if (rows.length > MANY_ROWS) element.classList.add('many')
  return {
    element,
    goTo: (id) => {
      const row = rows.find((candidate) => candidate.id === id)
      if (row === undefined) return
      if (elements.get(row.id)?.hidden === true) filter.clear()
      moveTo(row)
    },
    focus: () => {
      list.querySelector<HTMLElement>('[role=option][tabindex="0"]')?.focus()
    },
    focusFilter: filter.focus,
  }
}

function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'PageDown':
      return Math.min(count - 1, at + PAGE)
    case 'PageUp':
      return Math.max(0, at - PAGE)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function laneElement({ id, title, rows }: RowLane, elements: ReadonlyMap<string, HTMLElement>): HTMLElement {
  return h(
    'div',
    { role: 'group', 'aria-label': title, class: 'lane', 'data-lane': id },
    h(
      'div',
      { class: 'lane-title', 'aria-hidden': 'true' },
      title,
      h('span', { class: 'count' }, String(rows.length)),
    ),
    ...rows.flatMap((row) => elements.get(row.id) ?? []),
  )
}

function rowElement(row: Row, { end, compared }: WaterfallInput): HTMLElement {
  const track = h('div', { class: 'track' }, ...row.bars.map((bar) => barElement(bar, end, compared)))
  const last = Math.max(0, ...row.bars.map(({ span }) => span.end))
  if (row.value !== '') {
    track.append(place(h('span', { class: 'value' }, row.value), { left: share(last, end) }))
  }
  const element = h(
    'div',
    {
      role: 'option',
      'aria-selected': 'false',
      tabindex: -1,
      class: 'row',
      'data-row': row.id,
    },
    h(
      'div',
      { class: 'name' },
      h('span', { class: 'title' }, row.title),
      ...(row.kind === '' ? [] : [h('span', { class: 'kind' }, row.kind)]),
      ...(row.path === '' ? [] : [h('span', { class: 'path' }, row.path)]),
      // Where there is no room beside the bars.
      ...(compared && row.value !== '' ? [h('span', { class: 'value-in-name' }, row.value)] : []),
      ...row.marks.map(({ sign: symbol, text, tone }) =>
        h('span', { class: `mark ${tone}` }, sign(symbol), text),
      ),
    ),
    track,
    ...(row.spoken === '' ? [] : [h('span', { class: 'off-screen' }, row.spoken)]),
  )
  if (row.critical) element.classList.add('critical')
  if (row.subject.kind === 'phase') element.classList.add('of-router')
  return element
}

function barElement(
  { span, tone, critical, trace, segments }: Bar,
  end: number,
  compared: boolean,
): HTMLElement {
  const element = h('div', { class: `bar ${tone} trace-${trace}` })
  if (critical) element.classList.add('critical')
  place(element, { left: share(span.start, end), width: share(span.end - span.start, end) })
  const length = span.end - span.start
  // Two traces at once are enough to look at.
  for (const { kind, span: part } of compared ? [] : segments) {
    element.append(
      place(h('span', { class: `segment ${kind}` }), {
        left: share(part.start - span.start, length),
        width: share(part.end - part.start, length),
      }),
    )
  }
  return element
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : (part / whole) * 100}%`
}

/** From here on a label is wider than what is left of the axis. */
const LAST_TICK = 0.9

function axisElement({ end, axis }: WaterfallInput): HTMLElement {
  const ticks = ticksOf(end, TICKS[axis]).filter((tick) => axis === 'time' || tick < end)
  return h(
    'div',
    { class: 'axis', 'aria-hidden': 'true' },
    h('div', { class: 'name' }, axis === 'time' ? 'Time since the request came' : 'Order'),
    h(
      'div',
      { class: 'track' },
      ...ticks.map((tick) => {
        const text = axis === 'time' ? printDuration(tick) : `step ${tick + 1}`
        return place(h('span', { class: tick > LAST_TICK * end ? 'tick last' : 'tick' }, text), {
          left: share(tick, end),
        })
      }),
    ),
  )
}

function gridElement({ end, axis }: WaterfallInput): HTMLElement {
  return h(
    'div',
    { class: 'grid', 'aria-hidden': 'true' },
    h('div', {}),
    h(
      'div',
      { class: 'track' },
      ...ticksOf(end, TICKS[axis]).map((tick) => place(h('i'), { left: share(tick, end) })),
    ),
  )
}
