/** What a connection to a server says is wrong, in the order in which it says so. */
export function recordProblems<Problem>() {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  let last: Problem | null = null
  return {
    problems,
    warnings,
    /** null: nothing is wrong any more, or was. */
    last: () => last,
    onProblem: (problem: Problem | null) => {
      last = problem
      if (problem !== null) problems.push(problem)
    },
    onWarning: (problem: Problem) => void warnings.push(problem),
  }
}
