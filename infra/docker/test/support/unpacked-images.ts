/** The files of images, for tests that look into each of them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, runProgram } from '../../src/index.ts'

export type LayerFile = {
  /** Where it is inside of the image. */
  readonly name: string
  /** Where it was unpacked to. */
  readonly path: string
}

/**
 * Unpacks images into a folder, and returns the regular files of every layer by image. What images have in
 * common is a layer of its own, which is saved and unpacked once for all of them.
 */
export async function unpackImages(
  engine: Engine,
  images: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, readonly LayerFile[]>> {
  await engine.docker('save', '--output', `${folder}/images.tar`, ...images)
  await unpack(`${folder}/images.tar`, folder)
  const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8')) as {
    readonly RepoTags: readonly string[]
    readonly Layers: readonly string[]
  }[]
  const layers = new Map<string, readonly LayerFile[]>()
  for (const layer of new Set(manifest.flatMap(({ Layers }) => Layers))) {
    const to = join(folder, `layer-${layers.size}`)
    await runProgram('mkdir', [to])
    await unpack(join(folder, layer), to)
    const { stdout } = await runProgram('find', [to, '-type', 'f'])
    const paths = stdout.split('\n').filter((path) => path !== '')
    layers.set(
      layer,
      paths.map((path) => ({ name: path.slice(to.length), path })),
    )
  }
  const byImage = manifest.flatMap(({ RepoTags, Layers }) =>
    RepoTags.map((tag) => [tag, Layers.flatMap((layer) => layers.get(layer) ?? [])] as const),
  )
  return new Map(byImage)
}

async function unpack(file: string, to: string): Promise<void> {
  const { code, stderr } = await runProgram('tar', ['--extract', '--file', file, '--directory', to])
  if (code !== 0) throw new Error(`${file} is no archive: ${stderr}`)
}
