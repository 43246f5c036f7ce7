/**
 * The parts that details are made of: facts, headers, code. Long code is shown in pieces, when it is asked
 * for.
 */
import type { TraceHeaders } from '@switchyard/request-trace'
import { counted } from '../model/format.ts'
import { copyButton } from './copy.ts'
import { button, type Child, h, shown } from './dom.ts'

const FIRST_LINES = 200
const MORE_LINES = 2_000
/** A line without an end would stop the browser's layout. */
const LINE_LENGTH = 5_000

export function facts(entries: readonly (readonly [string, Child])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  )
}

/** A part that can be closed; `fill` is called when it is opened for the first time. */
export function foldedSection(title: string, open: boolean, fill: () => readonly Child[]): HTMLElement {
  const body = h('div', { class: 'section-body' })
  const element = h('details', { class: 'section', open }, h('summary', {}, title), body)
  let filled = false
  const fillOnce = () => {
    if (filled || !element.open) return
    filled = true
    body.append(
      ...fill()
        .filter((child) => child !== null)
        .map(shown),
    )
  }
  element.addEventListener('toggle', fillOnce)
  fillOnce()
  return element
}

export function remark(text: string): HTMLElement {
  return h('p', { class: 'remark' }, text)
}

export function headerTable(headers: TraceHeaders): HTMLElement {
  const rows = Object.entries(headers).flatMap(([name, given]) =>
    (typeof given === 'string' ? [given] : given).map((value) => {
      const redacted = value === '[redacted]'
      return h(
        'tr',
        {},
        h('th', { scope: 'row' }, name),
        h('td', redacted ? { class: 'redacted' } : {}, redacted ? 'redacted' : value),
      )
    }),
  )
  if (rows.length === 0) return remark('No headers.')
  return h('table', { class: 'headers' }, h('tbody', {}, ...rows))
}

export function jsonBlock(label: string, value: unknown): HTMLElement {
  if (typeof value === 'string') return codeBlock(label, value, null)
  return codeBlock(label, JSON.stringify(value, null, 2) ?? 'undefined', JSON_TOKEN)
}

export function graphqlBlock(label: string, text: string): HTMLElement {
  return codeBlock(label, text, GRAPHQL_TOKEN)
}

export function textBlock(label: string, text: string): HTMLElement {
  return codeBlock(label, text, null)
}

/** Each named group is the class of what it matches. */
const JSON_TOKEN =
  /(?<name>"(?:\\.|[^"\\])*")(?=:)|(?<text>"(?:\\.|[^"\\])*")|(?<literal>\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/g
const GRAPHQL_TOKEN =
  /(?<text>"(?:\\.|[^"\\])*")|(?<keyword>\b(?:query|mutation|subscription|fragment|on)\b(?!\s*[:(]))|(?<literal>@\w+)|(?<name>\$\w+)/g

function codeBlock(label: string, text: string, tokens: RegExp | null): HTMLElement {
  const lines = text.split('\n')
  // Scrolls, so it has to be reachable with the keyboard.
  const code = h('pre', { tabindex: 0, role: 'group', 'aria-label': label })
  const append = (from: number, count: number) => {
    const part = lines
      .slice(from, from + count)
      .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line))
      .join('\n')
    code.append(...(tokens === null ? [part] : coloured(part, tokens)).map(shown))
  }
  append(0, FIRST_LINES)
  const block = h(
    'div',
    { class: 'code' },
    h(
      'div',
      { class: 'code-head' },
      h('span', {}, label),
      copyButton('Copy', () => text),
    ),
    code,
  )
  let count = Math.min(FIRST_LINES, lines.length)
  if (count < lines.length) {
    const more = button(moreText(lines.length - count), { class: 'more' }, () => {
      code.append('\n')
      append(count, MORE_LINES)
      count = Math.min(count + MORE_LINES, lines.length)
      if (count < lines.length) more.textContent = moreText(lines.length - count)
      else {
        more.remove()
        code.focus()
      }
    })
    block.append(more)
  }
  return block
}

function moreText(left: number): string {
  return left <= MORE_LINES
    ? `Show ${counted(left, 'more line', 'more lines')}`
    : `Show ${MORE_LINES} of ${left} more lines`
}

function coloured(text: string, tokens: RegExp): readonly (Node | string)[] {
  const parts: (Node | string)[] = []
  let at = 0
  for (const match of text.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? ''
    if (match.index > at) parts.push(text.slice(at, match.index))
    parts.push(h('span', { class: `code-${kind}` }, match[0]))
    at = match.index + match[0].length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}
