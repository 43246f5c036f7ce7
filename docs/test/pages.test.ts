/** Commands that the pages show work as they stand there; the long ones are in pages.full.test.ts. */
import { describe, expect, it } from 'vitest'
import { commandsOf, PAGES } from './pages/commands.ts'
import { NOT_RUN } from './pages/not-run.ts'
import { LONG, reasonNotToRun, runPage, SHORT } from './pages/page-runs.ts'

describe('every command of a page', () => {
  it('is run by a test, or has a reason not to be', () => {
    const missing = PAGES.filter((page) => SHORT[page] === undefined && LONG[page] === undefined).flatMap(
      (page) =>
        commandsOf(page)
          .filter((command) => reasonNotToRun(page, command) === null)
          .map((command) => `${page}: ${command}`),
    )
    expect(missing).toEqual([])
  })

  it('that is not run still stands on its page', () => {
    const gone = NOT_RUN.flatMap(({ page, commands }) =>
      commands.filter((begin) => !commandsOf(page).some((command) => command.startsWith(begin))),
    )
    expect(gone).toEqual([])
  })

  it('is left out of a page that is run only where something else of the page is run', () => {
    for (const page of [...Object.keys(SHORT), ...Object.keys(LONG)])
      expect(
        commandsOf(page).some((command) => reasonNotToRun(page, command) === null),
        page,
      ).toBe(true)
  })
})

describe('the commands of', () => {
  it.each(Object.entries(SHORT))('%s work in the order in which they stand there', runPage)
})
