/**
 * docs/architecture.md names the files of the steps of a publish, from the command line to the swap in
 * routers.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8')
const steps = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
  ([, number = '', sentence = '', file = '', name = '']) => ({ number, sentence, file, name }),
)

describe('what a publish does', () => {
  it('is numbered, from the command to its answer', () => {
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => String(index + 1)))
  })

  it.each(steps)('step $number is one sentence', ({ sentence }) => {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/)
  })

  it.each(steps)('step $number: $file has $name', ({ file, name }) => {
    const source = readFileSync(new URL(file, ROOT), 'utf8')
    expect(source).toMatch(new RegExp(`^export (?:async )?(?:const|function|class) ${name}\\b`, 'm'))
  })

  it('passes through every service', () => {
    const services = steps.map(({ file }) => file.split('/').slice(0, 2).join('/'))
    for (const name of ['cli', 'registry', 'composer', 'config-distribution', 'router'])
      expect(services).toContain(`services/${name}`)
  })
})
