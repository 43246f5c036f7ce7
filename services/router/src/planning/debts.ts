/**
 * What each of several debtors owes, and what all of them owe together. Whatever is paid back is paid back
 * for all of them in equal parts, as long as they owe something: who owes much waits longer, and keeps nobody
 * else waiting.
 *
 * Who owes nothing is not remembered. Of those who do, only so many are told apart: all others have one
 * account together. A payment takes a step for each part of what is paid, and one for each debtor who owes
 * nothing any more.
 */
import { OrderedSet } from '../clients/ordered-set.ts'

/** Milliseconds, of which each debtor in turn is relieved. */
const PART = 1
const ALL_OTHERS = '*'

/** How many debtors are told apart, and who hears of payments. */
export type DebtsOptions = {
  /** Debtors who are told apart. */
  readonly maxDebtors: number
  /** Hears what was paid for whom. */
  readonly onPaid?: (debtor: string, amount: number) => void
}

/** The accounts of all debtors. */
export class Debts {
  readonly #options: DebtsOptions
  readonly #owed = new Map<string, number>()
  /** Debtors in the order of their turns to be paid for. */
  readonly #turns = new OrderedSet<string>()
  #total = 0
  /** Paid, and too little for the part that is next. */
  #credit = 0

  constructor(options: DebtsOptions) {
    this.#options = options
  }

  /** Milliseconds that all debtors owe together. */
  get total(): number {
    return this.#total - this.#credit
  }

  /** Accounts on which something is owed. */
  get size(): number {
    return this.#owed.size
  }

  /** The account of somebody: their own, or that of all who are not told apart. */
  accountOf(debtor: string): string {
    return this.#owed.has(debtor) || this.#owed.size < this.#options.maxDebtors ? debtor : ALL_OTHERS
  }

  of(account: string): number {
    return this.#owed.get(account) ?? 0
  }

  owe(account: string, amount: number): void {
    this.#owed.set(account, this.of(account) + amount)
    this.#turns.add(account)
    this.#total += amount
  }

  pay(amount: number): void {
    this.#credit += amount
    for (let account = this.#turns.first; account !== null; account = this.#turns.first) {
      const part = Math.min(PART, this.of(account))
      if (this.#credit < part) return
      this.#credit -= part
      this.#payFor(account, part)
    }
    this.#credit = 0
    this.#total = 0
  }

  #payFor(account: string, part: number): void {
    const left = this.of(account) - part
    this.#total -= part
    this.#turns.delete(account)
    if (left > 0) {
      this.#owed.set(account, left)
      this.#turns.add(account)
    } else this.#owed.delete(account)
    this.#options.onPaid?.(account, part)
  }
}
