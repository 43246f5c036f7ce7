/** docs/composition-mistakes.md has what composing prints. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { composeMistake, mistakesPage } from '../src/mistakes-page.ts'
import { MISTAKES } from '../src/mistakes.ts'

describe('docs/composition-mistakes.md', () => {
  it('has what is printed (`node docs/src/write-pages.ts`)', () => {
    expect(readFileSync(new URL('../composition-mistakes.md', import.meta.url), 'utf8')).toBe(mistakesPage())
  })

  it.each(MISTAKES)('refuses: $title', (mistake) => {
    expect(composeMistake(mistake).kind).toBe('failed')
  })
})
