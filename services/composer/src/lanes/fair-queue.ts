/**
 * A queue that takes turns between namespaces: the one that has used least CPU goes first.
 *
 * This is start-time fair queueing. Each namespace has an account of the CPU that its jobs used. `now` is the
 * account of the job that was taken last. A namespace that comes back after a pause starts there, so that it
 * cannot save up turns. A job is charged its expected CPU when it is taken, so that one namespace does not
 * get all threads at once, and the CPU that it really used when it ends. Jobs of one namespace are taken in
 * the order in which they came, but those that go first come before all others.
 *
 * Hence, while the first job of a namespace that owes nothing waits, each other namespace gets one turn at
 * most. No waiting namespace has used less than `now`, and of those that have used the same, the one goes
 * first whose last turn is longest ago.
 */

export type FairJob = {
  readonly namespace: string
  /** CPU milliseconds. */
  readonly expectedCpuMs: number
  /** True if the job comes before the jobs of its namespace that do not go first. */
  readonly goesFirst?: boolean
}

type Account<Job> = {
  /** CPU milliseconds, on the scale of `now`. */
  used: number
  /** The number of its last turn. 0 means that it had none. */
  lastTurn: number
  running: number
  readonly waiting: { readonly job: Job; readonly arrival: number }[]
}

/** CPU milliseconds: no namespace is remembered to have used more than this, however much it did. */
const MOST_OWED = 60_000

export class FairQueue<Job extends FairJob> {
  readonly #accounts = new Map<string, Account<Job>>()
  #now = 0
  #arrivals = 0
  #turns = 0
  #expectedMs = 0

  /** CPU milliseconds that all who wait are expected to use. */
  get expectedMs(): number {
    return this.#expectedMs
  }

  add(job: Job): void {
    const account = this.#accounts.get(job.namespace) ?? {
      used: this.#now,
      lastTurn: 0,
      running: 0,
      waiting: [],
    }
    if (account.waiting.length === 0) account.used = Math.max(account.used, this.#now)
    if (isIdle(account)) account.used = Math.min(account.used, this.#now + MOST_OWED)
    const place = job.goesFirst === true ? account.waiting.findIndex((one) => one.job.goesFirst !== true) : -1
    account.waiting.splice(place === -1 ? account.waiting.length : place, 0, {
      job,
      arrival: ++this.#arrivals,
    })
    this.#expectedMs += job.expectedCpuMs
    this.#accounts.set(job.namespace, account)
  }

  /** Returns false if the job does not wait here. */
  remove(job: Job): boolean {
    const account = this.#accounts.get(job.namespace)
    const index = account?.waiting.findIndex((one) => one.job === job) ?? -1
    if (account === undefined || index === -1) return false
    account.waiting.splice(index, 1)
    this.#expectedMs -= job.expectedCpuMs
    this.#forgetIfSettled(job.namespace, account)
    return true
  }

  /**
   * Takes the job whose turn it is, among those that are accepted. The caller has to settle it later. Null if
   * no such job waits.
   */
  take(accepts: (job: Job) => boolean = () => true): Job | null {
    let next: { readonly account: Account<Job>; readonly index: number } | null = null
    for (const account of this.#accounts.values()) {
      if (account.waiting.length === 0 || (next !== null && !isBefore(account, next.account))) continue
      const index = account.waiting.findIndex(({ job }) => accepts(job))
      if (index !== -1) next = { account, index }
    }
    const [first] = next?.account.waiting.splice(next.index, 1) ?? []
    if (next === null || first === undefined) return null
    const { account } = next
    this.#now = Math.max(this.#now, account.used)
    this.#expectedMs -= first.job.expectedCpuMs
    account.lastTurn = ++this.#turns
    account.running += 1
    account.used += first.job.expectedCpuMs
    return first.job
  }

  /** Notes that a taken job has ended after `cpuMs` milliseconds of CPU. */
  settle(job: Job, cpuMs: number): void {
    const account = this.#accounts.get(job.namespace)
    if (account === undefined || account.running === 0) return
    account.running -= 1
    const used = account.used - job.expectedCpuMs + cpuMs
    // An overcharge is not paid back in turns, for which others would have to wait.
    account.used = Math.max(used, this.#now)
    this.#forgetIfSettled(job.namespace, account)
  }

  /** Takes all that wait out of the queue. */
  clear(): readonly Job[] {
    this.#expectedMs = 0
    return [...this.#accounts.values()].flatMap(({ waiting }) => waiting.splice(0).map(({ job }) => job))
  }

  #forgetIfSettled(namespace: string, account: Account<Job>): void {
    if (isIdle(account) && account.used <= this.#now) this.#accounts.delete(namespace)
  }
}

function isIdle<Job>({ running, waiting }: Account<Job>): boolean {
  return running === 0 && waiting.length === 0
}

/** Among namespaces that used the same, chooses the one whose last turn is longest ago. */
function isBefore<Job>(one: Account<Job>, other: Account<Job>): boolean {
  if (one.used !== other.used) return one.used < other.used
  if (one.lastTurn !== other.lastTurn) return one.lastTurn < other.lastTurn
  return (one.waiting[0]?.arrival ?? 0) < (other.waiting[0]?.arrival ?? 0)
}
