/**
 * Writes plain sentences about how two traces differ: in time, composition, plan and answers, in this order.
 */
import type { Trace } from '@switchyard/request-trace'
import type { Comparison, FetchPair } from './comparison.ts'
import { counted, printDuration, durationDifference, printList, percent } from './format.ts'
import type { Insight } from './insights.ts'
import { nameOf } from './timeline.ts'
import { totalsOf } from './totals.ts'

/** Nanoseconds: fetches that differ by less are not named. */
const WORTH_SAYING = 1_000_000

export function comparisonInsights(comparison: Comparison): readonly Insight[] {
  return [
    ...aboutTime(comparison),
    ...aboutComposition(comparison),
    ...aboutPlan(comparison),
    ...aboutFetches(comparison),
    ...aboutAnswer(comparison),
  ]
}

function aboutTime(comparison: Comparison): readonly Insight[] {
  const { a, b } = comparison
  const [before, after] = [totalsOf(a), totalsOf(b)]
  const found: Insight[] = []
  const add = (tone: Insight['tone'], text: string, fetch: number | null = null) => {
    found.push({ tone, text, fetch })
  }
  if (comparison.axis === 'order') {
    add('note', 'One of the traces has no real times: bars show the order, and times are not compared.')
  } else if (before.total !== null && after.total !== null) {
    const difference = after.total - before.total
    const how = difference === 0 ? 'as long as' : difference > 0 ? 'more than' : 'less than'
    const by =
      difference === 0
        ? ''
        : `${printDuration(Math.abs(difference))} (${percent(Math.abs(difference), before.total)}) `
    add(difference > 0 ? 'slow' : 'note', `B took ${by}${how} A.`)
  }
  const change = largestChange(comparison)
  if (change !== null)
    add('note', `The largest change: ${change.name}, ${durationDifference(change.difference)}.`, change.fetch)
  const slower = comparison.fetches.filter(({ difference }) => (difference ?? 0) >= WORTH_SAYING)
  const faster = comparison.fetches.filter(({ difference }) => (difference ?? 0) <= -WORTH_SAYING)
  // A single one is the largest change.
  if (slower.length + faster.length > 1) {
    const parts = [
      ...(slower.length === 0 ? [] : [`Slower in B by 1 ms or more: ${namesOf(slower)}.`]),
      ...(faster.length === 0 ? [] : [`Faster in B by 1 ms or more: ${namesOf(faster)}.`]),
    ]
    add('note', parts.join(' '))
  }
  return found
}

function aboutComposition({ a, b }: Comparison): readonly Insight[] {
  const [before, after] = [a.trace.composition, b.trace.composition]
  if (before.artifact === after.artifact) return []
  return [
    note(`Different compositions answered: ${compositionName(before)}, then ${compositionName(after)}.`),
  ]
}

function compositionName({ feature_flag: flag, revision }: Trace['composition']): string {
  const graph = flag === null ? 'the base graph' : `flag ${flag}`
  return revision === 0 ? graph : `${graph} of revision ${revision}`
}

function aboutPlan({ fetches }: Comparison): readonly Insight[] {
  const onlyA = fetches.filter((pair) => pair.b === null).length
  const onlyB = fetches.filter((pair) => pair.a === null).length
  const found: Insight[] = []
  if (onlyA + onlyB > 0) {
    const parts = [
      ...(onlyA === 0 ? [] : [`${counted(onlyA, 'fetch is', 'fetches are')} only in A`]),
      ...(onlyB === 0 ? [] : [`${counted(onlyB, 'fetch is', 'fetches are')} only in B`]),
    ]
    found.push(note(`${printList(parts)}.`))
  }
  for (const [plan, text] of PLAN_CHANGES) {
    const changed = fetches.filter((pair) => pair.plan === plan)
    const [first] = changed
    if (first !== undefined) found.push(note(`${namesOf(changed)} ${text}.`, fetches.indexOf(first)))
  }
  return found
}

const PLAN_CHANGES = [
  ['other-selection', 'asked for something else in B'],
  ['other-path', 'asked for the same at another place in B'],
] as const

function aboutFetches({ fetches }: Comparison): readonly Insight[] {
  const different = fetches.filter(({ result }) => result.kind === 'different')
  const [first] = different
  if (first !== undefined) {
    const text = `${namesOf(different)} answered differently.`
    return [{ tone: 'bad', text, fetch: fetches.indexOf(first) }]
  }
  return fetches.some(({ result }) => result.kind === 'same')
    ? [note('All answers of subgraphs that can be compared are the same.')]
    : []
}

function aboutAnswer({ answer }: Comparison): readonly Insight[] {
  switch (answer.kind) {
    case 'unknown':
      return []
    case 'same':
      return [note('The clients were answered the same.')]
    case 'different': {
      const [first] = answer.differences
      const at = first === undefined || first.path === '' ? '' : `, first at ${first.path}`
      return [{ tone: 'bad', text: `The clients were answered differently${at}.`, fetch: null }]
    }
    default:
      throw new TypeError(`unknown comparison ${String(answer satisfies never)}`)
  }
}

function note(text: string, fetch: number | null = null): Insight {
  return { tone: 'note', text, fetch }
}

/** Names the first three, and says how many more there are. */
function namesOf(pairs: readonly FetchPair[]): string {
  const names = pairs.slice(0, 3).flatMap(({ a, b }) => {
    const row = a ?? b
    return row === null ? [] : [nameOf(row)]
  })
  return printList([...names, ...(pairs.length > 3 ? [`${pairs.length - 3} more`] : [])])
}

type Change = { readonly name: string; readonly difference: number; readonly fetch: number | null }

/**
 * Finds the change that explains most of the difference: a fetch, a phase of the router, or all other work of
 * the router. If one trace took longer, the change is one that took longer there, too. Null if nothing
 * differs.
 */
function largestChange({ a, b, axis, lanes, fetches }: Comparison): Change | null {
  if (axis === 'order') return null
  const ofFetches = fetches.map((pair, fetch): Change => {
    const row = pair.b ?? pair.a
    return { name: row === null ? '' : nameOf(row), difference: pair.difference ?? 0, fetch }
  })
  const ofPhases = lanes.flatMap(({ phases }) =>
    phases.map((pair): Change => {
      const name = (pair.b ?? pair.a)?.name ?? ''
      return { name: `${name} in the router`, difference: pair.difference ?? 0, fetch: null }
    }),
  )
  const [before, after] = [totalsOf(a), totalsOf(b)]
  const inRouter = (after.inRouter ?? 0) - (before.inRouter ?? 0)
  const named = ofPhases.reduce((sum, { difference }) => sum + difference, 0)
  const rest: Change = { name: 'in the router', difference: inRouter - named, fetch: null }
  const direction = Math.sign((after.total ?? 0) - (before.total ?? 0))
  const [most] = [...ofFetches, ...ofPhases, rest]
    .filter(({ difference }) => difference !== 0)
    .filter(({ difference }) => direction === 0 || Math.sign(difference) === direction)
    .toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference))
  return most ?? null
}
