import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadRouterConfig } from '../../src/config.ts'

it('the settings that the README shows are the defaults', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(text).toContain('base_path')
  expect(loadRouterConfig({ file: { path: 'README.md', text } })).toEqual(loadRouterConfig())
})
