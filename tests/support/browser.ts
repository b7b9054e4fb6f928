import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { TestContext } from 'vitest'
import { chooseAddress } from '#server/address.ts'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = places.find(place => place && existsSync(place))
const howToInstall =
  'No Chromium was found, so the pages were not looked at. Install one (Debian: apt install chromium) or set CHROMIUM ' +
  'to the path of one.'

/** Whether this machine has a browser. */
export const hasBrowser = executablePath !== undefined

/** A real browser without connections of its own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}

/** Without a browser a test is visibly skipped; in CI it fails. */
export function needBrowser(context: TestContext): void {
  if (hasBrowser) return
  if (process.env.CI) throw new Error(howToInstall)
  context.skip(howToInstall)
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
