import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { linkModules } from '../src/link-modules.ts'

async function linked(files: Readonly<Record<string, string>>): Promise<string> {
  await using folder = await temporaryDirectory()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  return linkModules(join(folder.path, 'main.ts'))
}

describe('modules in one script', () => {
  it('keep their own names, and see what they import', async () => {
    const script = await linked({
      'main.ts': `import { twice, type Count } from './twice.ts'\nimport {\n  name as other,\n} from './name.ts'\nconst name: Count = 4\nresult.push(twice(name), other)`,
      'twice.ts': `import { name } from './name.ts'\nexport type Count = number\nconst factor = 2\nexport function twice(value: number): string { return name + value * factor }`,
      'name.ts': `export const name = 'n'`,
    })
    const result: unknown[] = []
    runInNewContext(script, { result })
    expect(result).toEqual(['n8', 'n'])
  })

  it('run once however often they are imported', async () => {
    const script = await linked({
      'main.ts': `import { a } from './a.ts'\nimport { b } from './b.ts'\nresult.push(a === b)`,
      'a.ts': `import { b } from './b.ts'\nexport const a = b`,
      'b.ts': `result.push('b')\nexport const b = {}`,
    })
    const result: unknown[] = []
    runInNewContext(script, { result })
    expect(result).toEqual(['b', true])
  })

  it.each([
    'export default 1',
    "import all from './a.ts'",
    "export { a } from './a.ts'",
    "import * as a from './a.ts'",
  ])('refuse a form that is not known: %s', async (line) => {
    await expect(linked({ 'main.ts': line, 'a.ts': 'export const a = 1' })).rejects.toThrow(
      'has a form of import or export that a page cannot take',
    )
  })
})
