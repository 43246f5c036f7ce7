/** All commands of the program, for tests that must not forget one. */
import { CliCommand } from '../src/command-tree.ts'
import { pathOf } from '../src/commands/help.ts'
import { buildProgram } from '../src/program.ts'

export type Known = {
  /** `federated-graph update`. */
  readonly path: string
  readonly command: CliCommand
}

export function everyCommand(): readonly Known[] {
  const program = buildProgram({
    context: {
      stdin: { isTTY: false, readLine: async () => null },
      stdout: { isTTY: false, write: () => undefined },
      stderr: { isTTY: false, write: () => undefined },
      env: {},
      cwd: '/',
      signal: new AbortController().signal,
      becomeService: async () => 0,
    },
    json: false,
    finish: () => undefined,
    collect: () => undefined,
    exitWith: () => undefined,
  })
  return leavesOf(program)
}

function leavesOf(command: CliCommand): readonly Known[] {
  const children = command.commands.filter((child) => child instanceof CliCommand)
  if (children.length === 0) return [{ path: pathOf(command), command }]
  return children.flatMap(leavesOf)
}
