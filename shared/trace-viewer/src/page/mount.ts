/**
 * The viewer inside any element of a page. It loads nothing and keeps nothing outside that element. The page
 * brings the rules of `style.css`, which all begin with `.switchyard-trace`.
 */
import type { TracedError, Trace } from '@switchyard/request-trace'
import { comparisonInsights } from '../model/comparison-insights.ts'
import { compare, type Comparison } from '../model/comparison.ts'
import { insightsOf } from '../model/insights.ts'
import { jsonDifferences } from '../model/json-differences.ts'
import { comparisonRows, type Row, timelineRows } from '../model/rows.ts'
import { timelineOf } from '../model/timeline.ts'
import { totalsOf } from '../model/totals.ts'
import { detailsOf, type DetailsContext } from './details.ts'
import { answerDifferences } from './differences.ts'
import { button, type Child, h } from './dom.ts'
import {
  choiceOfComposition,
  clientRequest,
  comparedTiles,
  comparisonHeading,
  insightList,
  requestHeading,
  totalTiles,
  responseErrors,
  warningsOf,
} from './summary.ts'
import { createWaterfall, type Waterfall } from './waterfall.ts'

export type MountOptions = {
  readonly trace: Trace
  readonly title?: string | undefined
  /** The errors in the response that the trace is from. */
  readonly errors?: readonly TracedError[] | undefined
  /** A second trace, to show how it differs. */
  readonly compare?: Trace | undefined
  readonly compareTitle?: string | undefined
  /** The answer to the client, where it is known; compared with that of the second trace. */
  readonly answer?: unknown
  readonly compareAnswer?: unknown
}

export type MountedTrace = {
  /** Takes everything out of the element again. */
  readonly unmount: () => void
}

export function mountTrace(host: HTMLElement, options: MountOptions): MountedTrace {
  const a = timelineOf(options.trace)
  const b = options.compare === undefined ? null : timelineOf(options.compare)
  const both = b === null ? null : compare(a, b, { a: options.answer, b: options.compareAnswer })
  const root = h('div', { class: 'switchyard-trace' })
  const layout = h('div', { class: 'layout' })
  const panel = createPanel(() => {
    layout.classList.remove('with-details')
    waterfall.focus()
  })
  const show = (row: Row) => {
    panel.show(row, detailsOf(row, context))
    layout.classList.add('with-details')
  }
  const waterfall: Waterfall = createWaterfall(
    {
      lanes: both === null ? timelineRows(a) : comparisonRows(both),
      axis: both?.axis ?? a.axis,
      end: both?.end ?? a.end,
      compared: both !== null,
    },
    {
      selected: show,
      opened: (row) => {
        show(row)
        panel.focus()
      },
      escaped: panel.close,
    },
  )
  const context: DetailsContext = { a, b, goTo: waterfall.goTo }
  layout.append(waterfall.element, panel.element)
  const overview = (...cards: readonly Child[]) =>
    h('div', { class: 'overview' }, ...cards.filter((card) => card !== null))
  const top: readonly Child[] =
    both === null
      ? [
          requestHeading(a, options.title ?? null),
          choiceOfComposition(a),
          clientRequest(a, 'Operation of the client'),
          responseErrors(options.errors ?? []),
          warningsOf(a),
          overview(totalTiles(a), insightList(insightsOf(a, totalsOf(a)), waterfall.goTo)),
        ]
      : [
          comparisonHeading(both, [options.title ?? 'first trace', options.compareTitle ?? 'second trace']),
          ...(isSameOperation(both)
            ? [clientRequest(a, 'Operation of the client, the same in both')]
            : [
                clientRequest(a, 'Operation of the client in A'),
                clientRequest(both.b, 'Operation of the client in B'),
              ]),
          answerDifferences(both),
          overview(comparedTiles(both), insightList(comparisonInsights(both), waterfall.goTo)),
        ]
  const announcer = h('div', { class: 'off-screen', role: 'status', 'data-announcer': true })
  root.append(...top.filter((child) => child !== null), layout, announcer)
  root.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    waterfall.focusFilter()
  })
  host.append(root)
  return {
    unmount: () => {
      root.remove()
    },
  }
}

function isSameOperation({ a, b }: Comparison): boolean {
  return jsonDifferences(a.trace.request.body, b.trace.request.body, 1).length === 0
}

type Panel = {
  readonly element: HTMLElement
  readonly show: (row: Row, content: readonly Child[]) => void
  readonly focus: () => void
  readonly close: () => void
}

function createPanel(closed: () => void): Panel {
  const heading = h('h2', { tabindex: -1 })
  const body = h('div', { class: 'details-body' })
  const close = () => {
    if (element.hidden) return
    element.hidden = true
    closed()
  }
  const element = h(
    'aside',
    { class: 'details card', hidden: true, 'aria-label': 'Details' },
    h(
      'div',
      { class: 'details-head' },
      heading,
      button('×', { class: 'close', 'aria-label': 'Close details' }, close),
    ),
    body,
  )
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  })
  return {
    element,
    show: (row, content) => {
      heading.replaceChildren(row.title, ...(row.path === '' ? [] : [h('small', {}, row.path)]))
      body.replaceChildren(...content.filter((child) => child !== null))
      element.hidden = false
      element.scrollTop = 0
    },
    focus: () => {
      heading.focus()
    },
    close,
  }
}
