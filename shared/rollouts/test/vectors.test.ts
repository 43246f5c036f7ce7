/** The published test vectors. mmh3 5.3.1 (Python) computes the same hashes. */
import { readFileSync } from 'node:fs'
import { murmurHash3 } from '@switchyard/values'
import { expect, it } from 'vitest'
import { bucketOf } from '../src/index.ts'

const PAGE = readFileSync(new URL('../../../docs/audiences.md', import.meta.url), 'utf8')
const ROW = /^\| `([^`]+)` \| `([^`]+)` \| (\d+) \| (\d+) \|$/gm

it('docs/audiences.md lists hashes and buckets as they are', () => {
  const rows = [...PAGE.matchAll(ROW)].map(([, salt = '', key = '', hash, bucket]) => ({
    salt,
    key,
    hash: Number(hash),
    bucket: Number(bucket),
  }))
  expect(rows.length).toBeGreaterThanOrEqual(8)
  for (const { salt, key, hash, bucket } of rows) {
    expect([murmurHash3(Buffer.from(`${salt}:${key}`)), bucketOf(salt, key)]).toEqual([hash, bucket])
  }
})
