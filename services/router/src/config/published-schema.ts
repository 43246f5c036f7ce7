/**
 * The schema of the settings file as it is published: with what each setting means, in the words of
 * docs/configuration.md.
 */
import { type Schema, settingsSchema } from './settings-schema.ts'

/** `page`: docs/configuration.md, whose table has a row for each setting. */
export function publishedSchema(page: string): string {
  const rows = page.matchAll(/^\| `([a-z0-9_.]+)` \| [^|]* \| (.*) \|$/gm)
  const meanings = new Map([...rows].map(([, name = '', text = '']) => [name, plainText(text)]))
  const { $schema, ...schema } = settingsSchema('draft-2020-12')
  const title = 'Settings of the Switchyard router'
  return `${JSON.stringify({ $schema, title, ...described(schema, meanings, '') }, null, 2)}\n`
}

function described(schema: Schema, meanings: ReadonlyMap<string, string>, path: string): Schema {
  const { properties, ...rest } = schema
  if (properties === undefined) return schema
  const members = Object.entries(properties).map(([key, member]) => {
    const description = meanings.get(`${path}${key}`)
    const value = typeof member === 'object' ? described(member, meanings, `${path}${key}.`) : member
    return [key, description === undefined || typeof value !== 'object' ? value : { description, ...value }]
  })
  return { ...rest, properties: Object.fromEntries(members) }
}

/** Markdown without its links, emphasis and code. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\*\*|`/g, '')
}
