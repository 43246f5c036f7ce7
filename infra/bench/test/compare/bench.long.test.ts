/** The whole comparison with short rounds: gateways start, answer rightly under load, and are reported. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const BENCH = fileURLToPath(new URL('../../bench.ts', import.meta.url))

async function bench(...args: readonly string[]): Promise<string> {
  const words = ['--disable-warning=ExperimentalWarning', BENCH, ...args]
  return (await run(process.execPath, words, { maxBuffer: 2 ** 24 })).stdout
}

it('measures what gateways can do, and what Switchyard alone can do', async () => {
  const only = 'small,deferred,traced,workers-2,flags-10'
  const output = await bench('--rounds', '1', '--seconds', '0.2', '--only', only)
  const figure = String.raw`\d+(?:\.\d+)?`
  expect(output).toMatch(new RegExp(String.raw`\| small query, one subgraph \| ${figure} \| ${figure} \(`))
  for (const title of ['two hops, the second one deferred', 'two hops, traced', 'heavy query, 2 workers'])
    expect(output).toMatch(new RegExp(String.raw`\| ${title} \| ${figure} \| – \|`))
  expect(output).toMatch(/\| Switchyard \| \d+ ms \| \d+ MB \| – \|/)
  expect(output).toMatch(/\d {2}Switchyard {2}flags-10 {2}\d/)
})

it('refuses what it does not know', async () => {
  await expect(bench('--only', 'nothing')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^error: --only nothing: there is no such scenario\. Expected beginnings of: small(?:, [a-z0-9-]+)+\n$/,
    ),
  })
  await expect(bench('--hive-router', '/nothing/here')).rejects.toMatchObject({
    code: 2,
    stderr: 'error: --hive-router /nothing/here: there is no such file. Expected the path of the program\n',
  })
})
