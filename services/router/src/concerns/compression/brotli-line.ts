/**
 * Decompresses Brotli one body at a time.
 *
 * Node.js's decompressor of Brotli fills its whole window before anything comes out. A body of 30 bytes makes
 * it write 4 MiB, which takes 8 ms in a thread of libuv's pool, and nothing can stop it meanwhile. So bodies
 * are decompressed when they are complete, one at a time, and clients take turns: nobody waits for more than
 * their own bodies and one of every other client.
 */
import { type BrotliDecompress, brotliDecompress } from 'node:zlib'
import type { Client } from '../../fairness/client.ts'
import { FairLine } from '../../fairness/fair-line.ts'

/** The outcome for a body. `used` counts its bytes without those that come after the end of the data. */
export type Unpacked =
  | { readonly kind: 'unpacked'; readonly bytes: Buffer; readonly used: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'invalid' }

/** A body that waits for its turn. */
type Job = {
  readonly bytes: Buffer
  readonly maxLength: number
  readonly tell: (result: Unpacked) => void
}

/** Decompresses the bodies of all clients of a router. */
export class BrotliLine {
  readonly #line = new FairLine<Job>()
  #isBusy = false

  /**
   * Decompresses a body in its turn, and calls `tell`. Disposing the result before that takes the body out of
   * the line.
   */
  unpack(client: Client, bytes: Buffer, maxLength: number, tell: (result: Unpacked) => void): Disposable {
    const job: Job = { bytes, maxLength, tell }
    this.#line.add(client, job)
    this.#next()
    return { [Symbol.dispose]: () => this.#line.withdraw(job) }
  }

  #next(): void {
    const turn = this.#isBusy ? null : this.#line.take()
    if (turn === null) return
    const { item: job } = turn
    this.#line.withdraw(job)
    this.#isBusy = true
    decompress(job, (result) => {
      this.#isBusy = false
      this.#next()
      job.tell(result)
    })
  }
}

/** The result with `info`: Node.js hands over the decompressor as well, which its types do not say. */
type WithInfo = { readonly buffer: Buffer; readonly engine: BrotliDecompress }

function decompress({ bytes, maxLength }: Job, then: (result: Unpacked) => void): void {
  brotliDecompress(bytes, { maxOutputLength: maxLength, info: true }, (error, result) => {
    if (error === null) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in the types; tested with bytes after the end
      const { buffer, engine } = result as unknown as WithInfo
      then({ kind: 'unpacked', bytes: buffer, used: engine.bytesWritten })
    } else then({ kind: 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'invalid' })
  })
}
