import { fork } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { freePort } from '#platform/ports.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { bounds, dashboardBytes, dashboardScreens, dashboardViews } from '../claims.ts'
import { measureInteractions, measureKeys } from '../dashboard/interactions.ts'
import { servePlainPage } from '../dashboard/plain-page/serve.ts'
import { buildDashboard, type DashboardProduct, startDashboard } from '../dashboard/product.ts'
import { type Scrolling, scrollGrid, serveBook } from '../dashboard/scrolling.ts'
import { kilobytes, type MeasuredView, type Screen, viewScreen } from '../dashboard/views.ts'
import type { BenchEnvironment } from '../environment.ts'
import { start, temporaryFolder } from '../processes.ts'
import type { Figure } from '../report.ts'
import { inOrder } from '../rounds.ts'
import { median, percentile, short, spread } from '../statistics.ts'
import { untilReady } from './processes.ts'

const folder = join(import.meta.dirname, '../../dashboard')
const dist = join(folder, 'dist')
type ScreenName = keyof typeof dashboardScreens
type ViewName = keyof typeof dashboardViews
const viewNames = Object.keys(dashboardViews) as ViewName[]

/** A round takes over a minute, so a run has fewer of them than a run of other rows. */
const mostRounds = 5

/** The dashboard in Chromium at 1440 pixels, with its built files and a server with demo data. */
export async function dashboard(environment: BenchEnvironment): Promise<Figure[]> {
  buildDashboard()
  const browser = await openBrowser()
  const product = await startDashboard(browser)
  const book = await serveBook()
  const plain = await servePlainPage()
  const screens: Record<ScreenName, Screen> = {
    members: { url: `${product.organizationUrl}/settings/members`, rows: '[data-row-key]' },
    home: { url: product.organizationUrl, rows: 'main li' },
    leads: { url: `${product.organizationUrl}/leads`, rows: '[data-row-key]' },
    invoice: { url: `${product.organizationUrl}/invoices/${product.ids.invoice}`, rows: 'main dl' },
    channel: { url: `${product.organizationUrl}/channels/${product.ids.channel}`, rows: 'main article' },
    asset: { url: `${product.organizationUrl}/studio/${product.ids.asset}`, rows: 'main dl' },
  }
  try {
    const bytes = await loadedBytes(product, screens.members)
    const views = new Map<string, MeasuredView[]>()
    const plainViews: Record<ViewName, MeasuredView>[] = []
    const interactions: number[][] = []
    const keys: number[][] = []
    const scrollings: Scrolling[] = []
    const rounds = Math.min(environment.size.rounds, mostRounds)
    for (let round = 0; round < rounds; round++) {
      process.stderr.write(`dashboard: round ${round + 1} of ${rounds}\n`)
      for (const [name, screen] of Object.entries(screens))
        for (const [view, measured] of Object.entries(await allViews(product, screen)))
          views.set(`${name}-${view}`, [...(views.get(`${name}-${view}`) ?? []), measured])
      plainViews.push(await allViews(product, { url: plain.url, rows: 'tbody tr' }))
      const context = await product.newContext()
      interactions.push(await measureInteractions(context, screens.members))
      keys.push(
        await measureKeys(context, `${product.organizationUrl}/studio/${product.ids.longAsset}?edit=true`),
      )
      await context.close()
      scrollings.push(await scrollGrid(browser, book.url))
    }
    return [
      ...bytesFigures(bytes),
      ...viewFigures(views),
      ...besidePlainFigures(views, plainViews),
      interactionFigure('dashboard-interactions', interactions, bounds.dashboardInteractionMs),
      interactionFigure('dashboard-keys', keys, bounds.dashboardKeyMs),
      ...scrollingFigures(scrollings),
    ]
  } finally {
    await book.app.close()
    await plain.close()
    await browser.close()
    await product.stop()
  }
}

type Bytes = Record<keyof typeof dashboardBytes, number>

async function loadedBytes(product: DashboardProduct, screen: Screen): Promise<Bytes> {
  const load = async (encoding: 'gzip' | 'br') => {
    const context = await product.newContext()
    const { files } = await viewScreen(context, screen, { processorRate: 1, encoding })
    await context.close()
    return files
  }
  const gzip = await load('gzip')
  return {
    'scripts-gzip': kilobytes(gzip, 'script'),
    'scripts-brotli': kilobytes(await load('br'), 'script'),
    styles: kilobytes(gzip, 'style'),
    fonts: kilobytes(gzip, 'font'),
    chunk: Math.max(...screenScripts().map(({ bytes }) => bytes / 1_000)),
  }
}

