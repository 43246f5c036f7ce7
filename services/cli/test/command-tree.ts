/** All commands of the program, for tests that must not forget one. */
import { CliCommand } from '../src/command/command-tree.ts'
import { inertProgram } from '../src/reference/inert-program.ts'

export type Known = {
  /** `federated-graph update`. */
  readonly path: string
  readonly command: CliCommand
}

export async function everyCommand(): Promise<readonly Known[]> {
  return leavesOf(await inertProgram())
}

function leavesOf(command: CliCommand): readonly Known[] {
  const children = command.commands.filter((child) => child instanceof CliCommand)
  if (children.length === 0) return [{ path: command.path(), command }]
  return children.flatMap(leavesOf)
}
