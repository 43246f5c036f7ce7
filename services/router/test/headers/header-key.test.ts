import { expect, it } from 'vitest'
import { headerKey } from '../../src/headers/header-key.ts'

it.each([
  ['Authorization', 'authorization'],
  ['x-user-id', 'x-user-id'],
  // Names that objects have or order in their own way.
  ['__Proto__', '__proto__'],
  ['toString', 'tostring'],
  ['42', '42'],
])('finds the header %s under %s', (name, key) => {
  expect(headerKey(name)).toBe(key)
})
