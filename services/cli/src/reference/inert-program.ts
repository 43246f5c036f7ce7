/** The tree of commands, to be looked at and not run. */
import { printerOn } from '../output/style.ts'
import type { Invocation } from '../command/command.ts'
import type { CliCommand } from '../command/command-tree.ts'
import { buildProgram } from '../program.ts'

/** All commands, loaded. None of them may be run. */
export function inertProgram(): Promise<CliCommand> {
  return buildProgram(INERT, null)
}

const INERT: Invocation = {
  context: {
    stdin: {
      isTTY: false,
      readLine: async () => null,
      readAll: async () => new Uint8Array(),
      async *bytes() {},
    },
    stdout: printerOn({ isTTY: false, write: () => undefined }),
    stderr: printerOn({ isTTY: false, write: () => undefined }),
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    becomeService: async () => 0,
  },
  json: false,
  finish: () => undefined,
  collect: () => undefined,
  exitWith: () => undefined,
  programFor: () => inertProgram(),
}
