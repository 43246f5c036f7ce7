/** The top of the page: which request, answered by what, how long it took, and what to look at. */
import type { TracedError } from '@switchyard/request-trace'
import type { Comparison } from '../model/comparison.ts'
import { byteSize, counted, printDuration, durationDifference, percent } from '../model/format.ts'
import { layOutGraphql } from '../model/graphql-text.ts'
import type { Insight } from '../model/insights.ts'
import { fetchRowId } from '../model/rows.ts'
import { rolloutLines, standInText, whyChosen } from '../model/rollout-lines.ts'
import type { Timeline } from '../model/timeline.ts'
import { type Totals, totalsOf } from '../model/totals.ts'
import { graphqlBlock, headerTable, jsonBlock, remark, foldedSection } from './blocks.ts'
import { button, type Child, h, place, sign } from './dom.ts'

export function requestHeading({ trace }: Timeline, title: string | null): HTMLElement {
  return h(
    'header',
    { class: 'heading' },
    h('h1', {}, title ?? operationTitle(trace.request.body)),
    h('p', { class: 'origin' }, ...originOf({ trace })),
  )
}

export function comparisonHeading({ a, b }: Comparison, titles: readonly [string, string]): HTMLElement {
  const side = (name: string, title: string, timeline: Timeline) =>
    h(
      'div',
      { class: `side-heading side-${name.toLowerCase()}` },
      h('h2', {}, h('b', { class: 'letter' }, name), title),
      h('p', { class: 'origin' }, ...originOf(timeline)),
    )
  return h(
    'header',
    { class: 'heading' },
    h('h1', {}, 'Two traces compared'),
    h('div', { class: 'side-headings' }, side('A', titles[0], a), side('B', titles[1], b)),
  )
}

