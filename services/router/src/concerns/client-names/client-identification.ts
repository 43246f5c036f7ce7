/**
 * Reads how clients call themselves, by headers of their requests. Nothing proves a name: whoever knows it
 * can send it. So a name tells operators which client sends which requests, but it grants no rights.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { headerKey } from '../../headers/header-key.ts'
import { ownText } from '../../memory/own-text.ts'
import { type NamedClient, UNNAMED } from '../../request/named-client.ts'

/** The limit in characters; longer texts are cut. */
const MAX_LENGTH = 128

/** Reads the name and version of clients from the headers that the settings list. */
export class ClientIdentification {
  readonly #nameKeys: readonly string[]
  readonly #versionKeys: readonly string[]

  /** In each list, the first header that the request has counts. */
  constructor(nameHeaders: readonly string[], versionHeaders: readonly string[]) {
    this.#nameKeys = nameHeaders.map((name) => headerKey(name))
    this.#versionKeys = versionHeaders.map((name) => headerKey(name))
  }

  /** Returns the name and version of a client. A version without a name is ignored. */
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

/** Returns the value without characters that cannot be printed. A shorter copy has memory of its own. */
function cleaned(value: string): string {
  const isPlain = value.length <= MAX_LENGTH && !UNPRINTABLE.test(value)
  const text = isPlain ? value : value.slice(0, 2 * MAX_LENGTH).replaceAll(UNPRINTABLES, '')
  const trimmed = text.trim().slice(0, MAX_LENGTH)
  return trimmed === value ? value : ownText(trimmed)
}

const UNPRINTABLE = /[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff]/
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'g')
