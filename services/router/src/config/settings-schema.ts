/** The JSON schema of the settings file: for editors, for the Helm chart, and for what prints settings. */
import { z } from 'zod'
import { type RetiredSetting, retirementAt } from './retired-settings.ts'
import { RouterSettings } from './settings.ts'

/** A schema with its keywords, of draft 7 or 2020-12. */
export type Schema = z.core.JSONSchema.BaseSchema

/**
 * Makes the schema of the file as people write it: sections and settings may be left out, and values may be
 * `${NAME}`. Settings of earlier versions that are ignored may have any value, and are marked as deprecated.
 */
export function settingsSchema(target: 'draft-7' | 'draft-2020-12', { ignored } = retirementAt()): Schema {
  const written = asWritten(z.toJSONSchema(RouterSettings, { io: 'input', unrepresentable: 'any', target }))
  return ignored.reduce((schema, setting) => withRetired(schema, setting, setting.name.split('.')), written)
}

function withRetired(
  schema: Schema,
  setting: RetiredSetting,
  [key = '', ...below]: readonly string[],
): Schema {
  const { properties = {} } = schema
  const { [key]: member = {} } = properties
  const description = `No setting since version ${setting.ignoredFrom}, and without effect: ${setting.now}`
  const value =
    below.length === 0
      ? { deprecated: true, description }
      : typeof member === 'object'
        ? withRetired(member, setting, below)
        : member
  return { ...schema, properties: { ...properties, [key]: value } }
}

/** A variable of the environment anywhere in a text. */
const REFERENCE: Schema = { type: 'string', pattern: '\\$\\{' }

/** Every section and setting has a default, so none is required; members of a rule of a list may be. */
function asWritten(schema: Schema): Schema {
  const { required: _, properties, ...rest } = schema
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([key, member]) => [key, orVariable(member)])
    return { ...rest, properties: Object.fromEntries(members) }
  }
  return schema
}

function orVariable(schema: Schema | boolean): Schema | boolean {
  if (typeof schema === 'boolean' || isAnyText(schema)) return schema
  if (schema.type === 'object') return asWritten(schema)
  if (schema.type === 'array')
    return typeof schema.items === 'object' && !Array.isArray(schema.items)
      ? { ...schema, items: orVariable(schema.items) }
      : schema
  const { default: fallback, writeOnly, anyOf: alternatives = [{}], ...common } = schema
  const values = alternatives.map((one) => (typeof one === 'object' ? { ...common, ...one } : one))
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(writeOnly === undefined ? {} : { writeOnly }),
    anyOf: [...values, REFERENCE],
  }
}

function isAnyText({ type, pattern, enum: words }: Schema): boolean {
  return type === 'string' && pattern === undefined && words === undefined
}
