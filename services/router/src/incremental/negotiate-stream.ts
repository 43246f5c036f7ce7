/**
 * Whether a client takes an incremental response, as multipart stream in the one format this router writes.
 */
import { type MediaRange, parseAccept } from '../http/media-ranges.ts'
import { FORMAT } from '../request/part-stream.ts'

/** The decision about an answer in parts, by the `Accept` header of the client. */
export type StreamChoice =
  | { readonly kind: 'stream' }
  /** The client wants another format, `asked`. */
  | { readonly kind: 'other-format'; readonly asked: string }
  | { readonly kind: 'not-accepted' }

const STREAM: StreamChoice = { kind: 'stream' }
const MULTIPART = 'multipart/mixed'

/**
 * A named format goes before wildcards: a client that names one would not understand another. `accept` is the
 * header with its lines joined by commas.
 */
export function negotiateStream(accept: string | undefined): StreamChoice {
  if (accept === undefined || accept.trim() === '') return STREAM
  const ranges = parseAccept(accept)
  const accepted = ranges.filter(({ quality }) => quality > 0)
  const refused = ranges.filter(({ quality }) => quality === 0)
  if (accepted.some((range) => range.type === MULTIPART && formatOf(range).kind === 'ours')) return STREAM
  for (const range of accepted) {
    const format = formatOf(range)
    if (range.type === MULTIPART && format.kind === 'other')
      return { kind: 'other-format', asked: format.asked }
  }
  if (refused.some((range) => range.type === MULTIPART && formatOf(range).kind === 'ours'))
    return { kind: 'not-accepted' }
  if (accepted.some(({ type }) => type === 'multipart/*')) return STREAM
  const isRefused = refused.some(({ type }) => type === 'multipart/*')
  return !isRefused && accepted.some(({ type }) => type === '*/*') ? STREAM : { kind: 'not-accepted' }
}

type Format =
  /** Ours, or none in particular. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'other'; readonly asked: string }
  /** Not of incremental delivery. */
  | { readonly kind: 'subscription' }

function formatOf({ parameters }: MediaRange): Format {
  const incremental = parameters.get('incrementalspec')
  if (incremental?.toLowerCase() === FORMAT) return { kind: 'ours' }
  if (incremental !== undefined) return { kind: 'other', asked: `incrementalSpec=${incremental}` }
  const defer = parameters.get('deferspec')
  if (defer !== undefined) return { kind: 'other', asked: `deferSpec=${defer}` }
  return parameters.has('subscriptionspec') ? { kind: 'subscription' } : { kind: 'ours' }
}
