/**
 * Writes the lines of a log to a descriptor, several at a time where nobody is in a hurry.
 *
 * A line that is written at once takes those that wait along, so lines stay in their order. Nothing ever
 * waits for the reader: what the system does not take is kept and tried again, up to a limit, beyond which
 * lines are lost and counted.
 */
import { fstatSync, writeSync } from 'node:fs'

/** The time that a line may wait to be written together with others. */
const COLLECT_MS = 100
/** The time after which the system is asked again whether it takes more. */
const RETRY_MS = 20
/** The time that a process which ends waits for the reader of its log. */
const FINISH_MS = 5000

/**
 * Bytes that a pipe of Linux takes as a whole or not at all (PIPE_BUF), so that processes that share a pipe
 * do not write into each other's lines.
 */
const PIPE_PAGE = 4096
/** A file takes everything at once, and larger pages make hardly any difference. */
const FILE_PAGE = 32 * 1024

/** Bytes that may be kept while the reader takes nothing; beyond it lines that can wait are lost. */
const MAX_KEPT = 1024 * 1024
/** Beyond it all lines are lost. */
const MAX_KEPT_URGENT = 2 * MAX_KEPT

const LINE_END = 10

/** Writes to a descriptor that does not block, or a file. Lines end with a line break. */
export class LineWriter {
  readonly #fd: number
  readonly #pageSize: number
  readonly #onLost: (lines: number) => void
  /** Lines that are collected: the first `#used` bytes. */
  #page: Buffer
  #used = 0
  /** Bytes that the system has not taken yet, the oldest first. */
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #lost = 0
  #timer: NodeJS.Timeout | null = null

  /** `onLost` is called when lines were lost and others are taken again. */
  constructor(fd: number, onLost: (lines: number) => void) {
    this.#fd = fd
    this.#pageSize = fstatSync(fd).isFile() ? FILE_PAGE : PIPE_PAGE
    this.#page = Buffer.allocUnsafeSlow(this.#pageSize)
    this.#onLost = onLost
  }

  /** Writes a line at once, after those that wait. */
  write(line: string): void {
    // While the reader takes nothing, asking again for each line would be in vain.
    const isStuck = this.#kept.length > 0
    if (this.#take(line, MAX_KEPT_URGENT) && !isStuck) this.flush()
  }

  /** Writes a line with others: when there are enough of them, or after a tenth of a second. */
  writeSoon(line: string): void {
    if (this.#take(line, MAX_KEPT)) this.#wake(COLLECT_MS)
  }

  /** Writes what was collected, as far as it is taken. */
  flush(): void {
    if (this.#used > 0) this.#keep(this.#page.subarray(0, this.#used))
    this.#used = 0
    const isTaken = this.#send()
    const last = this.#kept.at(-1)
    if (last !== undefined) {
      // The page is used again.
      if (last.buffer === this.#page.buffer) this.#kept[this.#kept.length - 1] = Buffer.from(last)
      this.#wake(RETRY_MS)
    } else if (isTaken && this.#lost > 0) {
      const lost = this.#lost
      this.#lost = 0
      this.#onLost(lost)
    }
  }

  /** Writes all that is left, and waits for the reader for as long as a process that ends may wait. */
  finish(): void {
    const until = performance.now() + FINISH_MS
    this.flush()
    while (this.#kept.length > 0 && performance.now() < until) {
      sleep(RETRY_MS)
      this.flush()
    }
  }

  /** Collects a line. Returns false if there is no room for it. */
  #take(line: string, limit: number): boolean {
    // A character of a text is at most three bytes of UTF-8: here nobody has to know the exact number.
    if (this.#keptBytes === 0 && this.#used + 3 * line.length <= this.#pageSize) {
      this.#used += this.#page.write(line, this.#used)
      return true
    }
    const bytes = Buffer.byteLength(line)
    if (this.#keptBytes + this.#used + bytes > limit) {
      this.#lost++
      return false
    }
    if (this.#used + bytes > this.#pageSize) this.flush()
    if (bytes > this.#pageSize) this.#keep(Buffer.from(line))
    else this.#used += this.#page.write(line, this.#used)
    return true
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  /** Writes what is kept. Returns true if the system took some of it. */
  #send(): boolean {
    let isTaken = false
    for (let next = this.#kept[0]; next !== undefined; next = this.#kept[0]) {
      const taken = this.#sendSome(next)
      if (taken === 0) break
      isTaken ||= taken !== null
    }
    return isTaken
  }

  /**
   * Writes the oldest bytes. Returns how many of them were taken, or null if they cannot be written and are
   * lost.
   */
  #sendSome(bytes: Buffer): number | null {
    let taken: number | null = 0
    try {
      taken = writeSync(this.#fd, bytes)
    } catch (error) {
      if (isBusy(error)) return 0
      // The disk is full, or nobody reads any more. A service does not end because of its log.
      this.#lost += linesIn(bytes)
      taken = null
    }
    if (taken === null || taken === bytes.length) this.#kept.shift()
    else this.#kept[0] = bytes.subarray(taken)
    this.#keptBytes -= taken ?? bytes.length
    return taken
  }

  #wake(milliseconds: number): void {
    if (this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.flush()
    }, milliseconds)
    this.#timer.unref()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

function linesIn(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === LINE_END) count++
  return count
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
