/**
 * Has the stored bytes of each graph compared with the log from time to time. What is damaged would else be
 * found by the router that needs it: one that starts, in the middle of an incident.
 */
type Verified = { verify(): void }

/** Verifies every graph once in `periodMs`, evenly spread, until it is disposed of. */
export function verifyInTurns(periodMs: number, graphs: () => Iterable<Verified>): Disposable {
  let due: Verified[] = []
  let timer: NodeJS.Timeout
  const next = (): void => {
    if (due.length === 0) due = [...graphs()]
    const count = due.length
    due.pop()?.verify()
    timer = setTimeout(next, periodMs / Math.max(1, count))
  }
  timer = setTimeout(next, periodMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
