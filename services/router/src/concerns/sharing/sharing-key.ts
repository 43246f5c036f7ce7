/**
 * Makes the keys of requests: two requests with the same key are answered alike. Everything that can change
 * an answer is part of the key: what the client sent (method, body or query string), which documents it may
 * use, the feature flag that it names or that a rollout chose, the media type that it accepts, the client's
 * identity, where tokens tell it, what operations of the client may cost, the side of progressive overrides
 * that the client is on, and each header that a rule hands on to some subgraph, whichever subgraphs the
 * operation needs.
 *
 * The id of a request and its trace context are no part of it, because they are for logs. If a rule names the
 * header of the request id, it is like any other header.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { PROBE_HEADER } from '@switchyard/contracts'
import type { FlagChoice } from '../../flags/flag-choice.ts'
import { headerKey } from '../../headers/header-key.ts'
import type { SeenHeaders } from '../../headers/seen-headers.ts'
import type { SharingKey } from './in-flight-table.ts'

/** Characters of a text. Longer texts are not shared, because comparing them takes time. */
const LONGEST_TEXT = 64 * 1024
const PROBE = headerKey(PROBE_HEADER)
const NO_CACHE = /\bno-(?:cache|store)\b/i

/** The parts of a request that its key is made of, besides the text. */
export type KeyedRequest = {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly mediaType: string
  readonly flag: FlagChoice
  /** The key of the client's identity. Null if the client is not known. */
  readonly identity: string | null
  /**
   * The name of a client whose operations may cost less than those of others, or more. Null for all other
   * clients.
   */
  readonly client: string | null
  /** The documents that the client may name or send, as a number after a space. Empty if it may use all. */
  readonly documents: string
  /** The number of mutations that had ended when the request came. */
  readonly mutations: number
  /** The side of progressive overrides that answers the request. Empty if its key decides nothing. */
  readonly side: string
}

/**
 * Returns the key of a request. Null if the request shares with no other one. `forwarded` are the headers
 * that subgraphs see.
 */
export function sharingKey(
  text: string,
  { method, headers, mediaType, flag, identity, client, mutations, documents, side }: KeyedRequest,
  forwarded: SeenHeaders,
): SharingKey | null {
  if (text.length > LONGEST_TEXT || headers[PROBE] !== undefined || refusesSharing(headers)) return null
  let context = `${method} ${mediaType} ${mutations}${documents}${flagItem(flag)}`
  if (identity !== null) context += `@${keyItem(identity)}`
  if (client !== null) context += `$${keyItem(client)}`
  if (side !== '') context += `%${keyItem(side)}`
  for (const key of forwarded.keys) context += keyItem(headers[key])
  if (forwarded.patterns.length > 0) {
    for (const name in headers)
      if (forwarded.isMatched(name)) context += keyItem(name) + keyItem(headers[name])
  }
  return { text, context }
}

/**
 * Returns the flag as a part of a key. Answers to requests that name a flag may have other headers for caches
 * than those of a rollout, so that these two are never the same.
 */
function flagItem(flag: FlagChoice): string {
  switch (flag.from) {
    case 'none':
    case 'rollout-control':
      return keyItem(undefined)
    case 'rollout':
      return `>${keyItem(flag.name)}`
    case 'header':
    case 'cookie':
      return keyItem(flag.name)
    default:
      return flag satisfies never
  }
}

/** Returns whether the client accepts no answer that was made for others. */
export function refusesSharing({ 'cache-control': cacheControl }: IncomingHttpHeaders): boolean {
  return cacheControl !== undefined && NO_CACHE.test(cacheControl)
}

/** Returns a value as a part of a key. Its length is included, so that no value can look like several. */
export function keyItem(value: string | readonly string[] | undefined): string {
  if (value === undefined) return '|'
  const text = typeof value === 'string' ? value : value.join(', ')
  return `|${text.length}:${text}`
}
