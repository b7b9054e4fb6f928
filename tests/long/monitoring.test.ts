import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openJobRunRecorder } from '#platform/jobs/job-run.ts'
import { allCaptured } from '#tests/support/elements.ts'
import { textOf, totalsUrl } from '#tests/support/metrics.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// promtool comes with Prometheus. Debian: apt-get install --no-install-recommends prometheus
const promtool = process.env.PROMTOOL ?? '/usr/bin/promtool'
const folder = join(import.meta.dirname, '../../deploy/monitoring')
const run = promisify(execFile)

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { runbook_url: string }
}
type Panel = {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { refId: string; expr: string; datasource: { uid: string } }[]
}
const { groups } = parse(readFileSync(join(folder, 'alerts.yml'), 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(readFileSync(join(folder, 'grafana.json'), 'utf8')) as {
  panels: Panel[]
  templating: { list: { name: string; type: string }[] }
}
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

let server: TestServer
let shown: string[]
beforeAll(async () => {
  if (!existsSync(promtool)) throw new Error(`No ${promtool}: apt-get install prometheus, or set PROMTOOL`)
  server = await startTestServer({ metrics: { host: '127.0.0.1', port: 0 } })
  // the age of a backup is shown once there is one
  await openJobRunRecorder('back up', server.api.services.database, { warn() {} })()
  shown = [await textOf(`${server.url}/metrics`), await textOf(await totalsUrl(server))]
})
afterAll(() => server?.close())

test('promtool finds no fault in the names of the metrics', async () => {
  for (const metrics of shown) {
    const check = spawn(promtool, ['check', 'metrics'])
    check.stdin.end(metrics)
    const exited = new Promise(resolve => check.once('exit', resolve))
    const output = (await text(check.stdout)) + (await text(check.stderr))
    expect([await exited, output]).toEqual([0, ''])
  }
})

test('each alert is raised by its fault, and by nothing else', async () => {
  await run(promtool, ['check', 'config', join(folder, 'prometheus.yml')])
  await run(promtool, ['test', 'rules', join(folder, 'alerts.test.yml')])
  const { tests } = parse(readFileSync(join(folder, 'alerts.test.yml'), 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[]
  }
  const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const names = (isRaised: boolean) =>
    tried
      .filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === isRaised)
      .map(({ alertname }) => alertname)
  const all = rules.map(({ alert }) => alert).sort()
  expect([names(true), names(false)].map(list => [...new Set(list)].sort())).toEqual([all, all])
})

test('each alert says how urgent it is, and its runbook exists', () => {
  const guide = readFileSync(join(folder, '../../docs/guides/troubleshooting.md'), 'utf8')
  const titles = allCaptured(/^## (.+)$/gm, guide)
  const anchors = titles.map(title => title.toLowerCase().replaceAll(' ', '-'))
  for (const { labels, annotations } of rules) {
    expect(labels.severity).toMatch(/^(page|ticket)$/)
    const [page, anchor] = annotations.runbook_url.split('#')
    expect(page).toBe('docs/guides/troubleshooting.md')
    expect(anchors).toContain(anchor)
  }
})

test('each metric that an alert or the dashboard names is shown by a server', () => {
  const names = new Set(
    shown.flatMap(metrics =>
      [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    ),
  )
  const used = new Set(expressions.flatMap(expression => expression.match(/patio_\w+/g) ?? []))
  expect(used.size).toBeGreaterThan(25)
  expect([...used].filter(name => !names.has(name))).toEqual([])
})

test('the expressions of the dashboard are valid, and its panels have a place of their own', async () => {
  const rules = dashboard.panels.flatMap(({ id, targets = [] }) =>
    targets.map(({ refId, expr }) => ({
      record: `panel_${id}_${refId.toLowerCase()}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    })),
  )
  const scratch = mkdtempSync(join(tmpdir(), 'patio-dashboard-'))
  try {
    const file = join(scratch, 'dashboard.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { stdout } = await run(promtool, ['check', 'rules', file])
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`)
  } finally {
    rmSync(scratch, { recursive: true })
  }
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24)
    return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
  const sources = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ datasource }) => datasource.uid),
  )
  expect(sources.length).toBeGreaterThan(0)
  // a variable of Grafana
  for (const source of sources) expect(source).toMatch(/^\$\{datasource\}$/)
  expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }])
})