export function operationTitle({ query, operationName }: Timeline['trace']['request']['body']): string {
  if (operationName !== null && operationName !== '') return operationName
  if (query === null) return 'Request without a query'
  const [, name] = /^\s*(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/.exec(query) ?? []
  return name ?? 'Anonymous operation'
}

const REASONS = {
  header: 'named by the header',
  cookie: 'named by the cookie',
  none: null,
  unknown: 'the flag that was named is unknown',
  'not-served': 'the flag that was named is not served',
  rollout: 'chosen by a rollout',
  'rollout-control': 'outside of the percentage of a rollout',
  'rollout-not-ready': 'chosen by a rollout, but its flag is not built',
} as const

function originOf({ trace }: Pick<Timeline, 'trace'>): readonly Child[] {
  const { composition, info, request } = trace
  const graph = composition.feature_flag === null ? 'base graph' : `flag ${composition.feature_flag}`
  const why = REASONS[composition.reason]
  const parts = [
    `${request.method} ${request.url}`,
    why === null ? graph : `${graph} (${why})`,
    ...standInOf(trace),
    composition.revision === 0 ? 'config from a file' : `revision ${composition.revision}`,
    `composition ${composition.artifact.slice(0, 8)}`,
    ...(info.trace_start_time === '' ? [] : [info.trace_start_time.replace('T', ' ')]),
    ...askedBy(trace),
    ...costOf(trace),
    ...limitsOf(trace),
    ...labelsOf(trace),
  ]
  return parts.map((part) => h('span', {}, part))
}

function standInOf({ stand_in: standIn }: Timeline['trace']): readonly string[] {
  if (standIn === undefined) return []
  return [standIn.overruled === true ? 'not as for another user' : 'as for another user']
}

function askedBy({ asked_by: asked }: Timeline['trace']): readonly string[] {
  if (asked === undefined) return []
  const { client, token, document } = asked
  const who = token?.subject === undefined ? 'a token' : `the token of ${token.subject}`
  return [
    ...(client === undefined ? [] : [`client ${[client.name, client.version ?? ''].join(' ').trim()}`]),
    ...(token === undefined ? [] : [`${who}, verified as ${token.provider}`]),
    ...(document === undefined ? [] : [`document ${document}`]),
  ]
}

function limitsOf({ rate_limits: limits = [] }: Timeline['trace']): readonly string[] {
  if (limits.length === 0) return []
  const named = limits.map(({ name, exceeded }) => (exceeded ? `${name} (exceeded, not enforced)` : name))
  return [`counts for ${limits.length === 1 ? 'the rate limit' : 'the rate limits'} ${named.join(', ')}`]
}

function labelsOf({ override_labels: labels = [] }: Timeline['trace']): readonly string[] {
  return labels.length === 0 ? [] : [`active override labels: ${labels.join(', ')}`]
}

function costOf({ cost }: Timeline['trace']): readonly string[] {
  if (cost === undefined) return []
  const { estimated, actual, exceeded } = cost
  const over = exceeded === null ? '' : `, over the limit of the ${exceeded}`
  return [
    actual === null ? `cost ${estimated} estimated${over}` : `cost ${actual}, ${estimated} estimated${over}`,
  ]
}

export function warningsOf({ trace }: Timeline): Child {
  const { warnings: remarks = [], denied = [] } = trace
  const warnings = denied.length === 0 ? remarks : [...remarks, `Not for who asked: ${denied.join(', ')}`]
  if (warnings.length === 0) return null
  return h(
    'ul',
    { class: 'warnings', 'aria-label': 'Warnings' },
    ...warnings.map((text) => h('li', {}, sign('!'), text)),
  )
}

/** How many different errors of the response are quoted, and at how many places each. */
const QUOTED = 5
const PLACES = 3

/**
 * Shows the errors that the client received, if the trace is from a response. Errors with the same message
 * are shown once.
 */
export function responseErrors(errors: readonly TracedError[]): Child {
  if (errors.length === 0) return null
  const groups = [...Map.groupBy(errors, ({ message }) => message)]
  const more = groups.slice(QUOTED).reduce((sum, [, alike]) => sum + alike.length, 0)
  return h(
    'ul',
    { class: 'warnings errors', 'aria-label': 'Errors of the response' },
    ...groups.slice(0, QUOTED).map(([message, alike]) => h('li', {}, sign('✕'), message, placesOf(alike))),
    more > 0 ? h('li', {}, sign('✕'), `… and ${counted(more, 'more error', 'more errors')}`) : null,
  )
}

/** Returns the places in the response of errors with the same message. */
function placesOf(errors: readonly TracedError[]): string {
  const paths = errors.flatMap(({ path }) => (path === null ? [] : [path]))
  if (paths.length === 0) return errors.length === 1 ? '' : ` (${errors.length} times)`
  const more = errors.length - Math.min(paths.length, PLACES)
  const places = paths.slice(0, PLACES).join(', ')
  return ` (at ${places}${more > 0 ? `, and ${more} more` : ''})`
}

/** Parts of the whole as a bar: by subgraph on the critical path it would be a riddle, so only these two. */
function shareBar({ total, inSubgraphs }: Totals): Child {
  if (total === null || total === 0 || inSubgraphs === null) return null
  const text = `Subgraphs ${percent(inSubgraphs, total)}, router ${percent(total - inSubgraphs, total)}`
  return h(
    'div',
    { class: 'share', role: 'img', 'aria-label': text },
    place(h('i', { class: 'share-subgraphs' }), { width: `${(inSubgraphs / total) * 100}%` }),
    h('i', { class: 'share-router' }),
  )
}

export function totalTiles(timeline: Timeline): HTMLElement {
  const totals = totalsOf(timeline)
  const { total, inSubgraphs, inRouter } = totals
  return h(
    'div',
    { class: 'totals card' },
    h(
      'dl',
      { class: 'tiles' },
      ...(total === null
        ? []
        : [
            tile(
              'Total',
              time(total),
              totals.fetches === 0 ? 'in the router alone' : 'until the last answer',
            ),
            tile('In subgraphs', time(inSubgraphs), shareText(inSubgraphs, total), 'key-subgraphs'),
            tile('In the router', time(inRouter), shareText(inRouter, total), 'key-router'),
          ]),
      tile('Fetches', String(totals.fetches), fetchText(totals), totals.failed > 0 ? 'bad' : ''),
      ...(totals.bytes === null ? [] : [tile('Received', byteSize(totals.bytes), 'bodies of the answers')]),
    ),
    shareBar(totals),
  )
}

export function comparedTiles({ a, b, axis }: Comparison): HTMLElement {
  const [before, after] = [totalsOf(a), totalsOf(b)]
  const times = (name: string, from: number | null, to: number | null) => {
    const known = from !== null && to !== null
    return tile(name, `${time(from)} → ${time(to)}`, known ? durationDifference(to - from) : '')
  }
  const counts = (from: number, to: number) =>
    from === to ? 'the same' : `${to > from ? '+' : '−'}${Math.abs(to - from)}`
  const sizes = [before.bytes, after.bytes].map((bytes) => (bytes === null ? '–' : byteSize(bytes)))
  return h(
    'div',
    { class: 'totals compared card' },
    h(
      'dl',
      { class: 'tiles' },
      ...(axis === 'order'
        ? []
        : [
            times('Total', before.total, after.total),
            times('In subgraphs', before.inSubgraphs, after.inSubgraphs),
            times('In the router', before.inRouter, after.inRouter),
          ]),
      tile('Fetches', `${before.fetches} → ${after.fetches}`, counts(before.fetches, after.fetches)),
      tile('Failed', `${before.failed} → ${after.failed}`, counts(before.failed, after.failed)),
      tile('Received', sizes.join(' → '), ''),
    ),
  )
}

function tile(name: string, value: string, more: string, tone = ''): HTMLElement {
  return h('div', { class: `tile ${tone}` }, h('dt', {}, name), h('dd', {}, value, h('small', {}, more)))
}

function time(nanoseconds: number | null): string {
  return nanoseconds === null ? '–' : printDuration(nanoseconds)
}

function shareText(part: number | null, whole: number | null): string {
  return part === null || whole === null ? '' : percent(part, whole)
}

function fetchText({ failed, shared, skipped, notLoaded, unrecorded, requests }: Totals): string {
  if (unrecorded > 0) return 'what became of them is left out'
  const parts = [
    ...(failed === 0 ? [] : [`✕ ${failed} failed`]),
    ...(shared === 0 ? [] : [`⇄ ${shared} shared`]),
    ...(skipped === 0 ? [] : [`⊘ ${skipped} skipped`]),
    ...(notLoaded === 0 ? [] : [`◌ ${notLoaded} not loaded`]),
  ]
  return parts.length === 0 ? `${counted(requests, 'request', 'requests')} made` : parts.join(' · ')
}

const SIGNS = { slow: '◆', bad: '✕', note: '·' } as const

export function insightList(insights: readonly Insight[], goTo: (id: string) => void): Child {
  if (insights.length === 0) return null
  return h(
    'section',
    { class: 'insights card', 'aria-label': 'What stands out' },
    h('h2', {}, 'What stands out'),
    h(
      'ul',
      {},
      ...insights.map(({ tone, text, fetch }) =>
        h(
          'li',
          { class: tone },
          sign(SIGNS[tone]),
          fetch === null ? h('span', {}, text) : linked(text, fetch, goTo),
        ),
      ),
    ),
  )
}

function linked(text: string, fetch: number, goTo: (id: string) => void): HTMLElement {
  return button(text, { class: 'link' }, () => {
    goTo(fetchRowId(fetch))
  })
}

/**
 * Why this composition answered. The rollouts that the request was compared with are closed until somebody
 * wants them, unless somebody asked for another user to see them.
 */
export function choiceOfComposition({ trace }: Timeline): Child {
  const rollouts = rolloutLines(trace)
  const standIn = standInText(trace)
  if (rollouts.length === 0 && standIn === null) return null
  const items = rollouts.map(({ line, conditions }) =>
    h(
      'li',
      {},
      line,
      ...(conditions.length === 0
        ? []
        : [h('ul', {}, ...conditions.map((condition) => h('li', {}, condition)))]),
    ),
  )
  return h(
    'section',
    { class: 'choice', 'aria-label': 'Why this composition' },
    standIn === null ? null : h('p', { class: 'stand-in' }, sign('⇢'), standIn),
    h('p', {}, whyChosen(trace)),
    rollouts.length === 0
      ? null
      : foldedSection('Rollouts, in the order in which they were looked at', standIn !== null, () => [
          h('ol', { class: 'rollouts' }, ...items),
        ]),
  )
}

/** The client's request, closed until somebody wants it. */
export function clientRequest({ trace: { request } }: Timeline, title: string): HTMLElement {
  const { query, variables } = request.body
  return h(
    'div',
    { class: 'client' },
    foldedSection(title, false, () => [
      query === null ? remark('It had no query.') : graphqlBlock('Query', layOutGraphql(query)),
      ...(variables === null ? [] : [jsonBlock('Variables', variables)]),
      headerTable(request.headers),
    ]),
  )
}
