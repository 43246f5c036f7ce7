import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('the image of the router starts Node.js as `switchyard router start` does', async () => {
  const dockerfile = await readFile(new URL('../Dockerfile', import.meta.url), 'utf8')
  const launcher = await readFile(new URL('../../../services/cli/src/node-flags.ts', import.meta.url), 'utf8')
  const [, flag = ''] = /ROUTER_SEMI_SPACE = '([^']+)'/.exec(launcher) ?? []
  const [entrypoint = ''] = /ENTRYPOINT .*services\/router\/src\/main\.ts.*/.exec(dockerfile) ?? []
  expect(flag).toMatch(/^--max-semi-space-size=\d+$/)
  expect(entrypoint).toContain(`["node", "${flag}", `)
})
