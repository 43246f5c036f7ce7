/**
 * `kubernetes-schemas.ts <to> <kubernetes-json-schema> <resource definition> …`: JSON schemas as kubeconform
 * reads them, below `<to>/<version>/`. The folder is that of PyPI's kubernetes-validate; resource definitions
 * are YAML, and their schemas are closed, so that a misspelt key is found there as well.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The oldest version that the chart supports, and the newest that there are schemas of. */
export const KUBERNETES_VERSIONS = ['1.30.0', '1.37.0'] as const

const REFERENCE = /"\$ref":"(?:\/api\/_definitions\.json)?#\/\$defs\/([^"]+)"/g

type Schema = { [key: string]: unknown }
type ResourceDefinition = {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { openAPIV3Schema: Schema } }[]
  }
}

/** Each kind with the definitions that it needs alone: kubeconform compiles all that a file holds. */
function copySchemas(from: string, to: string): void {
  const read = (name: string) => JSON.parse(readFileSync(join(from, name), 'utf8')) as Schema
  const { $defs } = read('_definitions.json') as { $defs: Schema }
  for (const name of readdirSync(from)) {
    const { $id: _id, description: _description, ...schema } = read(name)
    if (schema['x-kubernetes-group-version-kind'] === undefined) continue
    const used = definitionsUsedBy(schema, $defs)
    writeFileSync(join(to, name), withOwnReferences(JSON.stringify({ ...schema, $defs: used })))
  }
}

function definitionsUsedBy(schema: Schema, definitions: Schema): Schema {
  const used: Schema = {}
  const open: unknown[] = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const [, name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      if (used[name] !== undefined) continue
      used[name] = definitions[name]
      open.push(definitions[name])
    }
  return used
}

function withOwnReferences(text: string): string {
  return text.replaceAll('"/api/_definitions.json#', '"#')
}

function writeResourceSchemas(file: string, to: string): void {
  const { spec } = parse(readFileSync(file, 'utf8')) as ResourceDefinition
  for (const { name, schema } of spec.versions) {
    const path = `${spec.names.kind}-${spec.group.split('.')[0]}-${name}.json`.toLowerCase()
    writeFileSync(join(to, path), JSON.stringify(closed(schema.openAPIV3Schema, true)))
  }
}

/** An object whose members are listed has no others. Of metadata such a schema says nothing. */
function closed(schema: unknown, isRoot = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => closed(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)])
  const copy = Object.fromEntries(entries) as Schema
  const members = copy['properties']
  if (typeof members === 'object' && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false
  if (isRoot) Object.assign(copy['properties'] as Schema, { metadata: { type: 'object' } })
  return copy
}

if (import.meta.main) {
  const [to = '', from = '', ...definitions] = process.argv.slice(2)
  for (const version of KUBERNETES_VERSIONS) {
    const folder = join(to, `v${version}`)
    mkdirSync(folder, { recursive: true })
    copySchemas(join(from, `v${version}-local-strict`), folder)
    for (const file of definitions) writeResourceSchemas(file, folder)
  }
}
