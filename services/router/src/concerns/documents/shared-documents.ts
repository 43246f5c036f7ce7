/**
 * The documents that clients have added, shared by all routers in Redis: a client that has sent a document to
 * one router need not send it to the others. Redis is asked only for documents that this process does not
 * know. Its answers are checked, and without it clients send their documents once to each process.
 */
import { createHash } from 'node:crypto'
import { type DocumentKey, isKeyOf, MAX_DOCUMENT } from '@switchyard/documents'
import type { SharedDocumentEvents } from './shared-events.ts'
import { answerInTime } from '../../stores/answer-in-time.ts'
import type { ScriptRunner } from '../../stores/script-runner.ts'
import { StoreHealth } from '../../stores/store-health.ts'

/** Documents that are asked for at a time; for those beyond, clients send the text. */
const MAX_ASKED = 256
/** Documents that are written at a time. */
const MAX_WRITTEN = 64
/** In UTF-8, a character of a document has three bytes at most. */
const MAX_BYTES = 3 * MAX_DOCUMENT
/**
 * Bytes that each document counts for besides its text, at least. So the number of clients that are
 * remembered is limited, too.
 */
const PER_DOCUMENT = 1024
/** Milliseconds in which a process writes `maxWritten` bytes at most. */
const WINDOW = 60 * 60 * 1000

/** KEYS: document. ARGV: milliseconds for which it is kept, the longest document. Returns it, or nothing. */
const READ = script(`
if redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[2]) then return false end
local text = redis.call('GET', KEYS[1])
if text then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return text
`)

/** KEYS: document. ARGV: milliseconds for which it is kept, its text. */
const WRITE = script(`
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return 1
`)

/**
 * The reason for writing a document: it was sent, or it is used again and again and could not be written
 * then.
 */
export type WrittenDocument = 'new' | 'used'

export type SharedDocumentsOptions = {
  readonly redis: ScriptRunner
  readonly prefix: string
  /** Milliseconds for each answer. */
  readonly timeout: number
  /** Milliseconds without anybody asking for a document. */
  readonly keptFor: number
  /**
   * Bytes that this process writes in an hour, since clients choose how many documents there are: one half
   * for documents that are new, one for those that are used again and again, and of each a half for one
   * client.
   */
  readonly maxWritten: number
  readonly events: SharedDocumentEvents
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

export class SharedDocuments {
  readonly #options: SharedDocumentsOptions
  readonly #now: () => number
  readonly #health: StoreHealth
  readonly #asked = new Map<DocumentKey, Promise<string | null>>()
  #writing = 0
  #window = newWindow(0)

  constructor(options: SharedDocumentsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#health = new StoreHealth(options.events, this.#now)
  }

  /**
   * Looks a document up. `key` is a SHA-256. Null if Redis is not asked now, or if it has no such document or
   * does not answer. Never rejects.
   */
  get(key: DocumentKey): Promise<string | null> | null {
    const underWay = this.#asked.get(key)
    if (underWay !== undefined) return underWay
    if (this.#asked.size >= MAX_ASKED || !this.#health.mayAsk()) return null
    const asked = this.#read(key).finally(() => this.#asked.delete(key))
    this.#asked.set(key, asked)
    return asked
  }

  /**
   * Writes a document in the background. `key` is the SHA-256 of the text, `client` the one whose budget it
   * counts for. False if the document is not written.
   */
  add(key: DocumentKey, text: string, client: string, which: WrittenDocument): boolean {
    const bytes = Buffer.byteLength(text)
    const isWritten =
      bytes <= MAX_BYTES &&
      this.#writing < MAX_WRITTEN &&
      // The budget comes last: while Redis is away, nothing of it is spent on what is not written.
      this.#health.mayAsk() &&
      this.#mayWrite(bytes + PER_DOCUMENT, client, which)
    if (isWritten) void this.#write(key, text)
    else this.#options.events.left()
    return isWritten
  }

  #mayWrite(bytes: number, client: string, which: WrittenDocument): boolean {
    const now = this.#now()
    if (now >= this.#window.ends) this.#window = newWindow(now + WINDOW)
    const budget = this.#window[which]
    const most = this.#options.maxWritten / 2
    const own = (budget.byClient.get(client) ?? 0) + bytes
    if (own > most / 2 || budget.bytes + bytes > most) return false
    budget.bytes += bytes
    budget.byClient.set(client, own)
    return true
  }

  async #read(key: DocumentKey): Promise<string | null> {
    const { events, keptFor } = this.#options
    const text = await this.#run(READ, key, [String(keptFor), String(MAX_BYTES)])
    if (text === undefined) return null
    const isRight = typeof text === 'string' && isKeyOf(key, text)
    if (isRight) events.found()
    else if (text === null) events.missing()
    else events.wrong(key)
    return isRight ? text : null
  }

  async #write(key: DocumentKey, text: string): Promise<void> {
    this.#writing++
    const answer = await this.#run(WRITE, key, [String(this.#options.keptFor), text])
    this.#writing--
    if (answer !== undefined) this.#options.events.written()
  }

  /** Runs a script. Undefined if Redis does not answer. Never rejects. */
  async #run(
    what: Parameters<ScriptRunner['run']>[0],
    key: DocumentKey,
    args: readonly string[],
  ): Promise<unknown> {
    const { redis, prefix, timeout, events } = this.#options
    try {
      const answer = await answerInTime(redis.run(what, [`${prefix}:document:${key}`], args), timeout)
      this.#health.answered()
      return answer ?? null
    } catch (error) {
      events.failed()
      this.#health.failed(error)
      return undefined
    }
  }
}

/** Amount that was written of documents of one kind. */
type Written = { bytes: number; readonly byClient: Map<string, number> }
/** Amounts that were written up to a time. */
type Window = { readonly ends: number } & Readonly<Record<WrittenDocument, Written>>

function newWindow(ends: number): Window {
  return { ends, new: { bytes: 0, byClient: new Map() }, used: { bytes: 0, byClient: new Map() } }
}

function script(text: string) {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
