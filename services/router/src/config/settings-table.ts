/** The words about settings that docs/configuration.md and the published schema take from declarations. */
import { z } from 'zod'
import { declaredSettings, type DeclaredSetting } from '../settings/setting.ts'
import type { Schema } from './settings-schema.ts'
import { RouterSettings } from './settings.ts'

const HEAD = '| key | default | meaning |\n|---|---|---|\n'

/** Every setting by its name, without the sections. */
export const SETTINGS: ReadonlyMap<string, DeclaredSetting> = new Map(
  declaredSettings(RouterSettings).flatMap((declared) =>
    declared.isSection ? [] : [[declared.keys.join('.'), declared]],
  ),
)

/** Returns the meaning of a setting in Markdown, with the variable that wins over the settings file. */
export function meaningOf({ facts: { says = '', variable } }: DeclaredSetting): string {
  if (variable === undefined) return says
  return `${says}${says.includes('. ') ? '.' : ';'} \`${variable.name}\` wins`
}

/** Returns the page with the table of all settings in place of the one that it has. */
export function withSettingsTable(page: string): string {
  const start = page.indexOf(HEAD)
  const end = page.indexOf('\n\n', start)
  if (start < 0 || end < 0)
    throw new Error('The page has no table of settings: expected its head and its end.')
  return `${page.slice(0, start)}${settingsTable()}${page.slice(end)}`
}

function settingsTable(): string {
  const schema = z.toJSONSchema(RouterSettings, { io: 'input', unrepresentable: 'any' })
  const rows = [...SETTINGS].map(
    ([name, declared]) => `| \`${name}\` | ${defaultOf(declared, schema)} | ${meaningOf(declared)} |`,
  )
  return HEAD + rows.join('\n')
}

function defaultOf({ keys, facts }: DeclaredSetting, schema: Schema): string {
  if (facts.fallback !== undefined) return facts.fallback
  const { type, default: value = type === 'object' ? {} : undefined } = schemaAt(schema, keys)
  if (value === undefined || value === '') return 'none'
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function schemaAt(schema: Schema, keys: readonly string[]): Schema {
  return keys.reduce((section, key) => {
    const member = section.properties?.[key]
    return typeof member === 'object' ? member : {}
  }, schema)
}
