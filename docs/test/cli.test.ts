/** docs/cli.md is what the command line says about itself. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printReference } from '../../services/cli/src/reference/print-reference.ts'

describe('docs/cli.md', () => {
  it('describes every command as it is (written by `node services/cli/src/reference/main.ts`)', async () => {
    const page = readFileSync(new URL('../cli.md', import.meta.url), 'utf8')
    expect(page).toBe(await printReference())
  })

  it('has a section with an example for every command, also for those in groups of groups', async () => {
    const page = await printReference()
    const sections = [...page.matchAll(/^#{3,4} `(registry trace-key[^`]*)`$/gm)].map(([, name]) => name)
    expect(sections).toEqual(['create', 'list', 'retire <id>'].map((name) => `registry trace-key ${name}`))
    expect(page).not.toContain('```sh\n\n```')
  })
})
