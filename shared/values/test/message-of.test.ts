import { expect, it } from 'vitest'
import { messageOf } from '../src/message-of.ts'

it.each([
  [new TypeError('no'), 'no'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('the message of what was thrown is its own or its text: %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
