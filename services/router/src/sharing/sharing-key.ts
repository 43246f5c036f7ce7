/**
 * What two requests must have in common to be answered alike. Whatever can change an answer is part of it:
 * what the client sent (method, body or query string), which documents it may use, the feature flag that it
 * names, the media type that it accepts, who asks, where tokens tell it, what operations of its client may
 * cost, and each header that a rule hands on to some subgraph, whichever subgraphs the operation needs.
 *
 * The id of a request and its trace context are not: they are for logs. A rule that names the header of the
 * request id makes it one like the others.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { PROBE_HEADER } from '@switchyard/contracts'
import type { RequestedFlag } from '../flags/requested-flag.ts'
import { headerKey } from '../headers/header-key.ts'
import type { SharingKey } from './in-flight-table.ts'

/** Longer ones are not shared: they would have to be compared. In characters. */
const LONGEST_TEXT = 64 * 1024
const PROBE = headerKey(PROBE_HEADER)
const NO_CACHE = /\bno-(?:cache|store)\b/i

/** Headers of clients that some subgraph gets to see. */
export interface SeenHeaders {
  /** Those that are seen by name, as Node.js keys headers; each once. */
  readonly keys: readonly string[]
  /** By which names are recognized of further ones. */
  readonly patterns: { readonly length: number }
  /** Whether a pattern recognizes the name, which is in lower case. */
  isMatched(name: string): boolean
}

/** What a key is made of, beside the text. */
export type KeyedRequest = {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly mediaType: string
  readonly flag: RequestedFlag
  /** The key of whoever asks; null: nobody in particular. */
  readonly identity: string | null
  /** The name of a client whose operations may cost less than those of others, or more; null: any other. */
  readonly client: string | null
  /** Which documents the client may name or send, as a number after a space; empty: all. */
  readonly documents: string
  /** Mutations that had ended when it came. */
  readonly mutations: number
}

/** null: the request shares with nobody. `forwarded`: headers that subgraphs get to see. */
export function sharingKey(
  text: string,
  { method, headers, mediaType, flag, identity, client, mutations, documents }: KeyedRequest,
  forwarded: SeenHeaders,
): SharingKey | null {
  if (text.length > LONGEST_TEXT || headers[PROBE] !== undefined || refusesSharing(headers)) return null
  let context = `${method} ${mediaType} ${mutations}${documents}${keyItem(flag.from === 'none' ? undefined : flag.name)}`
  if (identity !== null) context += `@${keyItem(identity)}`
  if (client !== null) context += `$${keyItem(client)}`
  for (const key of forwarded.keys) context += keyItem(headers[key])
  if (forwarded.patterns.length > 0) {
    for (const name in headers)
      if (forwarded.isMatched(name)) context += keyItem(name) + keyItem(headers[name])
  }
  return { text, context }
}

/** Its client takes no answer that was made for others. */
export function refusesSharing({ 'cache-control': cacheControl }: IncomingHttpHeaders): boolean {
  return cacheControl !== undefined && NO_CACHE.test(cacheControl)
}

/** A value as a part of a key: with its length, so that no value can look like several. */
export function keyItem(value: string | readonly string[] | undefined): string {
  if (value === undefined) return '|'
  const text = typeof value === 'string' ? value : value.join(', ')
  return `|${text.length}:${text}`
}
