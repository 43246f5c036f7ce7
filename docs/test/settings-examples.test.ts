/**
 * The settings that the guides show are accepted by a router; configuration.md has a test of its own.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../services/router/src/config/router-config.ts'

const GUIDES = [
  'authentication',
  'authorization',
  'caching',
  'costs',
  'ill-subgraphs',
  'persisted-documents',
  'playground',
  'rate-limits',
]
const ENV = { SWITCHYARD_REDIS_URL: 'redis://localhost:6379' }

describe.each(GUIDES)('docs/%s.md', (guide) => {
  const page = readFileSync(new URL(`../${guide}.md`, import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)

  it('shows settings', () => {
    expect(examples.length).toBeGreaterThan(0)
  })

  it.each(examples)('shows settings that a router accepts: %s', (text) => {
    expect(() => loadRouterConfig({ env: ENV, file: { path: 'router.yaml', text } })).not.toThrow()
  })
})
