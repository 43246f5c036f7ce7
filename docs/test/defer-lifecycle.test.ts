/**
 * docs/defer-lifecycle.md names the files of the steps from a document with `@defer` to a part of the answer.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ENGINE = new URL('../../shared/engine/src/', import.meta.url)
const ROUTER = new URL('../../services/router/src/', import.meta.url)

type Step = { readonly number: string; readonly sentence: string; readonly file: string }

const page = readFileSync(new URL('../defer-lifecycle.md', import.meta.url), 'utf8')
const steps: readonly Step[] = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| `([^`]+)` \|$/gm)].map(
  ([, number = '', sentence = '', file = '']) => ({ number, sentence, file }),
)

describe('docs/defer-lifecycle.md', () => {
  it('numbers its steps', () => {
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => String(index + 1)))
  })

  it.each(steps)('step $number is one sentence about a file that exists: $file', ({ sentence, file }) => {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/)
    const inRouter = file.startsWith('router/')
    expect(existsSync(new URL(file.replace(/^router\//, ''), inRouter ? ROUTER : ENGINE))).toBe(true)
  })

  it('leaves out no file of incremental delivery', () => {
    const folder = 'execution/incremental/'
    const files = readdirSync(new URL(folder, ENGINE)).map((name) => folder + name)
    const named = steps.map(({ file }) => file).filter((file) => file.startsWith(folder))
    expect(named.toSorted()).toEqual(files.toSorted())
  })
})
