/** docs/cli.md is what the command line says about itself. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printReference } from '../../services/cli/src/reference/print-reference.ts'

describe('docs/cli.md', () => {
  it('describes every command as it is (written by `node services/cli/src/reference/main.ts`)', () => {
    const page = readFileSync(new URL('../cli.md', import.meta.url), 'utf8')
    expect(page).toBe(printReference())
  })
})
