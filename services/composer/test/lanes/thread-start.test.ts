import { fileURLToPath } from 'node:url'
import { filesLoadedByNode } from '@switchyard/testkit'
import { expect, it } from 'vitest'

it('a thread that composes loads the composition, and no schemas of what services exchange', async () => {
  const task = new URL('../../src/lanes/compose-task.ts', import.meta.url)
  const { files } = await filesLoadedByNode([fileURLToPath(task)])
  expect(files.filter((file) => file.endsWith('/composition/src/compose.ts'))).toHaveLength(1)
  expect(
    files.filter((file) =>
      /\/zod\/|contracts\/src\/(?!limits|text\/event-subjects|text\/nearest-word)/.test(file),
    ),
  ).toEqual([])
})
