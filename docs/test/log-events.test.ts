/**
 * docs/log-events.md has one row for each event that services log, with the levels, fields and services of
 * the code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAME = /'([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)'/g

type Logged = {
  readonly event: string
  readonly file: string
  /** Null: chosen somewhere else than beside the event. */
  readonly level: string | null
  /** As far as they are written beside the event. */
  readonly fields: readonly string[]
}

type Row = {
  readonly event: string
  readonly levels: readonly string[]
  readonly services: string
  readonly fields: readonly string[]
  readonly meaning: string
  readonly advice: string
}

function sources(): { readonly file: string; readonly text: string }[] {
  return ['shared', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((name) =>
      readdirSync(join(ROOT, group, name, 'src'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') })),
    ),
  )
}

/** Events stand as `event: 'name'`, as a choice of two such names, or in a table `…_EVENTS`. */
function loggedIn({ file, text }: { readonly file: string; readonly text: string }): Logged[] {
  const found: Logged[] = []
  for (const match of text.matchAll(/\bevent(?::| =) (?:[^,;{}]*?\? )?('[^,;{}]*')/g)) {
    const names = [...(match[1] ?? '').matchAll(NAME)].map(([, event = '']) => event)
    const before = text.slice(0, match.index)
    const level = /\.(fatal|error|warn|info|debug)\(\s*\{\s*$/.exec(before)?.[1] ?? null
    const rest = objectRest(text.slice(match.index + match[0].length))
    const fields = names.length === 1 && match[0].includes(':') ? fieldsOf(rest) : []
    for (const event of names) found.push({ event, file, level, fields })
  }
  for (const [table] of text.matchAll(/const \w*_EVENTS = \{[^]*?\n\} as const/g)) {
    for (const [, event = ''] of table.matchAll(NAME)) found.push({ event, file, level: null, fields: [] })
  }
  return found
}

/** Up to the end of the object that the event is a member of. */
function objectRest(text: string): string {
  let depth = 1
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? ''
    if ('{(['.includes(char)) depth++
    else if ('})]'.includes(char) && --depth === 0) return text.slice(0, index)
  }
  return text
}

/** Names of members of the object itself, without what is spread into it. */
function fieldsOf(members: string): readonly string[] {
  let flat = members
  // What is inside of brackets belongs to values.
  for (let before = ''; before !== flat; ) {
    before = flat
    flat = flat.replaceAll(/\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\]/g, '')
  }
  return flat.split(',').flatMap((member) => /^\s*(\w+)\s*(?::|$)/.exec(member)?.[1] ?? [])
}

const all = sources()
const logged = all.flatMap(loggedIn)
const page = readFileSync(join(ROOT, 'docs/log-events.md'), 'utf8')
const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, event = '', levels = '', services = '', fields = '', meaning = '', advice = ''] = line
      .split(' | ')
      .flatMap((cell, index) => (index === 0 ? ['', cell.slice(2)] : [cell.replace(/ ?\|$/, '')]))
      .map((cell) => cell.trim())
    return {
      event: event.replaceAll('`', ''),
      levels: levels.split(', '),
      services,
      fields: [...fields.matchAll(/`([\w]+)`/g)].map(([, field = '']) => field),
      meaning,
      advice,
    }
  })
const rowOf = new Map(rows.map((row) => [row.event, row]))

describe('docs/log-events.md', () => {
  it('has a row for every event, and one alone', () => {
    expect(new Set(logged.map(({ event }) => event)).size).toBeGreaterThan(100)
    expect([...new Set(logged.map(({ event }) => event))].filter((event) => !rowOf.has(event))).toEqual([])
    expect(rowOf.size).toBe(rows.length)
  })

  it('has no row for an event that is gone', () => {
    const events = new Set(logged.map(({ event }) => event))
    expect(rows.map(({ event }) => event).filter((event) => !events.has(event))).toEqual([])
  })

  it('names the levels at which events are logged', () => {
    const known = logged.filter(({ level }) => level !== null)
    expect(known.length).toBeGreaterThan(90)
    const wrong = known.filter(({ event, level }) => !rowOf.get(event)?.levels.includes(level ?? ''))
    expect(wrong.map(({ event, level }) => `${event}: ${level}`)).toEqual([])
  })

  it('names the services that log them', () => {
    const wrong = logged.filter(({ event, file }) => {
      const [group, service = ''] = file.split('/')
      const services = rowOf.get(event)?.services ?? ''
      return group === 'services' && !services.startsWith('all') && !services.split(', ').includes(service)
    })
    expect(wrong.map(({ event, file }) => `${event}: ${file}`)).toEqual([])
  })

  it('names the fields that stand beside events', () => {
    const missing = logged.flatMap(({ event, fields }) =>
      fields
        .filter((field) => !rowOf.get(event)?.fields.includes(field))
        .map((field) => `${event}: ${field}`),
    )
    expect(logged.flatMap(({ fields }) => fields).length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })

  it('says what each means, and what to do where somebody is to look', () => {
    expect(rows.filter(({ meaning }) => meaning === '')).toEqual([])
    const grave = rows.filter(({ levels }) => levels.some((level) => level === 'error' || level === 'fatal'))
    expect(grave.length).toBeGreaterThan(15)
    expect(grave.filter(({ advice }) => advice === '').map(({ event }) => event)).toEqual([])
  })

  it('sees every event: none is put together, and no line goes without', () => {
    const composed = all.filter(({ text }) => /\bevent: `/.test(text)).map(({ file }) => file)
    expect(composed).toEqual([])
    const call =
      /(?:logger|#log)\.(?:fatal|error|warn|info|debug)\((?!\s*(?:\{\s*event\b|facts\b|line\b|\w*[lL]ogged\w*\(|lineOf\())[^]{0,40}/g
    const withoutEvent = all.flatMap(({ file, text }) =>
      [...text.matchAll(call)].map(([line]) => `${file}: ${line}`),
    )
    expect(withoutEvent).toEqual([])
  })
})
