/** Answers in very many pieces: whoever answers chooses how many there are. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Recorder } from '../src/defer/recorder.ts'
import { readAnswerBody } from '../src/registry/answer-body.ts'

/** Bytes one by one, as long as somebody reads them. */
async function* oneByOne(read: { count: number }) {
  for (;;) {
    read.count++
    yield Buffer.from(' ')
    if (read.count % 1000 === 0) await delay(0)
  }
}

it('an answer is read whole, however it is cut', async () => {
  const text = '{"data":"☂"}'.repeat(200)
  const pieces = (async function* () {
    for (const byte of Buffer.from(text)) yield Buffer.from([byte])
  })()
  expect(await readAnswerBody(pieces, 10_000)).toBe(text)
})

it('an answer in pieces of one byte is given up', async () => {
  const read = { count: 0 }
  await expect(readAnswerBody(oneByOne(read), 1e9)).rejects.toThrow('in thousands of very small pieces')
  expect(read.count).toBeLessThan(9000)
})

it('a probe whose answer comes in pieces of one byte is recorded up to a limit', () => {
  const recorder = new Recorder({ status: 200, httpVersion: '1.1', headers: {}, begunAt: 0 })
  let count = 0
  while (recorder.read(Buffer.from(' '))) count++
  expect(count).toBeLessThan(9000)
})
