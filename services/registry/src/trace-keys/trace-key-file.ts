/**
 * The file with the private halves of the trace keys: a JWKS (or one JWK), mode 0600, or a mounted secret
 * that is only read. Several registries may share one.
 *
 * It is read for every token, so a secret that is mounted anew needs no restart. It is replaced whole or not
 * at all, under a lock beside it, so that registries that add a key at the same time keep each other's.
 */
import { open, readFile, realpath, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { problem, ProblemError } from '@switchyard/contracts'
import { writeWholeFile } from '@switchyard/files'
import { codeOf } from './error-code.ts'
import { parseTraceKeys, printTraceKeys, type TraceKey } from './trace-key.ts'

/** The lock is held for one small write: one this old was left by a process that was killed. */
const LOCK_IS_STALE_MS = 10_000
const LOCK_PAUSE_MS = 20
/** Longer than a lock takes to be stale, unless the clocks of machines that share the file are far apart. */
const LOCK_WAIT_MS = 15_000

export class TraceKeyFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Reads the keys in the order of the file. Empty if there is no file. Throws TraceKeyFileError. */
  async read(): Promise<readonly TraceKey[]> {
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw new TraceKeyFileError(`it cannot be read (${codeOf(error)})`)
    }
    const keys = await parseTraceKeys(text)
    if (keys === null) {
      throw new TraceKeyFileError('it is not what was expected, a JSON Web Key Set of private Ed25519 keys')
    }
    return keys
  }

  async add(key: TraceKey): Promise<void> {
    await this.#replace((keys) => [...keys, key])
  }

  /** Does nothing when it is not there. */
  async remove(kid: string): Promise<void> {
    if ((await this.read()).every((key) => key.kid !== kid)) return
    await this.#replace((keys) => keys.filter((key) => key.kid !== kid))
  }

  async #replace(change: (keys: readonly TraceKey[]) => readonly TraceKey[]): Promise<void> {
    try {
      // A link leads to the file that the other registries see: it is not to be replaced itself.
      const path = await realpath(this.path).catch(() => this.path)
      await using _ = await lock(`${path}.lock`)
      await writeWholeFile(path, printTraceKeys(change(await this.read())))
    } catch (error) {
      if (error instanceof TraceKeyFileError) throw error
      throw new TraceKeyFileError(`it cannot be written (${codeOf(error)})`)
    }
  }
}

/** Says neither where the file is, which is nothing for callers, nor what is in it. */
export class TraceKeyFileError extends ProblemError {
  readonly reason: string

  constructor(reason: string) {
    super(
      problem(
        'TRACE_KEY_FILE_UNUSABLE',
        `The file with the private trace keys of this registry is no use: ${reason}. The log of the registry says which file. A mounted secret gets its keys outside: ` +
          'add one with "node services/registry/src/main.ts create-trace-key <key file>", mount that, then announce it with "switchyard registry trace-key create".',
      ),
    )
    this.reason = reason
  }
}

async function lock(path: string): Promise<AsyncDisposable> {
  const deadline = performance.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      await using _handle = await open(path, 'wx', 0o600)
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const held = await stat(path).catch(() => null)
    if (held !== null && Date.now() - held.mtimeMs > LOCK_IS_STALE_MS) await rm(path, { force: true })
    else if (performance.now() < deadline) await sleep(LOCK_PAUSE_MS)
    else throw new TraceKeyFileError('another process holds the lock beside it (.lock)')
  }
}
