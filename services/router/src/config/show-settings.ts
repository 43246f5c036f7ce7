/**
 * Settings as their users read them: as in a settings file, with where each is from, without secrets.
 */
import { Document, isMap, isScalar, visit } from 'yaml'
import type { EffectiveSettings, SettingsWithSources } from './effective-settings.ts'
import { DURATION_PATTERN, durationText, SIZE_PATTERN, sizeText } from '../settings/quantities.ts'
import { type Schema, settingsSchema } from './settings-schema.ts'

/** The text that is shown instead of a value that may be a secret. */
export const NOT_SHOWN = '(not shown)'

/**
 * YAML with a comment on each setting that is not the default. It is a settings file itself, but for the
 * secrets.
 */
export function settingsAsYaml({ settings, sourceOf }: SettingsWithSources): string {
  const document = new Document(shownSettings(settings))
  visit(document, {
    Seq: (_, node) => {
      node.flow = true
    },
    Pair: (_, { key, value }, path) => {
      const keys = [...path, { key }].flatMap((node) => keyOf(node))
      const source = sourceOf(keys)
      if (source !== null && !isMap(value) && value instanceof Object)
        Object.assign(value, { comment: ` ${source}` })
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** The same as a value for JSON, and the sources by `section.setting`. */
export function settingsAsJson({ settings, sourceOf }: SettingsWithSources) {
  const sources = namesIn(settings).flatMap((keys) => {
    const source = sourceOf(keys)
    return source === null ? [] : [[keys.join('.'), source] as const]
  })
  return { settings: shownSettings(settings), sources: Object.fromEntries(sources) }
}

function shownSettings({ tls, ...others }: EffectiveSettings): unknown {
  // A section `tls` without a certificate is refused by those who read settings.
  const settings = tls.cert_file === undefined ? others : { ...others, tls }
  return shown(settings, settingsSchema('draft-2020-12'))
}

function keyOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null || !('key' in node)) return []
  return isScalar(node.key) ? [String(node.key.value)] : []
}

function namesIn(value: object, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const keys = [...path, key]
    return typeof member === 'object' && member !== null && !Array.isArray(member)
      ? namesIn(member, keys)
      : [keys]
  })
}

/** A value with durations and sizes as they are written, and without secrets. */
function shown(value: unknown, schema: Schema): unknown {
  const alternatives = [schema, ...(schema.anyOf ?? [])].filter((one) => typeof one === 'object')
  if (alternatives.some(({ writeOnly }) => writeOnly === true)) return value === '' ? '' : NOT_SHOWN
  if (typeof value === 'number') return quantity(value, alternatives)
  if (Array.isArray(value)) {
    const items = alternatives.find((one) => typeof one.items === 'object')?.items
    return value.map((item) => shown(item, objectOf(items)))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.map(([key, member]) => [key, shown(member, memberOf(alternatives, key))]))
}

/**
 * Merges the schemas that all alternatives have for a member, so that a member which may be a secret in one
 * of them is not shown.
 */
function memberOf(alternatives: readonly Schema[], key: string): Schema {
  const found = alternatives.flatMap((one) => {
    const member = one.properties?.[key] ?? one.additionalProperties
    return typeof member === 'object' ? [member] : []
  })
  return found.length === 1 ? objectOf(found[0]) : { anyOf: found }
}

function quantity(value: number, alternatives: readonly Schema[]): number | string {
  const patterns = alternatives.map(({ pattern }) => pattern)
  if (patterns.includes(DURATION_PATTERN)) return durationText(value)
  return patterns.includes(SIZE_PATTERN) ? sizeText(value) : value
}

function objectOf(schema: Schema['items']): Schema {
  return typeof schema === 'object' && !Array.isArray(schema) ? schema : {}
}
