/**
 * Accounts of computing time that clients owe.
 *
 * Time that passes pays the debts back, in equal parts for everybody who owes something: a client that owes
 * much waits longer, and keeps nobody else waiting. Debtors without debts are not remembered. Only a limited
 * number of debtors is told apart; all further ones share one account. A payment takes one step per part of
 * it, and one per debtor whose debt it ends.
 */
import { OrderedSet } from '../fairness/ordered-set.ts'

/** Milliseconds that are paid for one debtor before the next one's turn. */
const PART = 1
const ALL_OTHERS = '*'

/** The limits of accounts, and the listener for payments. */
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
  /** Milliseconds that were paid in and are less than the next part. */
  #credit = 0

  constructor(options: DebtsOptions) {
    this.#options = options
  }

  /** Milliseconds that all debtors owe together. */
  get total(): number {
    return this.#total - this.#credit
  }

  /** The number of accounts with a debt. */
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
