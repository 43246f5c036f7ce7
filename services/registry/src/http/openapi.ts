/** The OpenAPI document: made from the routes, and completed with what their schemas cannot say. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { EXPORT_MEDIA_TYPE } from '@switchyard/contracts'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Of your choice: a repetition with it is answered with the outcome of the first time, for 24 hours.',
  required: false,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
} as const

const IMPORT_BODY = {
  required: true,
  description: 'What GET /v1/export answered, unchanged.',
  content: {
    [EXPORT_MEDIA_TYPE]: {
      schema: {
        type: 'string',
        description: 'JSON Lines: a header, blobs, records of all logs, an end line',
      },
    },
  },
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
      if (routes === undefined) continue
      if (path === '/v1/import') {
        // Many records, not a command. The route reads a stream, so no schema of its own says what is in it.
        if (routes.post !== undefined) routes.post.requestBody = IMPORT_BODY
        continue
      }
      // A check writes nothing, so it may be repeated without a key.
      if (path.startsWith('/v1/checks/')) continue
      for (const write of [routes.post, routes.put, routes.patch, routes.delete]) {
        if (write !== undefined) write.parameters = [...(write.parameters ?? []), IDEMPOTENCY_KEY]
      }
      const body = routes.delete?.requestBody
      if (body !== undefined && 'required' in body) body.required = false
    }
    return document.openapiObject
  },
}
