import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '@switchyard/testkit/temporary-directory'
import { LineWriter } from '../src/logging/line-writer.ts'

/** A pipe that is read only when the test says so. */
async function pipe() {
  const directory = await temporaryDirectory()
  const path = join(directory.path, 'pipe')
  spawnSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const lost: number[] = []
  const writer = new LineWriter(fd, (lines) => {
    lost.push(lines)
    writer.write(`lost ${lines}\n`)
  })
  /** What is in the pipe now. */
  const read = (): string => {
    const bytes = Buffer.alloc(4 * 1024 * 1024)
    let length = 0
    try {
      for (;;) length += readSync(fd, bytes, length, bytes.length - length, null)
    } catch {
      return bytes.toString('utf8', 0, length)
    }
  }
  return {
    writer,
    lost,
    read,
    async [Symbol.asyncDispose]() {
      closeSync(fd)
      await directory[Symbol.asyncDispose]()
    },
  }
}

const lines = (text: string): string[] => text.split('\n').slice(0, -1)

describe('a writer of lines', () => {
  it('writes at once what cannot wait, after what waits', async () => {
    await using to = await pipe()
    to.writer.writeSoon('first\n')
    expect(to.read()).toBe('')
    to.writer.write('second\n')
    expect(to.read()).toBe('first\nsecond\n')
  })

  it('writes what waits within a tenth of a second', async () => {
    await using to = await pipe()
    to.writer.writeSoon('a line\n')
    await vi.waitFor(() => expect(to.read()).toBe('a line\n'), PATIENTLY)
  })

  it('writes what waits as soon as there is much of it, with no line cut in two', async () => {
    await using to = await pipe()
    const line = `${'é'.repeat(150)}\n`
    for (let count = 0; count < 40; count++) to.writer.writeSoon(line)
    const text = to.read()
    expect(text.length).toBeGreaterThan(20 * line.length)
    expect(new Set(lines(text))).toEqual(new Set([line.trim()]))
    to.writer.flush()
    expect(lines(text + to.read())).toHaveLength(40)
  })

  it('writes lines of every length in their order', async () => {
    await using to = await pipe()
    const written: string[] = []
    let read = ''
    for (let length = 1; length < 20_000; length = Math.ceil(length * 1.7)) {
      written.push(`${length}:${'x'.repeat(length)}`, `${length}:ü`)
      to.writer.writeSoon(`${written.at(-2)}\n`)
      to.writer.writeSoon(`${written.at(-1)}\n`)
      read += to.read()
    }
    to.writer.flush()
    expect(lines(read + to.read())).toEqual(written)
  })

  it('waits for nobody: a reader that reads nothing for a while gets everything later', async () => {
    await using to = await pipe()
    // This thread reads as well: a writer that waited for its reader would never return.
    for (let count = 0; count < 2000; count++) to.writer.writeSoon(`${count} ${'x'.repeat(200)}\n`)
    to.writer.write('urgent\n')
    let text = ''
    await vi.waitFor(() => {
      text += to.read()
      expect(text.endsWith('urgent\n')).toBe(true)
    }, PATIENTLY)
    expect(lines(text).map((line) => line.split(' ')[0])).toEqual([
      ...Array.from({ length: 2000 }, (_, count) => String(count)),
      'urgent',
    ])
    expect(to.lost).toEqual([])
  })

  it('keeps a bounded number of bytes for such a reader, and says how many lines were lost', async () => {
    await using to = await pipe()
    const count = 20_000
    for (let number = 0; number < count; number++) to.writer.writeSoon(`${number} ${'x'.repeat(200)}\n`)
    // There is room left for what is rare, until that is too much as well.
    to.writer.write('urgent\n')
    let text = ''
    await vi.waitFor(() => {
      text += to.read()
      expect(to.lost).toHaveLength(1)
    }, PATIENTLY)
    text += to.read()
    const [lost = 0] = to.lost
    expect(text.length).toBeLessThan(1024 * 1024 + 70_000)
    expect(lines(text)).toHaveLength(count - lost + 2)
    expect(lines(text).slice(-2)).toEqual(['urgent', `lost ${lost}`])
  })

  it('loses urgent lines, too, when nobody reads them', async () => {
    await using to = await pipe()
    for (let number = 0; number < 20_000; number++) to.writer.write(`${'x'.repeat(200)}\n`)
    let length = 0
    await vi.waitFor(() => {
      length += to.read().length
      expect(to.lost).toHaveLength(1)
    }, PATIENTLY)
    expect(length).toBeLessThan(2 * 1024 * 1024 + 70_000)
  })

  it('writes to a file', async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'log')
    const fd = openSync(path, 'a')
    const writer = new LineWriter(fd, () => {})
    for (let count = 0; count < 1000; count++) writer.writeSoon(`${count} ${'x'.repeat(200)}\n`)
    writer.finish()
    closeSync(fd)
    expect(lines(readFileSync(path, 'utf8'))).toHaveLength(1000)
  })

  it('goes on where nothing can be written, such as on a full disk', async () => {
    const fd = openSync('/dev/full', 'w')
    const lost: number[] = []
    const writer = new LineWriter(fd, (count) => lost.push(count))
    for (let count = 0; count < 1000; count++) writer.writeSoon(`${'x'.repeat(200)}\n`)
    writer.write('urgent\n')
    writer.finish()
    closeSync(fd)
    // Nothing was taken after it.
    expect(lost).toEqual([])
  })
})
