/** docs/cli.md: every command with its options and examples, from the program itself. */
import type { Option } from 'commander'
import { CliCommand, CliOption } from '../command/command-tree.ts'
import { SHARED_OPTIONS_HEADING as SHARED } from '../command/register-command.ts'
import { inertProgram } from './inert-program.ts'

const INTRODUCTION = `# Command line

\`switchyard <command> --help\` says the same as this page, and \`switchyard completion <shell>\` prints what makes a shell complete all of it.
This page is made from the program: \`node services/cli/src/reference/main.ts\` writes it, and a test holds it equal.

* **Exit codes.** 0: done; also when nothing had to change, and when a graph has nothing to compose yet. 1: refused, nothing was changed. 2: the command line is wrong, or a file it names is
  missing or empty. 3: the registry cannot be reached, or nobody knows whether the write happened. 4: applied, but a composition that it caused failed, or what \`--require-composed\` or \`--require-live\` asks for did not happen in time. A composition that failed before in the same way does not count, unless the command published a schema again that is at fault.
* **\`--json\`**, on every command: one document on stdout and nothing else, \`{ok, result, compositions: [{graph, featureFlag, status, errors, hints, …}], routers: {serving, total}}\` or \`{ok: false, error}\`, where \`error\` is a problem body with a stable \`code\` ([errors.md](errors.md)).
* **stdout** carries results, **stderr** warnings, errors, questions and progress. On a terminal lists are tables and may be cut to its width; in a pipe they are tab-separated lines without a header. Colours only on a terminal, and not with \`NO_COLOR\`.
* **Lists** are separated by spaces and end at the next option, so the name comes before them; a quoted argument is split at its spaces too. Label matchers: groups separated by spaces must all match, labels separated by commas are alternatives.
* **Questions.** Deletions and \`config rollback\` say what goes along and ask. Where nobody can answer (no terminal, \`--json\`) they say the same, change nothing and exit with 2, or with 1 when there is no such thing; \`--force\` does it without asking.
* **Waiting.** Commands that cause compositions wait for them, 30 seconds at most, then say how many routers serve the result. When the wait runs out, the change is kept: exit 0 with \`pending\`, or 4 with \`--require-composed\`. With \`--require-live\` they wait for routers, too: exit 4 if the wait (\`--wait\`) ends before as many as required serve the result. Both also hold for a command that changes nothing because it took effect before: it waits for the graphs that it names. Ctrl-C ends the wait, not the change.
* **The registry** is found by \`--registry-url\`, else \`SWITCHYARD_REGISTRY_URL\`, and the API key is \`SWITCHYARD_API_KEY\`. Without a key in the environment, what a running \`switchyard up\` keeps in \`.switchyard\` of the folder you are in is used: \`api-key\`, and \`registry-url\` unless an address is given. \`--data-dir\` names that directory and
  wins over the environment. Where nothing says otherwise the address is \`http://localhost:4100\`. A key from the environment never goes to an address that a folder names.
`

/** The whole page. */
export async function printReference(): Promise<string> {
  const program = await inertProgram()
  const groups = Map.groupBy(program.subcommands(), (command) => command.helpGroup())
  const chapters = [...groups].map(([heading, commands]) =>
    [`## ${heading.replace(/:$/, '')}\n`, ...commands.flatMap(sectionsOf)].join('\n'),
  )
  return [INTRODUCTION, sharedOptions(program), ...chapters].join('\n')
}

/** A group is a heading, its commands are sections. */
function sectionsOf(command: CliCommand): readonly string[] {
  if (command.commands.length === 0) return [section(command)]
  const alias = command.aliases().map((name) => `\`${name}\``)
  const also = alias.length === 0 ? '' : ` Also: ${alias.join(', ')}.`
  return [
    `### \`${command.path()}\`\n\n${sentence(command.description())}${also}\n`,
    ...command.subcommands().flatMap(commandsOf),
  ]
}

/** Groups in groups have no section: the names of their commands say where they belong. */
function commandsOf(command: CliCommand): readonly string[] {
  return command.commands.length === 0 ? [section(command)] : command.subcommands().flatMap(commandsOf)
}

function section(command: CliCommand): string {
  const depth = command.parent?.parent === null ? '###' : '####'
  const usage = command.registeredArguments.map((argument) =>
    argument.required ? ` <${argument.name()}>` : ` [${argument.name()}${argument.variadic ? '...' : ''}]`,
  )
  const visible = command.createHelp().visibleOptions(command)
  const own = visible.filter((option) => option.helpGroupHeading !== SHARED && option.long !== '--help')
  const shared = visible.filter((option) => option.helpGroupHeading === SHARED)
  const parts = [
    `${depth} \`${command.path()}${usage.join('')}\`\n`,
    `${sentence(command.description())}\n`,
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(command.notes === '' ? [] : [`\`\`\`text\n${command.notes}\n\`\`\`\n`]),
    `\`\`\`sh\n${command.examples.map((line) => `switchyard ${line}`).join('\n')}\n\`\`\`\n`,
    `Shared options: ${shared.map((option) => `\`${option.long ?? option.flags}\``).join(', ')}.\n`,
  ]
  return parts.join('\n')
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map(
    (option) =>
      `| \`${option.flags}\` | ${option instanceof CliOption && option.needed ? '**required**; ' : ''}${cell(option.description)}${defaultOf(option)} |`,
  )
  return `| option | |\n|---|---|\n${rows.join('\n')}\n`
}

function defaultOf(option: Option): string {
  return typeof option.defaultValue === 'string' ? ` (default: \`${option.defaultValue}\`)` : ''
}

/** Each once, however many commands have it. */
function sharedOptions(program: CliCommand): string {
  const found = new Map<string, Option>()
  const visit = (command: CliCommand): void => {
    for (const option of command.options) {
      if (option.helpGroupHeading === SHARED) found.set(option.flags, option)
    }
    command.subcommands().forEach(visit)
  }
  visit(program)
  return `## Shared options\n\n${optionTable([...found.values()])}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
