/** The words about settings that docs/configuration.md and the published schema take from declarations. */
import { z } from 'zod'
import { declaredSettings, type DeclaredSetting } from '../settings/setting.ts'
import { NEED_RESTART } from './needs-restart.ts'
import type { Schema } from './settings-schema.ts'
import { RouterSettings } from './settings.ts'

const RESTART_LINE = /^These need a restart: .*$/m
const LOST =
  'The page has lost what is written into it: expected a table of settings, and a line that begins with "These need a restart: "'
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

/**
 * Returns docs/configuration.md with what follows from the declarations: the table of all settings, and the
 * line with those that need a restart.
 */
export function withDeclarations(page: string): string {
  const start = page.indexOf(HEAD)
  const end = page.indexOf('\n\n', start)
  if (start < 0 || end < 0 || !RESTART_LINE.test(page)) throw new Error(LOST)
  const restart = `These need a restart: ${NEED_RESTART.map((name) => `\`${name}\``).join(', ')}.`
  return `${page.slice(0, start)}${settingsTable()}${page.slice(end)}`.replace(RESTART_LINE, restart)
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
