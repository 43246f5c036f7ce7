/**
 * How clients call themselves, by headers of their requests. Nothing proves it: whoever knows a name can send
 * it. So a name tells operators who asks for what, and is no reason to let anybody do anything.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { headerKey } from '../headers/header-key.ts'
import { ownText } from '../memory/own-text.ts'

/** What a request says of its client; empty: nothing. */
export type NamedClient = { readonly name: string; readonly version: string }

/** Of requests that do not say who they are from. */
export const UNNAMED: NamedClient = { name: '', version: '' }

/** In characters; what is longer is cut. */
const MAX_LENGTH = 128

/** Reads the name and version of clients from the headers that the settings list. */
export class ClientIdentification {
  readonly #nameKeys: readonly string[]
  readonly #versionKeys: readonly string[]

  /** Of several headers that a request has, the one that is listed first counts. */
  constructor(nameHeaders: readonly string[], versionHeaders: readonly string[]) {
    this.#nameKeys = nameHeaders.map((name) => headerKey(name))
    this.#versionKeys = versionHeaders.map((name) => headerKey(name))
  }

  /** A version without a name says nothing. */
  of(headers: IncomingHttpHeaders): NamedClient {
    const name = firstOf(this.#nameKeys, headers)
    return name === '' ? UNNAMED : { name, version: firstOf(this.#versionKeys, headers) }
  }
}

function firstOf(keys: readonly string[], headers: IncomingHttpHeaders): string {
  for (const key of keys) {
    const value = headers[key]
    if (value === undefined) continue
    const text = cleaned(String(value))
    if (text !== '') return text
  }
  return ''
}

/** Without what cannot be printed, and in memory of its own where it was longer. */
function cleaned(value: string): string {
  const isPlain = value.length <= MAX_LENGTH && !UNPRINTABLE.test(value)
  const text = isPlain ? value : value.slice(0, 2 * MAX_LENGTH).replaceAll(UNPRINTABLES, '')
  const trimmed = text.trim().slice(0, MAX_LENGTH)
  return trimmed === value ? value : ownText(trimmed)
}

const UNPRINTABLE = /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]/
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'g')
