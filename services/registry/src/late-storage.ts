/**
 * Stands for a storage that is not open yet. The registry listens from its first moment and says why it is
 * not ready, while NATS or the streams of other services are waited for. Until the storage is open, every
 * call is refused as unavailable.
 */
import {
  type Announcer,
  type BlobStore,
  BlobStoreUnavailableError,
  type EventLog,
  EventLogUnavailableError,
} from '@switchyard/event-log'

export type OpenStorage = AsyncDisposable & {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly announcer: Announcer
}

export class LateStorage implements AsyncDisposable {
  readonly #waitingFor: () => string
  readonly #arrival = Promise.withResolvers<OpenStorage | null>()
  #storage: OpenStorage | null = null

  constructor(waitingFor: () => string) {
    this.#waitingFor = waitingFor
  }

  readonly log: EventLog = {
    append: async (subject, record, expectedLast) => this.#log().append(subject, record, expectedLast),
    read: (filter, from) => this.#log().read(filter, from),
    follow: (filter, from, signal) => this.#follow(filter, from, signal),
    last: async (filter) => this.#log().last(filter),
    subjects: async (name) => this.#log().subjects(name),
    [Symbol.asyncDispose]: async () => {},
  }

  readonly blobs = this.#late('blobs')
  readonly pieces = this.#late('pieces')

  readonly announcer: Announcer = {
    announce: (subject, message) => this.#storage?.announcer.announce(subject, message),
    subscribe: (subject, handler) => this.#subscribe(subject, handler),
    [Symbol.asyncDispose]: async () => {},
  }

  /** From here on every call goes to this storage, which is disposed with this object. */
  open(storage: OpenStorage): void {
    this.#storage = storage
    this.#arrival.resolve(storage)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#arrival.resolve(null)
    await this.#storage?.[Symbol.asyncDispose]()
  }

  #log(): EventLog {
    if (this.#storage === null) throw new EventLogUnavailableError(this.#waitingFor())
    return this.#storage.log
  }

  #late(name: 'blobs' | 'pieces'): BlobStore {
    const open = (): BlobStore => {
      if (this.#storage === null) throw new BlobStoreUnavailableError(this.#waitingFor())
      return this.#storage[name]
    }
    return {
      put: async (bytes) => open().put(bytes),
      putAll: async (blobs) => open().putAll(blobs),
      get: async (sha256) => open().get(sha256),
      has: async (sha256) => open().has(sha256),
      list: () => open().list(),
      delete: async (sha256, storedBefore) => open().delete(sha256, storedBefore),
      [Symbol.asyncDispose]: async () => {},
    }
  }

  async *#follow(...[filter, from, signal]: Parameters<EventLog['follow']>): ReturnType<EventLog['follow']> {
    const aborted = Promise.withResolvers<null>()
    const abort = () => aborted.resolve(null)
    if (signal.aborted) return
    signal.addEventListener('abort', abort, { once: true })
    const storage = await Promise.race([this.#arrival.promise, aborted.promise])
    signal.removeEventListener('abort', abort)
    if (storage !== null) yield* storage.log.follow(filter, from, signal)
  }

  #subscribe(...[subject, handler]: Parameters<Announcer['subscribe']>): Disposable {
    let isDisposed = false
    let subscription: Disposable | null = null
    void this.#arrival.promise.then((storage) => {
      if (storage !== null && !isDisposed) subscription = storage.announcer.subscribe(subject, handler)
    })
    return {
      [Symbol.dispose]() {
        isDisposed = true
        subscription?.[Symbol.dispose]()
      },
    }
  }
}
