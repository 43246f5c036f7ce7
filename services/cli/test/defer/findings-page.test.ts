/** docs/defer.md explains every finding of `defer doctor`. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FAULT_KINDS } from '../../src/defer/faults.ts'

it('has a row for each kind of finding, in the order in which they are told', () => {
  const page = readFileSync(new URL('../../../../docs/defer.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z0-9.-]+)` \|/gm)].map(([, kind]) => kind)
  expect(rows).toEqual([...FAULT_KINDS])
})
