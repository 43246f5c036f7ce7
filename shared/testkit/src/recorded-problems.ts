/** Records the problems that a connection to a server reports, in their order. */
export function recordProblems<Problem>() {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  let last: Problem | null = null
  return {
    problems,
    warnings,
    /** Returns the last problem. Null if there is none any more, or never was. */
    last: () => last,
    onProblem: (problem: Problem | null) => {
      last = problem
      if (problem !== null) problems.push(problem)
    },
    onWarning: (problem: Problem) => void warnings.push(problem),
  }
}
