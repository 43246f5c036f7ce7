import { describe, expect, it } from 'vitest'
import { PlanningBudget } from '../../src/planning/planning-budget.ts'

function budgetOf(perSecond: number) {
  const clock = { now: 5000 }
  return { clock, budget: new PlanningBudget(perSecond, () => clock.now) }
}

describe('the planning budget', () => {
  it("is ten seconds' worth at the start, and lets plan until that is spent", () => {
    const { budget } = budgetOf(200)
    for (let plan = 0; plan < 199; plan++) budget.charge(10)
    expect(budget.wait).toBe(0)
    budget.charge(10)
    expect(budget.wait).toBeGreaterThan(0)
  })

  it('says after which time there is something left again, and keeps its word', () => {
    const { budget, clock } = budgetOf(200)
    budget.charge(2100)
    const wait = budget.wait
    expect(wait).toBe(501)
    clock.now += wait - 1
    expect(budget.wait).toBe(1)
    clock.now += 1
    expect(budget.wait).toBe(0)
  })

  it("fills up with time, to ten seconds' worth and no further", () => {
    const { budget, clock } = budgetOf(200)
    budget.charge(2000)
    clock.now += 3_600_000
    budget.charge(1999)
    expect(budget.wait).toBe(0)
    budget.charge(1)
    expect(budget.wait).toBeGreaterThan(0)
  })

  it('gives on average what was promised, however long each plan takes', () => {
    for (const cost of [1, 7, 50, 450]) {
      const { budget, clock } = budgetOf(200)
      budget.charge(2000)
      const end = clock.now + 100_000
      let spent = 0
      for (;;) {
        clock.now += budget.wait
        if (clock.now >= end) break
        budget.charge(cost)
        spent += cost
      }
      // The last plan may go over.
      expect(spent).toBeGreaterThanOrEqual(19_800)
      expect(spent).toBeLessThanOrEqual(20_000 + cost)
    }
  })
})
