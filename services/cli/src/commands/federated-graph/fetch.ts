/** `graph fetch`: everything that a graph is made of, as files that other tools read. */
import { readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { ExecutionConfigFile, SubgraphSchema } from '@switchyard/contracts'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { messageOf } from '@switchyard/values'
import { registryCommand } from '../../command/make-command.ts'
import { successResult } from '../../output/command-result.ts'
import { fileNames } from '../../compose/file-names.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import type { CliContext } from '../../run/context.ts'
import { FileError, LocalRefusal } from '../../run/errors.ts'
import { flag, required } from '../../command/options.ts'
import { apiPath, type RegistryClient } from '../../registry/registry-client.ts'
import { folderPath, graphName } from '../../command/value-types.ts'

const NOTES = `Files:
  supergraph.graphql             the supergraph of base
  supergraphs/<flag>.graphql     the supergraph of every feature flag that is served
  subgraphs/<name>.graphql       the schemas of its subgraphs and feature subgraphs, as published now
  config.json                    the execution config: what "router start" and "plan" take
A "/" in a name is written %2F. Of names that differ only in case, upper-case letters are written so too (%41 is A),
since some file systems take them for one.`

export const command = registryCommand({
  name: 'fetch',
  argument: { name: 'name', type: graphName },
  description: 'write the supergraphs, the subgraph schemas and the execution config of a graph to a folder',
  options: {
    out: required('--out <dir>', 'the folder; it is created when it is missing', folderPath),
    force: flag('-f, --force', 'replace files that are there and differ'),
  },
  notes: NOTES,
  examples: ['graph fetch shop --out shop-files', 'graph fetch shop --out shop-files --force'],
  run: async ({ namespace, registry, argument, options, context }) => {
    const config = await registry.get(
      apiPath('graphs', namespace, argument, 'execution-config'),
      ExecutionConfigFile,
    )
    const files = new Map([...filesOf(config), ...(await schemaFiles(config, namespace, registry))])
    const written = await writeFiles(files, options, context)
    const unchanged = files.size - written.length
    const lines = [
      `Federated graph "${argument}" is in ${options.out}: ${files.size} files${unchanged > 0 ? `, ${unchanged} of them unchanged` : ''}.`,
      ...[...files.keys()].map((name) => `  ${name}`),
    ]
    return successResult(
      { result: { out: options.out, files: [...files.keys()], written } },
      lines.join('\n'),
    )
  },
})

/** Text by path from the folder. */
type Files = ReadonlyMap<string, string>

function filesOf(config: ExecutionConfigFile): Files {
  const flags = fileNames(Object.keys(config.featureFlags))
  return new Map([
    ['config.json', `${JSON.stringify(config)}\n`],
    ['supergraph.graphql', config.base.supergraphSdl],
    ...Object.entries(config.featureFlags).map(
      ([name, { supergraphSdl }]) => [`supergraphs/${flags.get(name)}.graphql`, supergraphSdl] as const,
    ),
  ])
}

async function schemaFiles(
  config: ExecutionConfigFile,
  namespace: string,
  registry: RegistryClient,
): Promise<Files> {
  const artifacts = [config.base, ...Object.values(config.featureFlags)]
  const names = new Set(artifacts.flatMap(({ subgraphs }) => subgraphs.map(({ name }) => name)))
  const files = new Map<string, string>()
  // One after another: a graph may have hundreds, and the registry has other callers.
  for (const [name, written] of fileNames([...names].sort())) {
    const { sdl } = await registry.get(apiPath('subgraphs', namespace, name, 'schema'), SubgraphSchema)
    files.set(`subgraphs/${written}.graphql`, sdl)
  }
  return files
}

/** Writes files, but none of them if one lies outside of the folder, or must not replace another file. */
async function writeFiles(
  files: Files,
  { out, force }: { readonly out: string; readonly force: boolean },
  context: CliContext,
): Promise<readonly string[]> {
  const folder = await realFolder(resolve(context.cwd, out), out)
  const changed = new Map<string, string>()
  const occupied: string[] = []
  for (const [name, text] of files) {
    await stayInside(folder, dirname(join(folder, name)), join(out, name))
    const present = await readPresent(join(folder, name), join(out, name))
    if (present === text) continue
    if (present !== null) occupied.push(name)
    changed.set(name, text)
  }
  if (occupied.length > 0 && !force) {
    throw new LocalRefusal(
      'FILES_EXIST',
      `${out} holds other files of these names; nothing was written. --force replaces them.`,
      { problems: occupied },
    )
  }
  for (const [name, text] of changed) await writeFileAtomically(join(folder, name), text, join(out, name))
  return [...changed.keys()]
}

async function realFolder(path: string, shownAs: string): Promise<string> {
  try {
    await makeFolder(path)
    return await realpath(path)
  } catch (error) {
    throw new FileError(`${shownAs} cannot be made a folder: ${messageOf(error)}`, { cause: error })
  }
}

/** A link inside the folder may lead anywhere. */
async function stayInside(folder: string, path: string, shownAs: string): Promise<void> {
  const real = await realFolder(path, dirname(shownAs))
  if (real === folder || real.startsWith(`${folder}${sep}`)) return
  throw new FileError(`${dirname(shownAs)} is a link out of the folder; nothing was written.`)
}

async function readPresent(path: string, shownAs: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new FileError(`${shownAs} is there, but no file that can be read.`, { cause: error })
  }
}
