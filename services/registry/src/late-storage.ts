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
  type KeyValueStore,
  type NatsUsage,
  EventLogUnavailableError,
} from '@switchyard/event-log'

export type OpenStorage = AsyncDisposable & {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly pieces: BlobStore
  readonly announcer: Announcer
  readonly values: KeyValueStore
  readonly usage: Pick<NatsUsage, 'subscribe' | 'isListening'>
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
    subscribe: (subject, handler) => this.#later(({ announcer }) => announcer.subscribe(subject, handler)),
    [Symbol.asyncDispose]: async () => {},
  }

  readonly values: KeyValueStore = {
    get: async (key) => this.#opened().values.get(key),
    set: async (key, bytes, revision) => this.#opened().values.set(key, bytes, revision),
    keys: async (prefix) => this.#opened().values.keys(prefix),
    delete: async (key) => this.#opened().values.delete(key),
  }

  /** Whether usage arrives at this moment. */
  readonly isListening = (): boolean => this.#storage?.usage.isListening === true

  /** Subscribes to the usage of routers. */
  readonly subscribeToUsage: NatsUsage['subscribe'] = (handler, beginning) =>
    this.#later((storage) => storage.usage.subscribe(handler, beginning))

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

  #opened(): OpenStorage {
    if (this.#storage === null) throw new BlobStoreUnavailableError(this.#waitingFor())
    return this.#storage
  }

  #late(name: 'blobs' | 'pieces'): BlobStore {
    const open = (): BlobStore => {
      return this.#opened()[name]
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

  /** Subscribes once the storage is open. */
  #later(subscribe: (storage: OpenStorage) => Disposable): Disposable {
    let isDisposed = false
    let subscription: Disposable | null = null
    void this.#arrival.promise.then((storage) => {
      if (storage !== null && !isDisposed) subscription = subscribe(storage)
    })
    return {
      [Symbol.dispose]() {
        isDisposed = true
        subscription?.[Symbol.dispose]()
      },
    }
  }
}
