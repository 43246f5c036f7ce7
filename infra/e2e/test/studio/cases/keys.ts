/** Studio's page about keys. */
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling, picture, type StudioWorld } from '../studio-world.ts'

export function keys(worldOf: () => StudioWorld): void {
  describe('of keys', () => {
    it('shows a new key once, keeps it nowhere, and deletes it', async () => {
      await using visited = await worldOf().visit('/keys')
      const { page, complaints } = visited
      await page.getByLabel('Name: what will use it').fill('on-call')
      await page.getByLabel('Scope').selectOption('abort')
      await page.getByRole('button', { name: 'Add abort:default' }).click()
      await page.getByText('switchyard api-key create on-call --scope abort:default').waitFor()
      await page.getByRole('button', { name: 'Create the key' }).click()
      const key = (await page.getByRole('group', { name: 'API key' }).locator('code').innerText()).trim()
      expect(key).toMatch(/^swy_/)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await picture(page, 'keys')
      await expectNoSidewaysScrolling(page)
      expect(await page.content()).not.toContain(key)
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe(
        '[{},{}]',
      )
      const own = page.getByRole('listitem').filter({ hasText: 'on-call' })
      await own.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('alertdialog', { name: 'Delete the API key on-call' })
      await dialog.getByText('sessions that were begun with it end at once').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await own.waitFor({ state: 'detached' })
      expect(complaints).toEqual([])
    })

    it('makes a trace key and retires the old one, in dark', async () => {
      await using visited = await worldOf().visit('/keys', { scheme: 'dark' })
      const { page } = visited
      const traceKeys = page.getByRole('region', { name: 'Trace keys' })
      const dialog = page.getByRole('alertdialog')
      for (const keys of [1, 2]) {
        await traceKeys.getByRole('button', { name: 'Make a new one' }).click()
        await dialog.getByRole('button', { name: 'Make a new one' }).click()
        await dialog.waitFor({ state: 'detached' })
        await expect.poll(() => traceKeys.getByRole('listitem').count(), PATIENTLY).toBe(keys)
      }
      await traceKeys.getByRole('button', { name: 'Retire' }).last().click()
      await dialog.getByText('Its private half leaves the key file.').waitFor()
      await dialog.getByRole('button', { name: 'Retire' }).click()
      await traceKeys.getByText('retired', { exact: true }).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScrolling(page)
    })

    it('leads to signing in again and back where the sign-in is too old', async () => {
      const world = worldOf()
      await using visited = await world.visitAsStranger('/keys')
      const { page } = visited
      await world.signIn(page)
      // The answer of a registry to a session of yesterday: nobody can wait five minutes for it.
      await page.route('**/v1/api-keys', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 403,
              contentType: 'application/problem+json',
              body: JSON.stringify({ ...PROBLEM, type: 'about:blank', status: 403 }),
            })
          : route.continue(),
      )
      await page.getByLabel('Name: what will use it').fill('ci')
      await page.getByRole('button', { name: 'Add read' }).click()
      await page.getByRole('button', { name: 'Create the key' }).click()
      await page.getByText('SIGN_IN_AGAIN').waitFor()
      await page.getByRole('button', { name: 'Sign in again' }).click()
      await world.signIn(page)
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
      expect(page.url()).toBe(`${world.url}/studio/keys`)
    })
  })
}

const PROBLEM = { code: 'SIGN_IN_AGAIN', title: 'The sign-in is too old for this', detail: 'Sign in again.' }
