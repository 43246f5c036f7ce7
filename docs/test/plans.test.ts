/**
 * The example in docs/plans.md is what the commands print. `UPDATE_DOCS=1` writes their output into the page.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCommand } from '../../services/cli/test/run-command.ts'
import { createFolder } from '../../services/cli/test/workspace.ts'

const PAGE = new URL('../plans.md', import.meta.url)
const GRAPH = `version: 1
subgraphs:
  - { name: products, routing_url: "http://p/graphql", schema: { file: products.graphql } }
  - { name: shipping, routing_url: "http://s/graphql", schema: { file: shipping.graphql } }
`

it('shows the plan that its schemas and its operation give', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const blocks = [...page.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => text)
  const [products = '', shipping = '', query = ''] = blocks
  const cwd = await createFolder({
    'graph.yaml': GRAPH,
    'products.graphql': products,
    'shipping.graphql': shipping,
    'top.graphql': query,
  })
  const commands = [...page.matchAll(/`switchyard ((?:router compose|plan) --\w.*?)`/g)].map(
    ([, line = '']) => line.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) => word.replaceAll("'", '')),
  )
  expect(commands).toHaveLength(2)
  const runs = []
  for (const words of commands) runs.push(await runCommand(words, { cwd }))
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const shown = /```text\n(.*?)```/s.exec(page)?.[1]
  const printed = runs[1]?.stdout ?? ''
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(
      PAGE,
      page.replace(/```text\n.*?```/s, () => `\`\`\`text\n${printed}\`\`\``),
    )
  else expect(shown).toBe(printed)
})
