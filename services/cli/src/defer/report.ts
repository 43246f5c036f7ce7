/** The diagnosis for people and for programs. */
import type { CommandResult } from '../output/command-result.ts'
import { EXIT } from '../run/exit-codes.ts'
import { padToWidth } from '@switchyard/composition/display-width'
import { printableLine } from '@switchyard/service-kit/printable'
import type { Style } from '../output/style.ts'
import type { Diagnosis } from './diagnose.ts'
import { type Finding, findingsOf, type JudgedProbe } from './findings.ts'
import { probeName } from './probe-variants.ts'

/** `direct` is the diagnosis of the router itself, to compare with. */
export function doctorResult(diagnosis: Diagnosis, direct: Diagnosis | null, style: Style): CommandResult {
  const findings = findingsOf(diagnosis.judged, diagnosis.hops, direct?.judged ?? null)
  const ill = findings.some(({ severity }) => severity === 'problem')
  return {
    exitCode: ill ? EXIT.refused : EXIT.done,
    json: {
      result: {
        findings,
        ...jsonOf(diagnosis),
        ...(direct === null ? {} : { direct: jsonOf(direct) }),
      },
    },
    text: [
      `${diagnosis.url} was asked in ${diagnosis.judged.length} ways:`,
      ...table(diagnosis, style),
      '',
      hopLine(diagnosis),
      ...(direct === null ? [] : [directLine(direct)]),
      ...findings.flatMap((finding, index) => ['', ...printFinding(finding, index + 1, style)]),
      '',
      conclusion(findings, style),
    ].join('\n'),
    remarks: '',
  }
}

function jsonOf({ url, hops, judged, notOffered }: Diagnosis) {
  return {
    url,
    hops,
    ways: judged.map((each) => ({
      name: probeName(each.variant),
      accept: each.variant.accept,
      acceptEncoding: each.variant.acceptEncoding,
      contentEncoding: each.examined?.recording.headers['content-encoding'] ?? null,
      faults: each.faults.map(({ kind }) => kind),
      parts: each.examined?.measured?.parts ?? [],
    })),
    notOffered: notOffered.map(({ variant, reason }) => ({ name: probeName(variant), reason })),
  }
}

function table({ judged, notOffered }: Diagnosis, style: Style): readonly string[] {
  const rows = [
    ...judged.map((each) => [probeName(each.variant), stateOf(each, style)] as const),
    ...notOffered.map(
      ({ variant, reason }) => [probeName(variant), style.dim(`not offered: ${reason}`)] as const,
    ),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, state]) => `  ${padToWidth(name, width)}  ${state}`)
}

function stateOf({ faults }: JudgedProbe, style: Style): string {
  if (faults.length === 0) return style.green('every part in time')
  const kinds = faults.map(({ kind }) => kind).join(', ')
  return faults.some(({ severity }) => severity === 'problem') ? style.red(kinds) : style.yellow(kinds)
}

function hopLine({ hops }: Diagnosis): string {
  if (hops.length === 0) return 'Nothing shows that something stands between here and the router.'
  const named = hops.map(
    ({ name, evidence }) =>
      `${name === 'unknown' ? 'something' : name} (${printableLine(evidence.join('; '))})`,
  )
  return `Between here and the router: ${named.join(', ')}.`
}

function directLine({ url, judged }: Diagnosis): string {
  const ill = judged.some(({ faults }) => faults.length > 0)
  return ill
    ? `The router itself, ${url}, does not answer everything as it should, either.`
    : `The router itself, ${url}, delivers every part in time.`
}

const WHERE: Readonly<Record<Finding['where'], string>> = {
  between: 'in between; the router itself is not the cause',
  router: 'at the router, or before --direct reaches it',
  unknown: 'somewhere on the way; --direct <url of the router> tells whether the router itself is the cause',
}

function printFinding(finding: Finding, number: number, style: Style): readonly string[] {
  const { severity, title, seen, meaning, change, ways, where, kind } = finding
  const word = severity === 'problem' ? style.red('problem') : style.yellow('warning')
  const more = ways.length === 1 ? '' : ` (in ${ways.length} ways)`
  return [
    `${number}. ${word}: ${style.bold(title)}${more} [${kind}]`,
    `   seen:   ${printableLine(seen)}`,
    `   means:  ${meaning}`,
    `   where:  ${kind === 'defer-off' ? 'the settings of the router' : WHERE[where]}`,
    ...change.map((text, index) => `   ${index === 0 ? 'change:' : '    or:'} ${text}`),
  ]
}

function conclusion(findings: readonly Finding[], style: Style): string {
  const problems = findings.filter(({ severity }) => severity === 'problem').length
  if (problems > 0) return style.red(`${problems} ${problems === 1 ? 'problem' : 'problems'} found.`)
  return style.green('Deferred answers arrive here as the router writes them.')
}
