/** docs/verify.md lists the limits of stitching as the program knows them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { STITCHING_LIMITS } from '../../shared/second-opinion/src/stitching-limits.ts'

describe('docs/verify.md', () => {
  const page = readFileSync(new URL('../verify.md', import.meta.url), 'utf8')

  it('lists every limit of stitching, and none that is gone', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, id, description]) => ({
      id,
      description,
    }))
    expect(rows).toEqual(STITCHING_LIMITS)
  })
})
