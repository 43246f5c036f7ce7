/** Suggests the setting that an unknown key was probably meant to be. */
import { nearestWord } from '@switchyard/contracts'
import type { z } from 'zod'
import { RouterSettings } from './settings.ts'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * Returns the likely setting with its section, such as `limits.max_depth`, or null if none resembles the key.
 * A setting that is spelt right but stands in the wrong section is found in its own section.
 */
export function likelySetting(keys: readonly PropertyKey[]): string | null {
  const schema = RouterSettings.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  const path = keys.slice(0, -1).map(String)
  const key = String(keys.at(-1))
  const known = Object.keys(sectionAt(schema, path).properties ?? {})
  const here = known.find((name) => plain(name) === plain(key)) ?? nearestWord(key, known)
  if (here !== null) return [...path, here].join('.')
  const elsewhere = namesIn(schema).filter((name) => name.split('.').at(-1) === key)
  return elsewhere.length === 1 ? (elsewhere[0] ?? null) : null
}

function sectionAt(schema: Schema, path: readonly string[]): Schema {
  let section = schema
  for (const key of path) {
    const { properties = {}, additionalProperties: others } = section
    const member = properties[key] ?? others
    section = typeof member === 'object' ? member : {}
  }
  return section
}

function namesIn({ properties = {} }: Schema, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([key, schema]) => [
    `${path}${key}`,
    ...(typeof schema === 'object' ? namesIn(schema, `${path}${key}.`) : []),
  ])
}

/** `maxDepth` and `max-depth` are `max_depth`. */
function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}
