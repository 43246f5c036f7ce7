import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../adr')
const INDEX = 'README.md'

it('decisions are numbered one after the other, and the index has each of them', () => {
  const files = readdirSync(FOLDER)
    .filter((file) => file !== INDEX)
    .sort()
  const titles = files.map((file) => readFileSync(join(FOLDER, file), 'utf8').split('\n', 1)[0] ?? '')
  const lines = titles.map(
    (title, index) => `${title.replace(/^# (\d+\.) (.*)$/, '$1 [$2]')}(${files[index]})`,
  )
  expect(titles.map((title) => title.split('.', 1)[0])).toEqual(files.map((_, index) => `# ${index + 1}`))
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1))
  const index = readFileSync(join(FOLDER, INDEX), 'utf8')
  expect(index.split('\n').filter((line) => /^\d/.test(line))).toEqual(lines)
})
