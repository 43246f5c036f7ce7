/** Answers that a thread has made: JSON, with gzip for who accepts it, and not sent to who has it already. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sets the tag of an answer. Returns true if the caller has the answer, and was told so. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const etag = `"${tag}"`
  reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization, cookie, accept-encoding')
  if (request.headers['if-none-match']?.includes(etag) !== true) return false
  void reply.status(304).send()
  return true
}

/** Whether `gzip` is among the codings that the caller accepts, and not refused by a weight of 0. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return [headers['accept-encoding'] ?? []].flat().some((list) => GZIP.test(list))
}

const GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i

export function sendPrepared(reply: FastifyReply, body: Uint8Array, gzip: boolean): FastifyReply {
  if (gzip) reply.header('content-encoding', 'gzip')
  return reply.type('application/json; charset=utf-8').send(Buffer.from(body.buffer))
}
