/** Types of the registry's API, made from its OpenAPI document: the file `page/api/registry-api.d.ts`. */
import openapiTS, {
  astToString,
  type OpenAPI3,
  type PathsObject,
  type SchemaObject,
} from 'openapi-typescript'

/** The file of the types. */
export const API_TYPES = new URL('./page/api/registry-api.d.ts', import.meta.url)

const HEADER =
  '/** Types of the API, written by `make written` from /v1/openapi.json: change nothing here. */\n'

/** Comments repeat what the page about the protocol says better. */
const COMMENT = /^ *\/\*\*[^]*?\*\/\n/gm

/** Answers that many paths have: written once, under these names. */
const SHARED = [
  { name: 'CommandOutcome', member: 'commandId' },
  { name: 'Problem', member: 'title' },
]

/** Returns the text of the file for an OpenAPI document. */
export async function apiTypes(document: OpenAPI3): Promise<string> {
  const text = astToString(await openapiTS(withSharedAnswers(document)))
  return HEADER + text.replaceAll(COMMENT, '')
}

/** Returns the document with answers that occur several times as components. */
function withSharedAnswers(document: OpenAPI3): OpenAPI3 {
  const schemas: Record<string, SchemaObject> = { ...document.components?.schemas }
  const texts = new Map<string, string>()
  const known = new Set(Object.keys(schemas))
  const paths: PathsObject = JSON.parse(JSON.stringify(document.paths), (key, value: unknown) => {
    if (key !== 'schema' || !isSchema(value)) return value
    const shared = SHARED.find(({ name, member }) => !known.has(name) && member in value.properties)
    if (shared === undefined) return value
    const { name } = shared
    const text = JSON.stringify(value)
    if ((texts.get(name) ?? text) !== text) return value
    texts.set(name, text)
    schemas[name] = value
    return { $ref: `#/components/schemas/${name}` }
  })
  return { ...document, paths, components: { ...document.components, schemas } }
}

function isSchema(value: unknown): value is SchemaObject & { readonly properties: object } {
  return typeof value === 'object' && value !== null && 'properties' in value
}
