/** Tells what changes as it happens: one connection of server-sent events for each browser or program. */
import { LiveEvent, problem, ProblemError, Sequence } from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type ReadableRecords, readableRecords } from '../../keys/readable-records.ts'
import { type ApiOptions, identify, ProblemResponse } from '../api/api.ts'
import { Callers } from '../api/callers.ts'
import { checked } from '../api/checked.ts'
import { identifyReader } from '../api/identify-reader.ts'

export const LIVE_PATH = '/v1/live'
const EVENT_STREAM = 'text/event-stream'
/** Seconds after which a client that found no room may ask again. */
const ROOM_AGAIN_S = 10

const Query = z.strictObject({ after: z.coerce.number().pipe(Sequence).optional() })

export function installLiveRoute(server: FastifyInstance, options: ApiOptions): void {
  const { fold, live } = options
  const callers = new Callers()
  server.get(LIVE_PATH, {
    // HEAD would open a stream only to throw it away.
    exposeHeadRoute: false,
    schema: {
      operationId: 'followLive',
      summary: 'Tell what changes, as it happens',
      description:
        'Server-sent events: `event` is the kind of a LiveEvent, `data` the JSON of its other members, and `id` the sequence of the log up to which everything was told. `Last-Event-ID` or `after` asks for the changes since.',
      querystring: Query,
      response: {
        200: { description: 'Events', content: { [EVENT_STREAM]: { schema: LiveEvent } } },
        ...ProblemResponse,
      },
    },
    onRequest: async (request) => callers.note(request, await identifyReader(options, request)),
    handler: async (request, reply) => {
      const after = lastEventId(request) ?? checked(Query, request.query).after ?? null
      // Another registry may have told of more than this one has read.
      if (after !== null && after > fold.records.end) await fold.everythingCaughtUp()
      if (live.isFull) throw new TooManyLiveConnectionsError()
      const reader = readableRecords(callers.of(request))
      const stream = live.open({ reader, mayGoOn: () => mayGoOn(options, request, reader) }, after)
      return reply.headers({ 'x-accel-buffering': 'no' }).type(`${EVENT_STREAM}; charset=utf-8`).send(stream)
    },
  })
}

export class TooManyLiveConnectionsError extends ProblemError {
  readonly retryAfterSeconds = ROOM_AGAIN_S

  constructor() {
    super(
      problem(
        'TOO_MANY_LIVE_CONNECTIONS',
        'This registry tells as many connections of what happens as it may, so this one was refused. Nothing else is affected. Close pages and programs that need none, or try again later.',
      ),
    )
  }
}

/**
 * The header that clients send by themselves when they connect again, and which the path of their first
 * request therefore gives way to. An id that no registry has sent is after everything.
 */
function lastEventId({ headers }: FastifyRequest): number | null {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  const sequence = Sequence.safeParse(/^\d+$/.test(String(id)) ? Number(id) : Number.NaN)
  return sequence.success ? sequence.data : Number.MAX_SAFE_INTEGER
}

async function mayGoOn(
  options: ApiOptions,
  request: FastifyRequest,
  { key }: ReadableRecords,
): Promise<boolean> {
  if (request.raw.socket.destroyed) return false
  try {
    return readableRecords(await identify(options, request)).key === key
  } catch {
    // A deleted key, or a registry that cannot answer: the client is told why when it connects again.
    return false
  }
}
