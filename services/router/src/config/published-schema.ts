/** The schema of the settings file as it is published: with the meaning of each setting. */
import { type Schema, settingsSchema } from './settings-schema.ts'
import { meaningOf, SETTINGS } from './settings-table.ts'

/** Returns the text of the schema. */
export function publishedSchema(): string {
  const { $schema, ...schema } = settingsSchema('draft-2020-12')
  const title = 'Settings of the Switchyard router'
  return `${JSON.stringify({ $schema, title, ...described(schema, '') }, null, 2)}\n`
}

function described(schema: Schema, path: string): Schema {
  const { properties, ...rest } = schema
  if (properties === undefined) return schema
  const members = Object.entries(properties).map(([key, member]) => {
    const declared = SETTINGS.get(`${path}${key}`)
    const value = typeof member === 'object' ? described(member, `${path}${key}.`) : member
    if (declared === undefined || typeof value !== 'object') return [key, value]
    return [key, { description: plainText(meaningOf(declared)), ...value }]
  })
  return { ...rest, properties: Object.fromEntries(members) }
}

/** Markdown without its links, emphasis and code. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|`/g, '')
}