/**
 * The scripts that are loaded when a screen or a dialog needs them, compressed. Not the book of the tests, nor Markdown and
 * the text editor, which have limits of their own (tests/invariants/dashboard.test.ts).
 */
function screenScripts(): { file: string; bytes: number }[] {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; isDynamicEntry?: boolean }
  >
  return Object.entries(manifest)
    .filter(([name, { isDynamicEntry }]) => isDynamicEntry && !/^book\/|markdown|text-editor/.test(name))
    .map(([, { file }]) => ({
      file,
      bytes: gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
    }))
}

async function allViews(product: DashboardProduct, screen: Screen): Promise<Record<ViewName, MeasuredView>> {
  const profile = await product.newProfile()
  const cold = await viewScreen(profile, screen, { processorRate: 1 })
  // during the second visit the browser stores the compiled scripts
  await viewScreen(profile, screen, { processorRate: 1 })
  const warm = await viewScreen(profile, screen, { processorRate: 1 })
  await profile.close()
  const second = await product.newContext()
  const slow = await viewScreen(second, screen, { processorRate: 4 })
  await second.close()
  const third = await product.newContext()
  const far = await viewScreen(third, screen, { processorRate: 4, isFar: true })
  await third.close()
  return { cold, warm, slow, far }
}

function bytesFigures(bytes: Bytes): Figure[] {
  return Object.entries(dashboardBytes).map(([name, { most }]) => {
    const loaded = bytes[name as keyof Bytes]
    return { name: `dashboard-${name}`, value: spread([loaded / most]), raw: [`${short(loaded)} KB`] }
  })
}

function viewFigures(views: ReadonlyMap<string, readonly MeasuredView[]>): Figure[] {
  return Object.keys(dashboardScreens).flatMap(screen =>
    Object.entries(dashboardViews).flatMap(([view, { paintedSeconds, rowsSeconds }]) => {
      const measured = defined(views.get(`${screen}-${view}`))
      const figure = (name: string, times: number[], seconds: number): Figure => ({
        name: `dashboard-${screen}-${view}-${name}`,
        value: spread(times.map(ms => ms / 1_000 / seconds)),
        raw: [`${short(median(times))} ms`],
      })
      return [
        figure(
          'painted',
          measured.map(({ paintedMs }) => paintedMs),
          paintedSeconds,
        ),
        figure(
          'rows',
          measured.map(({ rowsMs }) => rowsMs),
          rowsSeconds,
        ),
      ]
    }),
  )
}

/** How many times as long as a plain page the list of leads takes until its rows are visible, round by round. */
function besidePlainFigures(
  views: ReadonlyMap<string, readonly MeasuredView[]>,
  plainViews: readonly Record<ViewName, MeasuredView>[],
): Figure[] {
  return viewNames.map(view => {
    const leads = defined(views.get(`leads-${view}`))
    const plain = plainViews.map(round => round[view].rowsMs)
    return {
      name: `dashboard-beside-plain-${view}`,
      value: spread(leads.map(({ rowsMs }, round) => rowsMs / itemAt(plain, round))),
      raw: [`${short(median(leads.map(({ rowsMs }) => rowsMs)))} ms and ${short(median(plain))} ms`],
    }
  })
}

function interactionFigure(name: string, rounds: readonly (readonly number[])[], mostMs: number): Figure {
  const all = rounds.flat()
  return {
    name,
    value: spread(rounds.map(times => percentile(times, 0.95) / mostMs)),
    raw: [
      `${rounds[0]?.length} interactions: p50 ${short(median(all))} ms, p95 ${short(percentile(all, 0.95))} ms, at most ${short(Math.max(...all))} ms`,
    ],
  }
}

