/** Signing in at an identity provider of somebody else, in a browser, and what pages offer to whom. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { bareEnvironment, freePort, programFile } from '@switchyard/testkit'
import { chromiumAvailable } from '@switchyard/testkit/chromium'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, StudioWorld } from './studio-world.ts'

/** A real provider in a process of its own. It lets in whoever has a name, whose words are the roles. */
async function startProvider(redirectUri: string): Promise<AsyncDisposable & { readonly issuer: string }> {
  const program = programFile('services/registry/test/sessions/real-provider.ts')
  const provider = spawn(process.execPath, [program, redirectUri, 'refresh'], {
    env: bareEnvironment({}),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(provider, 'exit')
  const [issuer] = (await once(createInterface({ input: provider.stdout }), 'line')) as [string]
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      provider.kill()
      await exited
    },
  }
}

/** Goes to the provider, types in a name there, and agrees. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with Example ID' }).click()
  await page.locator('input[name="login"]').fill(name)
  await page.locator('input[name="password"]').fill('x')
  await page.locator('button[type="submit"]').click()
  await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' })
  await page.locator('button[type="submit"]').click()
}

describe.skipIf(!chromiumAvailable())('signing in at an identity provider, in a browser', () => {
  const stack = new AsyncDisposableStack()
  let world: StudioWorld
  beforeAll(async () => {
    const port = await freePort()
    const provider = stack.use(await startProvider(`http://localhost:${port}/v1/oidc/callback`))
    world = stack.use(
      await StudioWorld.start({
        registryPort: port,
        host: 'localhost',
        signIn: {
          openIdConnect: {
            issuer: provider.issuer,
            clientId: 'studio',
            clientSecret: 'secret-of-the-client',
            scopes: 'openid profile offline_access',
            name: 'Example ID',
            rolesClaim: 'groups',
            roles: new Map([
              ['readers', ['read']],
              ['shop', ['read', 'deploy:default']],
            ]),
          },
        },
      }),
    )
    await world.write('POST', 'graphs/default', { name: 'shop' })
    for (const sdl of ['type Query { a: Int }', 'type Query { a: Int b: Int }'])
      await world.write('PUT', 'subgraphs/default/a/schema', {
        sdl,
        routingUrl: 'http://127.0.0.1:9/graphql',
      })
  })
  afterAll(() => stack.disposeAsync())

  it('comes back to the page that was opened, whose buttons are for those with the role', async () => {
    await using visited = await world.visitAsStranger('/ns/default/graphs/shop?from=a+link')
    const { page } = visited
    await expectAccessible(page)
    await signInAs(page, 'readers')
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
    expect(page.url()).toBe(`${world.address}/studio/ns/default/graphs/shop?from=a+link`)
    await page.getByText('Name of readers').waitFor()
    const rollBack = page.getByRole('button', { name: 'Roll back' })
    await rollBack.waitFor()
    expect(await rollBack.isDisabled()).toBe(true)
    await page.getByText('This session may not deploy in default.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByText('This session may not see or change keys').waitFor()
    expect(await page.getByRole('button', { name: 'Create the key' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('lets those with a role give commands in their own name', async () => {
    await using visited = await world.visitAsStranger('/ns/default/graphs/shop')
    const { page, complaints } = visited
    await signInAs(page, 'shop.others')
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('Held on revision 1.').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page
      .getByText(/#shop\.others$/)
      .first()
      .waitFor()
    // The pages of the provider ask for fonts of somebody else.
    const own = complaints.filter((complaint) => !/401|ERR_NAME_NOT_RESOLVED/.test(complaint))
    expect(own).toEqual([])
  })

  it('says why somebody without a role is not signed in, and leads back', async () => {
    await using visited = await world.visitAsStranger('/')
    const { page } = visited
    await signInAs(page, 'strangers')
    await page.getByRole('link', { name: /none of the roles/ }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
