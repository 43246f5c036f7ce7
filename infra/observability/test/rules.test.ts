/**
 * The alerts: of numbers that exist, told to a stranger, and each tried on numbers that make it fire and
 * numbers that do not.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { catalogue, seriesIn, unknownIn } from '../src/catalogue.ts'
import { alerts, PROMETHEUS_FOLDER } from '../src/rules.ts'

const rules = alerts()
const listed = catalogue()
const page = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8')

const noPromtool = spawnSync('promtool', ['--version']).error !== undefined
if (noPromtool) process.stderr.write('promtool is not installed: the rules of alerts are not tried out.\n')

describe('the alerts', () => {
  it.each(rules)('$alert reads what docs/metrics.md lists', ({ expr }) => {
    expect(seriesIn(expr)).not.toEqual([])
    expect(unknownIn(expr, listed)).toEqual([])
  })

  it.each(rules)('$alert says what happened, what it means and what to do', ({ labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels['severity'])
    for (const name of ['summary', 'description', 'runbook']) expect(annotations[name]).toMatch(/\w.{20,}/)
    expect(annotations['runbook']).toMatch(/\.$/)
  })

  it('are those of docs/observability.md, and each is tried out', () => {
    const names = rules.map(({ alert }) => alert)
    expect([...page.matchAll(/^\| `(Switchyard\w+)` \|/gm)].map(([, name]) => name)).toEqual(names)
    const { tests } = parse(readFileSync(`${PROMETHEUS_FOLDER}/rules.test.yml`, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
    }
    const tried = tests.flatMap((test) => test.alert_rule_test)
    const firing = tried.filter((one) => one.exp_alerts !== undefined).map((one) => one.alertname)
    const silent = tried.filter((one) => one.exp_alerts === undefined).map((one) => one.alertname)
    expect([...new Set(firing)].sort()).toEqual([...names].sort())
    expect([...new Set(silent)].sort()).toEqual([...names].sort())
  })
})

describe.skipIf(noPromtool)(`Prometheus${noPromtool ? ' (promtool is not installed)' : ''}`, () => {
  it.each([
    ['takes its configuration', ['check', 'config', 'prometheus.yml']],
    [
      'fires alerts on the numbers for which it should, and on no others',
      ['test', 'rules', 'rules.test.yml'],
    ],
  ])('%s', (_, args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: PROMETHEUS_FOLDER,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  })
})
