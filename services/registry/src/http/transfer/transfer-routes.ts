/** Export and import: the whole registry as one stream of lines. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { EXPORT_MEDIA_TYPE, ImportOutcome, problem, ProblemError } from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Caller } from '../../keys/access.ts'
import type { ExportSource } from '../../transfer/export-lines.ts'
import { exportLines } from '../../transfer/export-lines.ts'
import {
  type ApiOptions,
  authorizeRecent,
  mediaTypeOf,
  ProblemResponse,
  requireUtf8,
  warningsOfSeveralGraphs,
  type TransferOptions,
} from '../api/api.ts'
import { Callers } from '../api/callers.ts'

const READ_AWAY_MS = 60_000

const Lines = z
  .string()
  .describe('JSON Lines: a header, blobs, pieces of artifacts, records of all logs, end line')

export function installTransferRoutes(
  server: FastifyInstance,
  options: ApiOptions,
  { source, importer }: TransferOptions,
): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const callers = new Callers()
  app.addContentTypeParser(EXPORT_MEDIA_TYPE, (_request, payload, done) => done(null, payload))

  // Without the type provider: the answer is a stream, which no schema describes.
  server.get('/v1/export', {
    // HEAD would read everything only to throw it away.
    exposeHeadRoute: false,
    schema: {
      summary: 'Export everything: logs, blobs and pieces of artifacts',
      response: {
        200: { description: 'The export', content: { [EXPORT_MEDIA_TYPE]: { schema: Lines } } },
        ...ProblemResponse,
      },
    },
    onRequest: async (request) =>
      callers.note(request, await authorizeRecent(options, request, { kind: 'admin' })),
    handler: async (request, reply) => {
      await options.fold.everythingCaughtUp()
      const lines = reported(options, callers.of(request), source)
      return reply.type(EXPORT_MEDIA_TYPE).send(Readable.from(lines))
    },
  })

  app.post('/v1/import', {
    schema: {
      summary: 'Import an export into an empty registry',
      consumes: [EXPORT_MEDIA_TYPE],
      response: { 200: ImportOutcome, ...ProblemResponse },
    },
    onRequest: async (request) => {
      callers.note(request, await authorizeRecent(options, request, { kind: 'admin' }))
      await readBodyIfRefused(request, async () => {
        requireLines(request)
        await importer.requireEmpty()
      })
    },
    handler: async (request) => {
      const { body } = request
      if (!(body instanceof Readable)) throw new Error('an import arrived without its stream')
      const counts = await importer.run(body, callers.of(request).actor)
      return { ...counts, warnings: warningsOfSeveralGraphs(options) }
    },
  })
}

/** The client sees by the last line whether the stream is complete; the operator sees it in the log. */
async function* reported(options: ApiOptions, { actor }: Caller, source: ExportSource) {
  try {
    const counts = yield* exportLines(source)
    options.events.exported(actor, counts)
  } catch (error) {
    options.events.exportFailed(actor, error)
    throw error
  }
}

/**
 * If a request is refused, reads the rest of its body before the answer is sent. A client that is still
 * sending when the connection closes may never read the answer.
 */
async function readBodyIfRefused({ raw }: FastifyRequest, requirements: () => Promise<void>): Promise<void> {
  try {
    await requirements()
  } catch (error) {
    await finished(raw.resume(), { signal: AbortSignal.timeout(READ_AWAY_MS) }).catch(() => {})
    throw error
  }
}

function requireLines(request: FastifyRequest): void {
  if (mediaTypeOf(request) === EXPORT_MEDIA_TYPE) {
    requireUtf8(request)
    return
  }
  throw new ProblemError(
    problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `An import takes JSON Lines: send it with "Content-Type: ${EXPORT_MEDIA_TYPE}". Nothing was imported.`,
    ),
  )
}
