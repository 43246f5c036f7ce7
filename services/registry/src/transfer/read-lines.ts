/** The lines of a stream of bytes, each of a bounded length. */

export type NumberedLine = { readonly number: number; readonly text: string }

export class LineTooLongError extends Error {
  readonly line: number
  constructor(line: number, maxBytes: number) {
    super(`the line is longer than ${maxBytes} bytes`)
    this.name = new.target.name
    this.line = line
  }
}

/** A last line without its line end counts; an empty one after the last line end does not. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<NumberedLine> {
  let parts: Buffer[] = []
  let length = 0
  let number = 1
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      if (length + end - from > maxBytes) throw new LineTooLongError(number, maxBytes)
      yield { number, text: Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8') }
      number += 1
      from = end + 1
      parts = []
      length = 0
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxBytes) throw new LineTooLongError(number, maxBytes)
  }
  if (length > 0) yield { number, text: Buffer.concat(parts).toString('utf8') }
}
