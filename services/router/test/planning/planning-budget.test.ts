import { array, assert, boolean, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../src/fairness/client.ts'
import { PlanningBudget } from '../../src/planning/planning-budget.ts'
import { clientAt, SOMEBODY } from '../support/clients.ts'

function budgetOf(perSecond: number) {
  const clock = { now: 5000 }
  return { clock, budget: new PlanningBudget(perSecond, () => clock.now) }
}

describe('the planning budget', () => {
  it("is ten seconds' worth at the start, and lets plan until that is spent", () => {
    const { budget } = budgetOf(200)
    for (let plan = 0; plan < 199; plan++) budget.charge(SOMEBODY, 10)
    expect(budget.waitOf(SOMEBODY)).toBe(0)
    budget.charge(SOMEBODY, 10)
    expect(budget.waitOf(SOMEBODY)).toBeGreaterThan(0)
  })

  it('says after which time there is something left again, and keeps its word', () => {
    const { budget, clock } = budgetOf(200)
    budget.charge(SOMEBODY, 2100)
    const wait = budget.waitOf(SOMEBODY)
    expect(wait).toBe(501)
    clock.now += wait - 1
    expect(budget.waitOf(SOMEBODY)).toBe(1)
    clock.now += 1
    expect(budget.waitOf(SOMEBODY)).toBe(0)
  })

  it("fills up with time, to ten seconds' worth and no further", () => {
    const { budget, clock } = budgetOf(200)
    budget.charge(SOMEBODY, 2000)
    clock.now += 3_600_000
    budget.charge(SOMEBODY, 1999)
    expect(budget.waitOf(SOMEBODY)).toBe(0)
    budget.charge(SOMEBODY, 1)
    expect(budget.waitOf(SOMEBODY)).toBeGreaterThan(0)
  })

  it('gives on average what was promised, however long each plan takes', () => {
    for (const cost of [1, 7, 50, 450]) {
      const { budget, clock } = budgetOf(200)
      budget.charge(SOMEBODY, 2000)
      const end = clock.now + 100_000
      let spent = 0
      for (;;) {
        clock.now += budget.waitOf(SOMEBODY)
        if (clock.now >= end) break
        budget.charge(SOMEBODY, cost)
        spent += cost
      }
      // The last plan may go over.
      expect(spent).toBeGreaterThanOrEqual(19_800)
      expect(spent).toBeLessThanOrEqual(20_000 + cost)
    }
  })
})

const PER_SECOND = 200
/** Of computing time, in milliseconds: what one client alone may owe, and what it may with many names. */
const ALONE = 10 * PER_SECOND
const ALONE_WITH_NAMES = 11.25 * PER_SECOND

/** A client that goes on asking, and what it was given. */
type Asking = { readonly client: () => Client; readonly cost: number; given: number }

/** Everybody asks again as soon as they were answered, in an order that changes. */
function simulate(asking: readonly Asking[], seconds: number) {
  const { budget, clock } = budgetOf(PER_SECOND)
  for (let passed = 0; passed < seconds * 1000; passed += 5) {
    clock.now += 5
    for (let index = 0; index < asking.length; index++) {
      const one = asking[(index + passed / 5) % asking.length]
      const client = one?.client()
      if (one === undefined || client === undefined || budget.waitOf(client) > 0) continue
      budget.charge(client, one.cost)
      one.given += one.cost
    }
  }
  return { budget, clock }
}

describe('shares of the planning budget', () => {
  it('leave enough for a quiet client to be planned for at once when another one has spent its share', () => {
    const { budget } = budgetOf(PER_SECOND)
    const quiet = clientAt('2001:db8:1:2')
    while (budget.waitOf(SOMEBODY) === 0) budget.charge(SOMEBODY, 5)
    let given = 0
    for (; budget.waitOf(quiet) === 0; given += 5) budget.charge(quiet, 5)
    expect(given).toBeGreaterThan(ALONE / 4)
    expect(budget.waitOf(SOMEBODY)).toBeGreaterThan(0)
  })

  it('are the same for all who go on asking, whatever each plan takes, and together all there is', () => {
    const somebody = record({ cost: integer({ min: 2, max: 40 }), invents: boolean() })
    assert(
      property(array(somebody, { minLength: 1, maxLength: 6 }), (somebodies) => {
        let invented = 0
        const asking = somebodies.map(({ cost, invents }, index) => ({
          client: () => clientAt(`${index}`, invents ? `${invented++}` : ''),
          cost,
          given: 0,
        }))
        const seconds = 60
        simulate(asking, seconds)
        const all = asking.reduce((sum, { given }) => sum + given, 0)
        // What was saved up may be spent, too, but for what is kept for those who come.
        expect(all).toBeGreaterThan(PER_SECOND * seconds)
        expect(all).toBeLessThan(PER_SECOND * (seconds + 15) + 6 * 40)
        for (const { given, cost } of asking) {
          // And something of what was saved up, once: who asks first may get most of that.
          expect(given).toBeGreaterThan((PER_SECOND * seconds) / asking.length - cost)
          expect(given).toBeLessThan((PER_SECOND * seconds) / asking.length + ALONE_WITH_NAMES + 2 * cost)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('are of no use to somebody who invents names', () => {
    let invented = 0
    const plain = { client: () => clientAt('1'), cost: 5, given: 0 }
    const inventive = { client: () => clientAt('2', `${invented++}`), cost: 5, given: 0 }
    simulate([plain, inventive], 300)
    expect(Math.abs(plain.given - inventive.given)).toBeLessThan(ALONE / 4)
  })

  it('of an address are divided among the names of its clients', () => {
    const [noisy, quiet] = [clientAt('1', 'noisy'), clientAt('1', 'quiet')]
    const { budget } = simulate([{ client: () => noisy, cost: 5, given: 0 }], 60)
    while (budget.waitOf(noisy) === 0) budget.charge(noisy, 5)
    expect(budget.waitOf(quiet)).toBe(0)
    const asking = [noisy, quiet].map((client) => ({ client: () => client, cost: 5, given: 0 }))
    simulate(asking, 300)
    const [one, two] = asking.map(({ given }) => given)
    expect(Math.abs((one ?? 0) - (two ?? 0))).toBeLessThan(50)
  })

  it('are remembered only as long as something is owed, and of so many clients only', () => {
    const { budget, clock } = budgetOf(PER_SECOND)
    for (let client = 0; client < 20_000; client++) budget.charge(clientAt(`${client}`, 'a'), 0.1)
    for (let name = 0; name < 1000; name++) budget.charge(clientAt('1', `${name}`), 0.1)
    expect(budget.accounts).toBeLessThanOrEqual(2 * 4097 + 65)
    clock.now += 15_000
    expect(budget.waitOf(SOMEBODY)).toBe(0)
    expect(budget.accounts).toBe(0)
  })
})
