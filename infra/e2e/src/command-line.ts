/**
 * The command-line tool in this process: the same arguments, streams and exit codes, without a start of
 * Node.js.
 */
import { runCli } from '@switchyard/cli'
import { cleanEnvironment, type Finished, runSwitchyard } from '@switchyard/lab'

/**
 * Runs a command to its end. A command that becomes a service is run again as a process of its own, which
 * alone can become one. Signals and standard input are left to `runSwitchyard`, too.
 */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Finished> {
  const process: { finished?: Finished } = {}
  let stdout = ''
  let stderr = ''
  const code = await runCli(args, {
    stdin: {
      isTTY: false,
      readLine: async () => null,
      readAll: async () => new Uint8Array(),
      async *bytes() {},
    },
    stdout: { isTTY: false, write: (text) => void (stdout += text) },
    stderr: { isTTY: false, write: (text) => void (stderr += text) },
    env: { ...cleanEnvironment(), ...environment },
    cwd,
    signal: new AbortController().signal,
    becomeService: async () => {
      process.finished = await runSwitchyard(args, environment, cwd)
      return process.finished.code
    },
  })
  return process.finished ?? { code, stdout, stderr }
}
