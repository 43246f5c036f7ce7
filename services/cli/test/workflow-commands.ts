/**
 * GitHub's reading of a step's output, small:
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export type WorkflowCommand = {
  readonly command: string
  readonly properties: Readonly<Record<string, string>>
  readonly message: string
}

export function readWorkflowCommands(output: string): readonly WorkflowCommand[] {
  const commands: WorkflowCommand[] = []
  let resumeAt: string | null = null
  for (const line of output.split(/\r\n|\n|\r/)) {
    const match = /^\s*::([^\s:]+)(?: ((?:(?!::).)*))?::(.*)$/s.exec(line)
    if (match === null) continue
    const [, command = '', properties = '', data = ''] = match
    if (resumeAt !== null) {
      if (command === resumeAt) resumeAt = null
    } else if (command === 'stop-commands') {
      resumeAt = data
    } else {
      commands.push({ command, properties: readProperties(properties), message: unescapeData(data) })
    }
  }
  return commands
}

function readProperties(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split(',')
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), unescapeProperty(pair.slice(at + 1))] as const
    })
  return Object.fromEntries(pairs)
}

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}

function unescapeProperty(text: string): string {
  return unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','))
}
