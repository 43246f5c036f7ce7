/** Shows where two answers differ, member by member. */
import type { Comparison } from '../model/comparison.ts'
import type { JsonDifference } from '../model/json-differences.ts'
import { foldedSection } from './blocks.ts'
import { type Child, h } from './dom.ts'

export function differenceTable(differences: readonly JsonDifference[]): HTMLElement {
  const cell = (value: string | null) => h('td', {}, value ?? h('em', {}, 'absent'))
  const rows = differences.map(({ path, a, b }) =>
    h('tr', {}, h('th', { scope: 'row' }, path === '' ? 'the whole' : path), cell(a), cell(b)),
  )
  const head = ['Member', 'A', 'B'].map((text) => h('th', { scope: 'col' }, text))
  return h('table', { class: 'differences' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows))
}

/** Shows how the answers to the clients differ, closed until somebody wants it. */
export function answerDifferences({ answer }: Comparison): Child {
  if (answer.kind !== 'different') return null
  return h(
    'div',
    { class: 'client' },
    foldedSection('Differences of what the clients were answered', false, () => [
      differenceTable(answer.differences),
    ]),
  )
}
