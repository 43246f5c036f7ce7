/** Pages that are about the package, and those of the command line, followed with the installed package. */
import { once } from 'node:events'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { commandsFor } from '../../../../docs/test/pages/not-run.ts'
import { LONG, runPage } from '../../../../docs/test/pages/page-runs.ts'
import { PageWorld } from '../../../../docs/test/pages/page-world.ts'
import type { Installed } from '../installed.ts'

/** Of the pages that show nothing but `switchyard`, those that use most of what is in the bundle. */
const AS_IN_A_CHECKOUT = ['docs/getting-started.md', 'docs/tracing.md', 'docs/verify.md', 'docs/checks.md']
const WITHIN_MS = 900_000

/** To be called where a package is installed before the tests. */
export function testPages(installed: () => Installed, tarball: () => string): void {
  describe('its pages', () => {
    it(
      'docs/install.md, with a registry of npm packages',
      async () => {
        await using registry = await startRegistry()
        await using world = await PageWorld.create({
          bin: null,
          env: { ...installed().environment },
          servers: { 'https://npm.example.com/': registry.url },
        })
        await copyFile(tarball(), join(world.folder, basename(tarball())))
        await writeFile(join(world.folder, 'package.json'), '{"private":true}')
        await writeFile(
          join(world.folder, '.npmrc'),
          `${registry.url.replace('http:', '')}:_authToken=somebody\n`,
        )
        for (const command of commandsFor('package', 'docs/install.md')) await world.shell.run(command)
        expect(registry.published).toEqual(['/switchyard'])
      },
      WITHIN_MS,
    )

    it(
      'its README',
      async () => {
        await using world = await PageWorld.create({ bin: null, env: { ...installed().environment } })
        await mkdir(join(world.folder, 'node_modules'))
        await world.shell.run(`ln -s '${installed().folder}'/node_modules/{switchyard,.bin} node_modules/`)
        for (const command of commandsFor('package', 'infra/package/PACKAGE.md'))
          await world.shell.run(command)
      },
      WITHIN_MS,
    )

    it.each(sampled(AS_IN_A_CHECKOUT, 4))(
      '%s, as in a checkout',
      async (page) => {
        const run = LONG[page]
        if (run === undefined) throw new Error(`${page} is not among the pages that are followed`)
        const path = installed().environment['PATH'] ?? ''
        const env = { PATH: `${join(installed().folder, 'node_modules/.bin')}:${path}` }
        await runPage(page, { ...run, bin: null, env })
      },
      WITHIN_MS,
    )
  })
}

/** Takes packages, as far as `npm publish` can tell. */
async function startRegistry() {
  const published: string[] = []
  const server = createServer((request, response) => {
    if (request.method === 'PUT') published.push(request.url ?? '')
    request.resume().on('end', () => {
      response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' })
      response.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    published,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
