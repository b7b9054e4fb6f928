import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { disabledFeatures, findBrowser } from './browser.ts'
import { defined } from './elements.ts'
import { packagedBrowser, unpackOnce } from './packaged-browser.ts'

const linux = { platform: 'linux', arch: 'x64' }
const debian = '/usr/bin/chromium'

test('CHROMIUM comes first, then an installed browser, then the npm package', () => {
  const all = () => true
  const none = () => false
  expect(findBrowser({ ...linux, CHROMIUM: '/opt/chrome' }, all)).toBe('/opt/chrome')
  expect(findBrowser(linux, path => path === debian)).toBe(debian)
  expect(findBrowser(linux, none)).toBe('npm')
  expect(findBrowser({ ...linux, CHROMIUM: 'npm' }, all)).toBe('npm')
})

test('without a browser the refusal says how to get one', () => {
  const none = () => false
  expect(() => findBrowser({ ...linux, CHROMIUM: '/opt/chrome' }, none)).toThrow(
    /\/opt\/chrome.*not exist.*Install/,
  )
  expect(() => findBrowser({ platform: 'linux', arch: 'arm64' }, none)).toThrow(
    /linux-arm64.*Install.*CHROMIUM/,
  )
})

test('every feature that Playwright switches off stays off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patio-switches-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'browser')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/switches\n`, { mode: 0o755 })
  await expect(chromium.launch({ executablePath: program })).rejects.toThrow()
  const switches = readFileSync(join(folder, 'switches'), 'utf8').split('\n')
  const name = '--disable-features='
  const list = switches.find(text => text.startsWith(name))?.slice(name.length)
  expect(list).toContain('HttpsUpgrades')
  // this one is for Windows, those of Edge are its own
  const others = /^(TcpPortRandomizationWin|msForceBrowserSignIn|msEdgeUpdateLaunchServicesPreferredVersion)$/
  const expected = list?.split(',').filter(feature => !others.test(feature))
  expect(disabledFeatures).toEqual(expect.arrayContaining(expected ?? []))
})

test('a folder that several fill at once is complete as soon as it exists', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'patio-unpack-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'cache', 'browser')
  let unpacked = 0
  const unpack = async (into: string) => {
    writeFileSync(join(into, 'first'), '')
    await nextTurn()
    expect(existsSync(folder) && readdirSync(folder).length !== 2).toBe(false)
    writeFileSync(join(into, 'second'), '')
    unpacked += 1
  }
  await Promise.all([unpackOnce(folder, unpack), unpackOnce(folder, unpack), unpackOnce(folder, unpack)])
  await unpackOnce(folder, unpack)
  expect(unpacked).toBe(3)
  expect(readdirSync(folder)).toEqual(['first', 'second'])
  expect(readdirSync(join(parent, 'cache'))).toEqual(['browser'])

  const failing = () => Promise.reject(new Error('disk full'))
  await expect(unpackOnce(join(parent, 'cache', 'other'), failing)).rejects.toThrow('disk full')
  expect(readdirSync(join(parent, 'cache'))).toEqual(['browser'])
})

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the browser of the npm package shows a page, with the libraries that the package has',
  async () => {
    const { executablePath, env } = await packagedBrowser()
    const server = await chromium.launchServer({
      executablePath,
      env: { ...process.env, ...env },
      args: ['--no-sandbox'],
    })
    onTestFinished(() => server.close())
    const browser = await chromium.connect(server.wsEndpoint())
    const page = await browser.newPage()
    await page.setContent('<title>Patio</title><p style="font: 20px sans-serif; float: left">Invoice</p>')
    expect(await page.title()).toBe('Patio')
    // letters have a width only where there is a font
    expect(defined(await page.locator('p').boundingBox()).width).toBeGreaterThan(40)
    const libraries = readFileSync(`/proc/${server.process().pid}/maps`, 'utf8')
    for (const library of ['libnss3.so', 'libnspr4.so', 'libexpat.so.1'])
      expect(libraries).toContain(join(executablePath, '../al2023/lib', library))
  },
)
