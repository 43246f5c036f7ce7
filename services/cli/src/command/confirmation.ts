/** A question before something is deleted that nobody can bring back. */
import { printableLine } from '@switchyard/service-kit/printable'
import type { CliContext } from '../run/context.ts'
import { Interrupted, LocalRefusal, UsageError } from '../run/errors.ts'
import { styleFor } from '../output/style.ts'

/** A question, and what the user has to know to answer it. */
export type Confirmation = {
  /** The question without its question mark: `Delete subgraph "products"`. */
  readonly question: string
  /** Everything else that the command would delete or change, one line each. */
  readonly consequences: readonly string[]
}

/** True if there is a terminal at which somebody can read the question and answer it. */
export function canPrompt(context: CliContext, json: boolean): boolean {
  return !json && context.stdin.isTTY && context.stderr.isTTY
}

/**
 * Refuses a command whose question nobody can answer; scripts pass `--force` instead. The refusal names the
 * consequences of the command. `confirmation` is null if these cannot be found out.
 */
export function refuseUnconfirmed(json: boolean, confirmation: Confirmation | null): never {
  const why = json ? 'With --json nothing is asked' : 'There is no terminal to ask on'
  const refusal = `${why}, so nothing was changed: say --force to do it.`
  if (confirmation === null) throw new UsageError(refusal)
  const { question, consequences } = confirmation
  const means = consequences.length === 0 ? '.' : ', which means:'
  throw new UsageError(`${refusal} It would ${question[0]?.toLowerCase()}${question.slice(1)}${means}`, {
    problems: consequences,
  })
}

/** Throws a LocalRefusal unless the answer is `y` or `yes`. */
export async function askFirst(confirmation: Confirmation, context: CliContext): Promise<void> {
  const style = styleFor(context.stderr, context.env)
  for (const line of confirmation.consequences)
    context.stderr.write(`${style.yellow('!')} ${printableLine(line)}\n`)
  context.stderr.write(`${printableLine(confirmation.question)}? (y/N) `)
  const answer = await context.stdin.readLine(context.signal).catch((error: unknown) => {
    if (!context.signal.aborted) throw error
    context.stderr.write('\n')
    throw new Interrupted('Interrupted; nothing was changed.')
  })
  if (answer === null) context.stderr.write('\n')
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return
  throw new LocalRefusal('NOT_CONFIRMED', 'Not confirmed; nothing was changed.')
}
