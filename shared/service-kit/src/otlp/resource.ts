/**
 * Who measured or made a span: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` over what a service says of
 * itself.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Environment } from '../process/environment.ts'
import { VERSION } from '../text/version.ts'

export type ResourceAttributes = Readonly<Record<string, string | number>>

/** The id of this process, the same in all its signals. */
const INSTANCE = randomUUID()

/**
 * Returns the attributes of a service. `warning` says that the variable cannot be read; by the specification
 * none of its attributes is used then.
 */
export function resourceAttributes(
  env: Environment,
  service: string,
): { readonly attributes: ResourceAttributes; readonly warning: string | null } {
  const own = {
    'service.namespace': 'switchyard',
    'service.name': service,
    'service.version': VERSION,
    'service.instance.id': INSTANCE,
    'host.name': hostname(),
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  }
  const given = attributesOf(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '')
  const name = env['OTEL_SERVICE_NAME']?.trim() ?? ''
  return {
    attributes: { ...own, ...given, ...(name === '' ? {} : { 'service.name': name }) },
    warning:
      given === null
        ? 'OTEL_RESOURCE_ATTRIBUTES is not used: expected name=value, separated by commas, with values encoded as in URLs.'
        : null,
  }
}

/** Reads attributes. Returns null if one of them cannot be read. */
function attributesOf(text: string): Readonly<Record<string, string>> | null {
  const attributes: Record<string, string> = {}
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const equals = part.indexOf('=')
    if (equals < 1) return null
    try {
      attributes[decodeURIComponent(part.slice(0, equals).trim())] = decodeURIComponent(
        part.slice(equals + 1).trim(),
      )
    } catch {
      return null
    }
  }
  return attributes
}
