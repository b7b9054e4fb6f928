import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core'
import { chooseAddress } from '#server/address.ts'
import { hangsMs } from './crowd.ts'
import { packagedBrowser } from './packaged-browser.ts'

type Machine = { CHROMIUM?: string | undefined; platform: string; arch: string }

/** The value of CHROMIUM that chooses the browser of the npm package where another one is installed. */
const fromNpm = 'npm'
const installed = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
] as const
const advice =
  'Install Chromium (Debian: apt install chromium), or set CHROMIUM to the path of a Chromium or Chrome.'

/** The browser that CHROMIUM names, else an installed one, else that of the package `@sparticuz/chromium`. */
export function findBrowser(
  machine: Machine = { CHROMIUM: process.env.CHROMIUM, platform: process.platform, arch: process.arch },
  exists: (path: string) => boolean = existsSync,
): string {
  const named = machine.CHROMIUM
  if (named && named !== fromNpm) {
    if (!exists(named)) throw new Error(`CHROMIUM is ${named}, which does not exist. ${advice}`)
    return named
  }
  const present = named ? undefined : installed.find(path => exists(path))
  if (present) return present
  // the package has no program for another system or processor
  if (machine.platform === 'linux' && machine.arch === 'x64') return fromNpm
  throw new Error(
    `There is no browser for ${machine.platform}-${machine.arch} in the npm packages. ${advice}`,
  )
}

/**
 * The features that Playwright switches off, which a second `--disable-features` would switch on again, and the suggestions of
 * the address bar: with them, each new window loads two pages of the browser's own, of some hundred scripts, beside the first page.
 */
export const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** A host name that leads to this machine, and that browsers trust no more than any other. */
export const plainHost = 'patio.test'

/** A real browser without connections of its own. */
export function openBrowser(): Promise<Browser> {
  return launched(program => chromium.launch(program))
}

/**
 * A browser of its own with a profile in a folder, as a person has one: unlike the profiles of `openBrowser`, it keeps compiled
 * scripts. Closing the context ends the browser.
 */
export function openBrowserIn(folder: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return launched(program => chromium.launchPersistentContext(folder, { ...options, ...program }))
}

async function launched<Result>(launch: (program: LaunchOptions) => Promise<Result>): Promise<Result> {
  const found = findBrowser()
  const program = found === fromNpm ? await packagedBrowser() : { executablePath: found, env: {} }
  try {
    return await launch({
      executablePath: program.executablePath,
      env: { ...process.env, ...program.env },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-sync',
        '--disable-background-networking',
        '--disable-component-update',
        `--disable-features=${disabledFeatures}`,
        // an address that is no secure context, as that of another machine over plain http
        `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
      ],
    })
  } catch (error) {
    throw new Error(`${program.executablePath} does not start. ${advice}`, { cause: error })
  }
}

/** A browser profile of its own, whose pages wait long enough for a busy machine. */
export async function openProfile(
  browser: Browser,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const profile = await browser.newContext(options)
  profile.setDefaultTimeout(hangsMs)
  return profile
}

/** Settings of a test server whose pages link to its own address. */
export async function browsable(): Promise<{ port: number; publicUrl: string }> {
  const { port, publicUrl } = await chooseAddress({
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:0',
  })
  return { port, publicUrl }
}
