/** Finds out which files a program loads, since times of a start depend on the machine. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Writes the address of every module that is loaded to stderr. */
const LOG_MODULES = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context) } })`

/**
 * Runs Node.js with these arguments, and returns what it printed with the paths of the modules that it
 * loaded, those of Node.js itself left out. Rejects if it exits with another code than 0.
 */
export async function filesLoadedByNode(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ readonly stdout: string; readonly files: readonly string[] }> {
  const hook = `data:text/javascript,${encodeURIComponent(LOG_MODULES)}`
  const { stderr, stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', hook, ...args],
    { maxBuffer: 2 ** 26, env: { ...env } },
  )
  return { stdout, files: [...stderr.matchAll(/^loaded file:\/\/(.*)$/gm)].map(([, file = '']) => file) }
}
