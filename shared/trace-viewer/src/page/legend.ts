/** Explains the bars that occur, and the keys. */
import type { Bar, RowLane } from '../model/rows.ts'
import { h } from './dom.ts'

export type LegendInput = {
  readonly lanes: readonly RowLane[]
  readonly axis: 'time' | 'order'
  readonly compared: boolean
}

export function legend({ lanes, axis, compared }: LegendInput): HTMLElement {
  const rows = lanes.flatMap((lane) => lane.rows)
  const bars = rows.flatMap((row) => row.bars)
  const hasTone = (tone: Bar['tone']) => bars.some((bar) => bar.tone === tone)
  const hasSegments = !compared && bars.some(({ segments }) => segments.length > 0)
  const entries: readonly (readonly [string, string, boolean])[] = [
    ['bar phase', 'router', hasTone('phase')],
    ['bar fetch', 'fetch', hasTone('fetch') && !hasSegments],
    ['bar fetch sample-connect', 'connecting', hasSegments],
    ['bar fetch sample-wait', 'waiting for the first byte', hasSegments],
    ['bar fetch sample-receive', 'receiving', hasSegments],
    [
      'bar fetch critical',
      axis === 'time' ? 'on the critical path' : 'in the longest chain',
      bars.some(({ critical }) => critical),
    ],
    ['bar shared', 'shared answer', hasTone('shared')],
    ['bar planned', 'not loaded', hasTone('planned')],
    ['bar bad', 'failed', hasTone('bad')],
  ]
  return h(
    'div',
    { class: 'legend' },
    ...(compared ? [h('span', {}, 'Upper, filled bar: A. Lower, hollow bar: B.')] : []),
    ...entries.flatMap(([classes, text, shown]) =>
      shown ? [h('span', {}, h('i', { class: `sample ${classes}`, 'aria-hidden': 'true' }), text)] : [],
    ),
    h(
      'span',
      { class: 'keys' },
      key('↑'),
      key('↓'),
      ' move ',
      key('Enter'),
      ' open ',
      key('Esc'),
      ' close ',
      key('/'),
      ' filter',
    ),
  )
}

function key(text: string): HTMLElement {
  return h('kbd', {}, text)
}
