/** Rules between settings: which of them contradict others, or have no effect beside them. */
import type { z } from 'zod'

/** A setting that does not fit the others. `path` leads to it from the section that the rule is for. */
export type SettingProblem = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Makes a refinement that refuses a section because of the problems that `rule` finds in it. */
export function refusing<Section>(rule: (section: Section) => readonly SettingProblem[]) {
  return (section: Section, context: z.RefinementCtx): void => {
    for (const { path, message } of rule(section))
      context.addIssue({ code: 'custom', path: [...path], message })
  }
}

/** Returns the problem of one setting in a list, which is empty if there is none. */
export function problemIf(
  isWrong: boolean,
  path: readonly PropertyKey[],
  message: string,
): readonly SettingProblem[] {
  return isWrong ? [{ path, message }] : []
}

/** Returns the problems of a section that stands at `path` in another one. */
export function problemsAt(
  path: readonly PropertyKey[],
  problems: readonly SettingProblem[],
): readonly SettingProblem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }))
}
