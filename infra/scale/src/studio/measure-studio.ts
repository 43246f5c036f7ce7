/** The three measurements of Studio, on one platform that is filled once and kept in `.cache`. */
import { join } from 'node:path'
import { REPOSITORY, type Table } from '@switchyard/lab'
import { measureAnswers } from './measure-answers.ts'
import { measurePages, pagesTable } from './measure-pages.ts'
import { measureOpenStudios, openStudiosTable } from './open-studios.ts'
import { type Platform, startPlatform } from './platform.ts'

const DATA = join(REPOSITORY, '.cache/large-platform')

export const STUDIO_MEASUREMENTS = [
  { name: 'studio-pages', measure: onPlatform(async (platform) => pagesTable(await measurePages(platform))) },
  { name: 'studio-answers', measure: onPlatform((platform) => measureAnswers(platform)) },
  {
    name: 'studio-open',
    measure: onPlatform(async (platform) => openStudiosTable(await measureOpenStudios(platform))),
  },
] as const

function onPlatform(measure: (platform: Platform) => Promise<Table>): () => Promise<Table> {
  return async () => {
    await using platform = await startPlatform({ dataDir: DATA, profiles: process.env['PROFILES'] ?? '' })
    return await measure(platform)
  }
}
