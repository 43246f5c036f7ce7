import { describe, expect, it } from 'vitest'
import { RetryBudget } from '../../../../src/call/policies/retry/retry-budget.ts'

/** Each call wants so many retries. Returns how many are made. */
function storm(budget: RetryBudget, calls: number, wanted = 3): number {
  let retries = 0
  for (let call = 0; call < calls; call++) {
    budget.callBegan()
    for (let retry = 0; retry < wanted; retry++) if (budget.take()) retries++
  }
  return retries
}

describe('the budget of retries', () => {
  it('bounds those of a storm to its share of the calls, beside the ten it begins with', () => {
    // What the first call earns is not added to a full bucket.
    expect(storm(new RetryBudget(0.1), 10_000)).toBe(1009)
    expect(storm(new RetryBudget(0.01), 10_000)).toBe(109)
  })

  it('lets the first calls of a router be made again', () => {
    expect(storm(new RetryBudget(0.1), 1)).toBe(3)
  })

  it('saves up no more than ten, however long nothing failed', () => {
    const budget = new RetryBudget(0.1)
    for (let call = 0; call < 100_000; call++) budget.callBegan()
    expect(storm(budget, 1, 100)).toBe(10)
  })

  it('is earned again by calls that do not fail', () => {
    const budget = new RetryBudget(0.5)
    expect(storm(budget, 1, 100)).toBe(10)
    expect(budget.take()).toBe(false)
    budget.callBegan()
    budget.callBegan()
    expect(budget.take()).toBe(true)
  })
})
