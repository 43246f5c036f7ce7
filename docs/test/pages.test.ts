/** Commands that the pages show work as they stand there; the long ones are in pages.full.test.ts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsOf, PAGES, ROOT } from './pages/commands.ts'
import { isRunHere, NOT_RUN, RUN_ELSEWHERE, SUITES } from './pages/not-run.ts'
import { LONG, SHORT, testPages } from './pages/page-runs.ts'

const RUNS = { ...SHORT, ...LONG }

describe('every command of a page', () => {
  it('is run by a test, or has a reason not to be', () => {
    const missing = PAGES.filter((page) => RUNS[page] === undefined).flatMap((page) =>
      commandsOf(page)
        .filter((command) => isRunHere(page, command))
        .map((command) => `${page}: ${command}`),
    )
    expect(missing).toEqual([])
  })

  it('that is not run here still stands on its page', () => {
    const gone = [...NOT_RUN, ...RUN_ELSEWHERE].flatMap(({ page, commands }) =>
      commands.filter((begin) => !commandsOf(page).some((command) => `${command}\n`.startsWith(begin))),
    )
    expect(gone).toEqual([])
  })

  it('that another test runs is read from its page there', () => {
    for (const suite of Object.values(SUITES)) expect(existsSync(join(ROOT, suite)), suite).toBe(true)
  })

  it('is left out of a page that is run only where something else of the page is run', () => {
    for (const page of Object.keys(RUNS))
      expect(
        commandsOf(page).some((command) => isRunHere(page, command)),
        page,
      ).toBe(true)
  })

  it('that is typed in some other way still stands on its page', () => {
    for (const [page, { typed = {} }] of Object.entries(RUNS))
      for (const command of Object.keys(typed)) expect(commandsOf(page), page).toContain(command)
  })
})

describe('the commands of', () => testPages(SHORT))
