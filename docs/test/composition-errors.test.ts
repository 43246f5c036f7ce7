/** Every example of docs/composition-errors.md fails as it says, and composes once it is mended. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compose, printCompositionErrors } from '../../shared/composition/src/index.ts'

const page = readFileSync(fileURLToPath(new URL('../composition-errors.md', import.meta.url)), 'utf8')
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => {
    const code = /^.*/.exec(text)?.[0] ?? ''
    const [before = '', after = ''] = text.split(/^```text\n[^]*?^```$/m)
    return {
      code,
      printed: /^```text\n([^]*?)\n```$/m.exec(text)?.[1],
      bad: schemasIn(before),
      mended: schemasIn(after),
    }
  })

/** By subgraph; the first line of an example has its file. */
function schemasIn(text: string): ReadonlyMap<string, string> {
  const blocks = text.matchAll(/^```graphql\n# (\S+)\.graphql\n([^]*?)^```$/gm)
  return new Map([...blocks].map(([, name = '', sdl = '']) => [name, sdl]))
}

function composeAll(schemas: ReadonlyMap<string, string>) {
  return compose({
    subgraphs: [...schemas].map(([name, sdl]) => ({ name, routingUrl: 'http://localhost/', sdl })),
  })
}

describe('docs/composition-errors.md', () => {
  it('explains fifteen errors', () => {
    expect(new Set(sections.map(({ code }) => code)).size).toBe(15)
  })

  it.each(sections)('shows $code as it is printed', ({ code, printed, bad }) => {
    const result = composeAll(bad)
    const errors = result.kind === 'failed' ? result.errors : []
    expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]))
    const sources = new Map([...bad].map(([name, sdl]) => [name, { sdl, file: `${name}.graphql` }]))
    expect(printCompositionErrors(errors, sources)).toBe(printed)
  })

  it.each(sections)('mends $code', ({ bad, mended }) => {
    expect(mended.size).toBeGreaterThan(0)
    expect(composeAll(new Map([...bad, ...mended]))).toMatchObject({ kind: 'composed' })
  })
})
