/** The commands of the pages, typed in as they stand there; see pages.test.ts. */
import { describe } from 'vitest'
import { LONG, testPages } from './pages/page-runs.ts'

describe('the commands of', () => testPages(LONG))
