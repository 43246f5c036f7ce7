/**
 * Reads the body of an answer whole. Whoever answers chooses how many bytes come and in how many pieces, so
 * both are bounded.
 */
import { GatheredPieces } from '@switchyard/service-kit/gathered-pieces'

/** The body cannot be held. The message says what was answered, in words that follow "answered". */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/** Reads a body. Throws UnreadableAnswer, and errors of the body, after which it reads nothing more. */
export async function readAnswerBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const blocks: Buffer[] = []
  const pieces = new GatheredPieces((bytes) => blocks.push(bytes))
  for await (const piece of body) {
    pieces.add(piece)
    if (pieces.length > maxBytes) throw new UnreadableAnswer(`more than ${maxBytes / 1024 / 1024} MiB`)
    if (pieces.areTooMany) throw new UnreadableAnswer('in thousands of very small pieces')
  }
  pieces.flush()
  return Buffer.concat(blocks).toString('utf8')
}
