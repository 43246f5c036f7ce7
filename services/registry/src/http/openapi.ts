/** The OpenAPI document: made from the routes, and completed with what their schemas cannot say. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Of your choice: a repetition with it is answered with the outcome of the first time, for 24 hours.',
  required: false,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
} as const

export const openapiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Switchyard registry', description: 'The management API.', version: '1' },
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    security: [{ apiKey: [] }],
  },
  transform: jsonSchemaTransform,
  transformObject: (document) => {
    if (!('openapiObject' in document)) throw new Error('an OpenAPI document was expected')
    for (const [path, routes] of Object.entries(document.openapiObject.paths ?? {})) {
      // An import is many records, not a command.
      if (routes === undefined || path === '/v1/import') continue
      for (const write of [routes.post, routes.put, routes.patch, routes.delete]) {
        if (write !== undefined) write.parameters = [...(write.parameters ?? []), IDEMPOTENCY_KEY]
      }
      const body = routes.delete?.requestBody
      if (body !== undefined && 'required' in body) body.required = false
    }
    return document.openapiObject
  },
}
