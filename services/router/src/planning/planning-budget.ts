/**
 * The computing time that a process may spend on plans it has never made, divided among clients.
 *
 * A client owes the time that planning took for it, and passing time pays the debts back, in equal parts for
 * all who owe something. A new plan is made as long as its client owes less than a multiple of what is left
 * for everybody. So a client that is alone may spend the whole budget; the more clients spend, the less each
 * of them may owe; and a client that owes nothing always finds something left. The rule needs no knowledge of
 * other clients.
 *
 * Time that is not spent is saved up for a while, since a router that has just started meets all operations
 * of its clients for the first time. The time of a plan is known only afterwards, so that debts may exceed
 * their limit; then nothing is planned until they are paid back. Operations with a plan never ask.
 */
import type { Client } from '../fairness/client.ts'
import { Debts } from './debts.ts'

/** All clients together may owe this many seconds' worth of the budget. */
const SECONDS = 15
/**
 * An address may owe three times what is left for everybody, and one client name of an address twice what the
 * address may still owe. So a client that is alone may owe ten seconds' worth.
 */
const ADDRESS_FACTOR = 3
const NAME_FACTOR = 2

/** Addresses that are told apart while they owe something. */
const MAX_ADDRESSES = 4096
const MAX_NAMES = 64

/** The time that planning may take per second, divided among clients. */
export class PlanningBudget {
  readonly #perSecond: number
  readonly #now: () => number
  readonly #addresses = new Debts({
    maxDebtors: MAX_ADDRESSES,
    onPaid: (address, amount) => this.#paid(address, amount),
  })
  /** Debts of the client names within each address. */
  readonly #names = new Map<string, Debts>()
  #paidAt: number

  /** `perSecond` and the clock in milliseconds; the clock may start anywhere but never runs backwards. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond
    this.#now = now
    this.#paidAt = now()
  }

  /**
   * Returns the milliseconds until something may be planned for this client if no other client asks for
   * anything. 0 means at once.
   */
  waitOf({ address, name }: Client): number {
    this.#pay()
    const account = this.#addresses.accountOf(address)
    const left = this.#perSecond * SECONDS - this.#addresses.total
    const owed = this.#addresses.of(account)
    const names = this.#names.get(account)
    const owedByName = names?.of(names.accountOf(name)) ?? 0
    const leftForNames = ADDRESS_FACTOR * left - owed
    if (left > 0 && leftForNames > 0 && owedByName < NAME_FACTOR * leftForNames) return 0
    // If this client is the only one that owes anything, all that is paid is paid for it.
    const missing = Math.max(
      -left,
      -leftForNames / (1 + ADDRESS_FACTOR),
      (owedByName - NAME_FACTOR * leftForNames) / (1 + NAME_FACTOR * (1 + ADDRESS_FACTOR)),
    )
    return Math.floor((missing * 1000) / this.#perSecond) + 1
  }

  /** Accounts of addresses, and of names within them, on which something is owed. */
  get accounts(): number {
    let count = this.#addresses.size
    for (const names of this.#names.values()) count += names.size
    return count
  }

  charge({ address, name }: Client, milliseconds: number): void {
    if (milliseconds <= 0) return
    this.#pay()
    const account = this.#addresses.accountOf(address)
    this.#addresses.owe(account, milliseconds)
    const names = this.#names.get(account) ?? new Debts({ maxDebtors: MAX_NAMES })
    this.#names.set(account, names)
    names.owe(names.accountOf(name), milliseconds)
  }

  #pay(): void {
    const now = this.#now()
    this.#addresses.pay(((now - this.#paidAt) * this.#perSecond) / 1000)
    this.#paidAt = now
  }

  #paid(address: string, amount: number): void {
    if (this.#addresses.of(address) === 0) this.#names.delete(address)
    else this.#names.get(address)?.pay(amount)
  }
}
