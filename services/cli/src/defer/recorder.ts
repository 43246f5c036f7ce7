import { PIECES } from '@switchyard/service-kit/gathered-pieces'
import { type Chunk, MAX_BYTES, type ProbeAnswer, type Recording } from './recording.ts'

/** Collects the bytes of one answer and when they came. */
export class Recorder {
  readonly #start: Omit<Recording, 'chunks' | 'end'>
  readonly #chunks: Chunk[] = []
  #size = 0

  constructor(start: Omit<Recording, 'chunks' | 'end'>) {
    this.#start = start
  }

  /** Records bytes that arrived. Returns false if the answer has become too large, or has too many chunks. */
  read(bytes: Buffer): boolean {
    this.#size += bytes.length
    this.#chunks.push({ at: performance.now(), bytes })
    // Whoever answers chooses how many chunks there are.
    const mostChunks = PIECES.any + this.#size / PIECES.bytesEach
    return this.#size <= MAX_BYTES && this.#chunks.length <= mostChunks
  }

  end(kind: Recording['end']['kind']): ProbeAnswer {
    const end = { kind, at: performance.now() }
    return { kind: 'recorded', recording: { ...this.#start, chunks: [...this.#chunks], end } }
  }
}
