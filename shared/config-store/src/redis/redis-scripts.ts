/** Scripts of others than config stores, on a connection that is kept as theirs is. */
import { createHash } from 'node:crypto'
import { RedisConnection, type RedisWatcher } from './redis-connection.ts'
import type { RedisConnectionSettings } from './redis-settings.ts'

/** A script that Redis runs as one step. */
export type RedisScript = { readonly text: string; readonly sha1: string }

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}

/** Runs scripts on a Redis that may be away for a time. */
export class RedisScripts implements AsyncDisposable {
  readonly #connection: RedisConnection

  private constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  /** Returns when connected, or after the first failed attempt. Throws InvalidStoreAddressError. */
  static async open(
    settings: RedisConnectionSettings,
    name: string,
    watcher: RedisWatcher = {},
  ): Promise<RedisScripts> {
    const connection = new RedisConnection(settings, name, watcher)
    await connection.open()
    return new RedisScripts(connection)
  }

  /** Rejects with ConfigStoreUnavailableError at once where there is no connection, and after 5 s at most. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.#connection.ask(async (client) => {
      try {
        return await client.evalsha(script.sha1, keys.length, ...keys, ...args)
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
        return client.eval(script.text, keys.length, ...keys, ...args)
      }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