function scrollingFigures(scrollings: readonly Scrolling[]): Figure[] {
  const all = scrollings.flatMap(({ frameMs }) => frameMs)
  const figure = (name: string, of: (scrolling: Scrolling) => number, raw: string): Figure => ({
    name: `dashboard-${name}`,
    value: spread(scrollings.map(of)),
    raw: [raw],
  })
  const elements = median(scrollings.map(scrolling => scrolling.elements))
  const heapMB = median(scrollings.map(scrolling => scrolling.heapMB))
  return [
    figure(
      'frames',
      ({ frameMs }) => percentile(frameMs, 0.95) / bounds.dashboardFrameMs,
      `p50 ${short(median(all))} ms, p95 ${short(percentile(all, 0.95))} ms, at most ${short(Math.max(...all))} ms`,
    ),
    figure(
      'longest-frame',
      ({ frameMs }) => Math.max(...frameMs) / bounds.dashboardLongestFrameMs,
      `${all.filter(ms => ms > bounds.dashboardLongestFrameMs).length} of ${all.length} frames were longer`,
    ),
    figure(
      'elements',
      scrolling => scrolling.elements / bounds.dashboardElements,
      `${short(elements)} elements`,
    ),
    figure('heap', scrolling => scrolling.heapMB / bounds.dashboardHeapMB, `${short(heapMB)} MB more`),
  ]
}

/** The build by itself, and beside the first start of the server. */
export async function dashboardBuild(environment: BenchEnvironment): Promise<Figure[]> {
  const builds: { seconds: number; mostMiB: number }[] = []
  const later: number[] = []
  const raw: string[] = []
  try {
    for (let turn = 0; turn < environment.size.starts; turn++) {
      builds.push(await buildAnew())
      const started = { with: { readySeconds: 0, pageSeconds: 0 }, without: { readySeconds: 0 } }
      for (const setting of inOrder(['on', 'off'] as const, turn)) {
        if (setting === 'on') started.with = await firstStart('on')
        else started.without = await firstStart('off')
      }
      later.push(started.with.readySeconds - started.without.readySeconds)
      raw.push(
        `ready after ${short(started.with.readySeconds)} s (the page after ${short(started.with.pageSeconds)} s), without after ${short(started.without.readySeconds)} s`,
      )
    }
  } finally {
    buildDashboard()
  }
  return [
    {
      name: 'dashboard-build',
      value: spread(builds.map(({ seconds }) => seconds / bounds.dashboardBuildSeconds)),
      raw: [
        `${short(median(builds.map(({ seconds }) => seconds)))} s, at most ${short(Math.max(...builds.map(({ mostMiB }) => mostMiB)))} MiB`,
      ],
    },
    {
      name: 'dashboard-start',
      value: spread(later.map(seconds => seconds / bounds.dashboardStartSeconds)),
      raw,
    },
  ]
}

async function buildAnew(): Promise<{ seconds: number; mostMiB: number }> {
  forgetBuild()
  const startedAt = performance.now()
  const child = fork(join(folder, 'build/build.ts'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let mostMiB = Number.NaN
  const look = setInterval(() => (mostMiB = peakMiB(defined(child.pid)) ?? mostMiB), 50)
  const code = await new Promise(resolve => child.once('exit', resolve))
  clearInterval(look)
  if (code !== 0) throw new Error('the build failed')
  return { seconds: (performance.now() - startedAt) / 1_000, mostMiB }
}

/** Linux counts the most memory that a process ever had. */
function peakMiB(pid: number): number | undefined {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
  } catch {
    return undefined
  }
}

async function firstStart(setting: 'on' | 'off'): Promise<{ readySeconds: number; pageSeconds: number }> {
  forgetBuild()
  const port = await freePort('127.0.0.1')
  const startedAt = performance.now()
  const env = { DATA_DIR: temporaryFolder(), PORT: String(port), DASHBOARD: setting }
  const product = start('server/main.mjs', ['up'], env, 'nothing')
  const readySeconds = await untilReady(port, startedAt)
  while (setting === 'on' && !(await isDashboardAt(port))) await new Promise(done => setTimeout(done, 20))
  const pageSeconds = (performance.now() - startedAt) / 1_000
  await product.stop()
  return { readySeconds, pageSeconds }
}

async function isDashboardAt(port: number): Promise<boolean> {
  return (await (await fetch(`http://127.0.0.1:${port}/`)).text()).includes('/assets/')
}

function forgetBuild(): void {
  rmSync(join(dist, '.built-from'), { force: true })
}
