import { describe, expect, it } from 'vitest'
import { CodeMemory, type DroppableCode } from '../../../src/execution/generated/code-memory.ts'

class Code implements DroppableCode {
  wasUsed = true
  isDropped = false

  drop(): void {
    this.isDropped = true
  }
}

describe('the memory for generated code', () => {
  it('lets go of what was not used lately, from the oldest on', () => {
    const memory = new CodeMemory(1000)
    const codes = Array.from({ length: 10 }, () => new Code())
    for (const code of codes) memory.add(code, 100)
    expect(memory.size).toBe(1000)
    for (const [index, code] of codes.entries()) code.wasUsed = index % 3 === 0
    const last = new Code()
    memory.add(last, 100)
    expect(codes.map(({ isDropped }) => isDropped)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
      false,
      true,
      true,
      false,
    ])
    expect([last.isDropped, memory.size]).toEqual([false, 500])
  })

  it('lets go of the oldest if all are used', () => {
    const memory = new CodeMemory(1000)
    const codes = Array.from({ length: 11 }, () => new Code())
    for (const code of codes) memory.add(code, 100)
    expect(codes.map(({ isDropped }) => isDropped)).toEqual(codes.map((_, index) => index < 6))
  })

  it('stays within its limit, however much code is added', () => {
    const memory = new CodeMemory(1000)
    for (let count = 0; count < 10_000; count++) {
      memory.add(new Code(), 1 + (count % 64))
      expect(memory.size).toBeLessThanOrEqual(1000)
    }
  })
})
