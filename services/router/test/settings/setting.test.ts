/** Declarations of settings, and what is found of them in a schema. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { section } from '../../src/settings/section.ts'
import { declaredSettings, setting } from '../../src/settings/setting.ts'

const Shared = z.string().default('')
const variable = { name: 'DEPTH', type: z.string() }
const Schema = section({
  first: setting(Shared, { needsRestart: true }),
  second: Shared,
  limits: section({ depth: setting(Shared, { variable }) }).refine(() => true),
  server: setting(z.strictObject({ url: Shared }).optional(), { needsRestart: true }),
  rules: z.array(z.strictObject({ name: Shared })).default([]),
})

describe('the declarations in a schema', () => {
  it('are those of its sections and settings, each with its own facts', () => {
    expect(
      declaredSettings(Schema).map(({ keys, facts, isSection }) => [keys.join('.'), isSection, facts]),
    ).toEqual([
      ['first', false, { needsRestart: true }],
      ['second', false, {}],
      ['limits', true, {}],
      ['limits.depth', false, { variable }],
      ['server', true, { needsRestart: true }],
      ['server.url', false, {}],
      ['rules', false, {}],
    ])
  })

  it('leave the schema as it is', () => {
    expect(Schema.parse({ limits: { depth: 'a' } })).toEqual({
      first: '',
      second: '',
      limits: { depth: 'a' },
      rules: [],
    })
  })
})
