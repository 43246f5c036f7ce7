import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Writes the address of every module that is loaded to stderr. */
const LOG_MODULES = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context) } })`

it('the command line starts without the stitching library, graphql-js and the engine', async () => {
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    `data:text/javascript,${encodeURIComponent(LOG_MODULES)}`,
    MAIN,
    'router',
    'verify',
    '--help',
  ]
  const { stderr, stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  expect(stdout).toContain('--operation-count')
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '))
  expect(loaded.length).toBeGreaterThan(20)
  const heavy = loaded.filter((line) =>
    /graphql-tools|\/graphql@|shared\/(?:samples|second-opinion|engine)\//.test(line),
  )
  expect(heavy).toEqual([])
})
