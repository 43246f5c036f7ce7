/** docs/log-events.md has what sources declare of log events, and each line follows a declaration. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sources } from '../src/declarations.ts'
import { declaredEvents, withEvents } from '../src/log-events-page.ts'
import { ROOT } from './pages/commands.ts'

const page = readFileSync(join(ROOT, 'docs/log-events.md'), 'utf8')

describe('docs/log-events.md', () => {
  let events: Awaited<ReturnType<typeof declaredEvents>>
  beforeAll(async () => {
    events = await declaredEvents()
  })

  it('has what the sources declare (`node docs/src/write-pages.ts`)', () => {
    expect(events.length).toBeGreaterThan(150)
    expect(page).toBe(withEvents(page, events))
    expect([...page.matchAll(/^\| `[a-z][a-z-]*\./gm)].length).toBe(events.length)
  })

  it('has one event of a name in each service', () => {
    const names = events.map(({ place, declaration: { name } }) => `${place} ${name}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('says what to do where somebody is to look', () => {
    const grave = events.filter(({ declaration: { facts } }) =>
      [facts.level].flat().some((level) => level === 'error' || level === 'fatal'),
    )
    expect(grave.length).toBeGreaterThan(15)
    expect(grave.flatMap(({ declaration: { name, facts } }) => ((facts.advice ?? '') ? [] : [name]))).toEqual(
      [],
    )
  })

  it('has no event that nothing writes', () => {
    const files = sources()
    const declared = files.flatMap(({ file, text }) =>
      [...text.matchAll(/^(export const )?\s*(\w+)(?: =|:) logEvent\(/gm)].map(([, isAlone, name = '']) => ({
        file,
        name,
        isAlone: isAlone !== undefined,
      })),
    )
    expect(declared.length).toBe(events.length)
    const unwritten = declared.filter(({ file, name, isAlone }) => {
      const use = new RegExp(isAlone ? `\\b${name}\\.` : `(?:LOGGED|#events)\\.${name}\\b`)
      const users = files.filter(
        (user) => isAlone || user.file === file || user.text.includes(`/${basename(file)}'`),
      )
      return !users.some(({ text }) => use.test(text))
    })
    expect(unwritten.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('sees every event: no line is written without a declaration', () => {
    const line =
      /\bevent: [`'][a-z][a-z0-9-]*\.[^]{0,40}|(?:logger|log)\.(?:fatal|error|warn|info|debug)\([^]{0,40}/g
    const undeclared = sources().flatMap(({ file, text }) =>
      [...text.matchAll(line)].map(([found]) => `${file}: ${found}`),
    )
    expect(undeclared).toEqual([])
  })
})
