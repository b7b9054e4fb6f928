import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './operations.ts'

/** The modules that put numbers, amounts and times into words for people, and the few files that use `Intl` for something else. */
const formatters = [
  'dashboard/words/formatters.ts',
  'server/platform/language.ts',
  // numbers in the descriptions of the contract, which are English
  'contract/crm/shapes.ts',
  // the clock on the wall in a time zone, and which zones exist
  'dashboard/chat/agents/cron.rules.ts',
  'dashboard/chat/agents/task-list.tsx',
  'server/chat/agents/agent.rules.ts',
  // the notation of the tax office
  'server/billing/tax-records/spanish-time.ts',
  // the time of a line of a program
  'sdk/patio-listen.ts',
]

test('only the modules for it format numbers and times', () => {
  const files = globSync('{contract,server,dashboard,sdk}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['dashboard/dist', '**/*.test.ts'],
  })
  expect(files.length).toBeGreaterThan(1_000)
  const formatting = files.filter(file =>
    /Intl\.(NumberFormat|DateTimeFormat)\(|\.toLocale(Date|Time)?String\(/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(formatting.sort()).toEqual(formatters.sort())
})
