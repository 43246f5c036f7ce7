/** Writes the command that compares two compositions as the page does. */

const FORM = /^(?:revision:(?<revision>\d+)\/?)?(?:flag:(?<flag>.+))?/s

/** Returns the words of the command. The names of the compositions are those of the API. */
export function differenceCommand(
  { namespace, graph }: { readonly namespace: string; readonly graph: string },
  from: string,
  to: string,
): readonly string[] {
  const [before, after] = [partsOf(from), partsOf(to)]
  const flags = [
    ...(before.flag === undefined ? [] : ['--from-flag', before.flag]),
    ...(after.flag === undefined ? [] : ['--to-flag', after.flag]),
  ]
  const words = ['switchyard', 'config', 'diff', graph, before.revision, after.revision]
  return [...words, ...flags, '--namespace', namespace]
}

function partsOf(composition: string) {
  const { revision = 'latest', flag } = FORM.exec(composition)?.groups ?? {}
  return { revision, flag }
}
