/** Which pages are typed in by which test, and what their reader has before. */
import { commandsOf, fenceOf } from './commands.ts'
import { NOT_RUN, type NotRun } from './not-run.ts'
import { PageWorld } from './page-world.ts'

type Preparation = (world: PageWorld) => Promise<void>

const composed: Preparation = (world) => world.compose()
const published: Preparation = (world) => world.publish()

/** Those that take a few seconds. */
export const SHORT: Readonly<Record<string, Preparation>> = {
  'docs/internet.md': composed,
}

export const LONG: Readonly<Record<string, Preparation>> = {
  'README.md': composed,
  'docs/security.md': published,
  'docs/subgraph-frameworks.md': (world) => world.start(),
  'docs/supergraphs.md': async (world) => {
    await world.compose()
    await world.shell.run('echo "{ hello }" > query.graphql')
  },
  'docs/trace-tokens.md': published,
  'docs/tracing.md': published,
}

const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/internet.md': {
    'router.yaml': fenceOf('docs/internet.md', 'yaml'),
    'manifests/web.json': '{"0123456789abcdef0123456789abcdef":"{ __typename }"}',
  },
}

/** The reason for not running a command; null: it is run. */
export function reasonNotToRun(page: string, command: string): NotRun | null {
  return (
    NOT_RUN.find(
      (entry) => entry.page === page && entry.commands.some((begin) => command.startsWith(begin)),
    ) ?? null
  )
}

/** Rejects with the first command that fails. */
export async function runPage(page: string, prepare: Preparation): Promise<void> {
  await using world = await PageWorld.create(FILES[page])
  await prepare(world)
  for (const command of commandsOf(page))
    if (reasonNotToRun(page, command) === null) await world.shell.run(command)
}
