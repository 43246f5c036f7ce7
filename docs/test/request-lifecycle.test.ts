/**
 * docs/request-lifecycle.md names the files of the steps of a request, in the order in which the router takes
 * them.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const SOURCES = new URL('../../services/router/src/', import.meta.url)
type Step = { readonly number: string; readonly file: string; readonly name: string }

const page = readFileSync(new URL('../request-lifecycle.md', import.meta.url), 'utf8')
const steps: readonly Step[] = [...page.matchAll(/^\| (\d+) \| [^|]+\. \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
  ([, number = '', file = '', name = '']) => ({ number, file, name }),
)

describe('docs/request-lifecycle.md', () => {
  it('numbers its steps', () => {
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => String(index + 1)))
  })

  it.each(steps)('step $number: $file has $name', ({ file, name }) => {
    expect(source(file)).toMatch(new RegExp(`^export (?:async )?(?:function|class) ${name}\\b`, 'm'))
  })

  it.each(['pipeline/graphql-route.ts', 'pipeline/stages.ts'])('has the order of %s', (file) => {
    const called = calledIn(file)
    const listed = steps.map(({ name }) => name).filter((name) => called.includes(name))
    expect(listed.length).toBeGreaterThan(1)
    expect(called.filter((name) => listed.includes(name))).toEqual(listed)
  })

  it('leaves no stage out', () => {
    const listed = new Set(steps.map(({ name }) => name))
    expect(calledIn('pipeline/stages.ts').length).toBeGreaterThan(15)
    expect(calledIn('pipeline/stages.ts').filter((name) => !listed.has(name))).toEqual([])
  })
})

function source(file: string): string {
  return readFileSync(new URL(file, SOURCES), 'utf8')
}

/**
 * Functions of other files that a file calls, in order. A call that ends the function is no step.
 */
function calledIn(file: string): readonly string[] {
  const text = source(file)
  const body = text.slice(text.lastIndexOf('\nimport '))
  const names = [...text.matchAll(/^import \{ ([^}]+) \} from '\.{1,2}\/[^']+'$/gm)].flatMap(
    ([, list = '']) => list.split(', ').filter((name) => /^[a-z]\w*$/.test(name)),
  )
  const callOf = (name: string) => body.search(new RegExp(`(?<!return )\\b${name}\\(`))
  return names.filter((name) => callOf(name) >= 0).toSorted((a, b) => callOf(a) - callOf(b))
}
