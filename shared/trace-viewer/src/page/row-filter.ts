/** Which rows are shown: by subgraph or path, and only critical ones or failures. */
import type { RowLane } from '../model/rows.ts'
import { button, h } from './dom.ts'

export type RowFilter = {
  readonly element: HTMLElement
  readonly clear: () => void
  readonly focus: () => void
}

export function createRowFilter(
  lanes: readonly RowLane[],
  elements: ReadonlyMap<string, HTMLElement>,
): RowFilter {
  const total = lanes.reduce((sum, { rows }) => sum + rows.length, 0)
  const text = h('input', {
    type: 'search',
    placeholder: 'Filter by subgraph or path',
    'aria-label': 'Filter by subgraph or path',
    spellcheck: 'false',
    autocomplete: 'off',
  })
  const count = h('span', { class: 'count', role: 'status' })
  let only: 'all' | 'critical' | 'bad' = 'all'
  const apply = () => {
    const wanted = text.value.trim().toLowerCase()
    let shown = 0
    for (const { id, rows } of lanes) {
      let shownHere = 0
      for (const row of rows) {
        const element = elements.get(row.id)
        if (element === undefined) continue
        const matches =
          `${row.title} ${row.path}`.toLowerCase().includes(wanted) &&
          (only === 'all' || (only === 'bad' ? row.bad : row.critical))
        element.hidden = !matches
        if (matches) shownHere += 1
      }
      shown += shownHere
      const [some] = rows
      const lane =
        some === undefined
          ? null
          : elements.get(some.id)?.closest<HTMLElement>(`[data-lane="${CSS.escape(id)}"]`)
      if (lane !== null && lane !== undefined) lane.hidden = shownHere === 0
    }
    count.textContent = shown === total ? '' : `${shown} of ${total} rows`
  }
  const choices = (
    [
      ['all', 'All'],
      ['critical', '◆ Critical'],
      ['bad', '✕ Errors'],
    ] as const
  ).map(([value, title]) => ({
    value,
    element: button(title, { 'aria-pressed': value === 'all' ? 'true' : 'false' }, () => {
      choose(value)
    }),
  }))
  const choose = (value: typeof only) => {
    only = value
    for (const choice of choices) choice.element.setAttribute('aria-pressed', String(choice.value === value))
    apply()
  }
  text.addEventListener('input', apply)
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || text.value === '') return
    text.value = ''
    apply()
    event.stopPropagation()
  })
  return {
    element: h(
      'div',
      { class: 'filter' },
      count,
      text,
      h(
        'div',
        { class: 'choices', role: 'group', 'aria-label': 'Which rows' },
        ...choices.map(({ element }) => element),
      ),
    ),
    clear: () => {
      text.value = ''
      choose('all')
    },
    focus: () => {
      text.focus()
    },
  }
}
