/** The commands of the pages, typed in as they stand there; see pages.test.ts. */
import { describe, it } from 'vitest'
import { LONG, runPage } from './pages/page-runs.ts'

describe('the commands of', () => {
  it.each(Object.entries(LONG))('%s work in the order in which they stand there', runPage)
})
