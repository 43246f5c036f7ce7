/** Puts into words what is wrong: one problem as a sentence, several as a numbered list. */

/**
 * Writes an outcome with its problems. `outcome` is a whole sentence that says what the problems mean. A
 * single problem is a sentence behind it; each of several begins a line of its own, with its number.
 */
export function listProblems(outcome: string, problems: readonly string[]): string {
  const [first, ...others] = problems
  if (first === undefined) return outcome
  if (others.length === 0) return `${outcome} ${first}${first.endsWith('?') ? '' : '.'}`
  const lines = problems.map((problem, index) => {
    const mark = `  ${index + 1}. `
    // Further lines of a problem must not look like problems of their own.
    return mark + problem.replaceAll('\n', `\n${' '.repeat(mark.length)}`)
  })
  return [outcome, ...lines].join('\n')
}

/** The problems that an error lists; null if it is an error of another kind. */
export function problemsIn(error: unknown): readonly string[] | null {
  if (!(error instanceof Error && 'problems' in error && Array.isArray(error.problems))) return null
  const problems: readonly unknown[] = error.problems
  return problems.every((problem) => typeof problem === 'string') ? problems : null
}

/**
 * Resolves with the value, or adds its problems to `problems` and resolves with null. With it several
 * readings report their problems together, so that a user repairs all of them in one go. Rejects with errors
 * that list no problems.
 */
export async function attempt<Value>(
  read: () => Value | Promise<Value>,
  problems: string[],
): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    const found = problemsIn(error)
    if (found === null) throw error
    problems.push(...found)
    return null
  }
}
