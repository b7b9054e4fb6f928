import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findIn } from '#tests/support/elements.ts'
import {
  dataFolder,
  endAll,
  type Patio,
  removeFolders,
  start,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { codeBlocks, linkProgram, openShell, type Shell, statementsOf } from '#tests/support/shell.ts'

/** Blocks that no test can run say so in the info string, with the reason: ```sh not-run: needs … */
const notRun = /^not-run: (.+)$/
/** Guides whose commands install, back up or restore a whole machine; other tests run what these commands do. */
const guidesOfMachines = ['backup.md', 'citus.md', 'cluster.md', 'deployment.md']
/** The maximum of such blocks in all other guides. */
const mostNotRun = 14

const command = /^(curl|npm|npx|node) |^[A-Z_]+=\S/m
const indentedCommand = /^ {4}(curl|npm|npx|node) /m

const root = join(import.meta.dirname, '../..')
const signIn = findIn(
  codeBlocks(readFileSync(join(root, 'README.md'), 'utf8')),
  ({ language }) => language === 'sh',
)
const guides = readdirSync(join(root, 'docs/guides'))
  .filter(name => name.endsWith('.md'))
  .map(name => {
    const blocks = codeBlocks(readFileSync(join(root, 'docs/guides', name), 'utf8'))
    return { name, blocks: blocks.filter(({ language }) => language === 'sh') }
  })

/** Output that guides must print, because a 200 alone does not show success. */
const mustPrint: Record<string, RegExp[]> = {
  'budgets.md': [/^VALID$/m],
  'card-payments.md': [/last4: '4242'/, /^ACTIVE\nACTIVE$/m],
  'charging.md': [/status: 'SUCCEEDED'/],
  'chat.md': [/status: 'SUCCEEDED'/],
  'invoices.md': [/^PARTIALLY_PAID$/m, /^PAID$/m],
  'provenance.md': [/^Everything holds\.$/m],
  'refunds.md': [/^SUCCEEDED$/m, /kind: 'REFUND'/],
  'review-queue.md': [/^APPROVED$/m],
  'streams.md': [/^event: client-changed$/m, /"createdIds":/],
  'tools.md': [/name: 'release-notes'/, /"name":"meeting-summary"/],
}

let folder: string
let patio: Patio
/** The shell variables of the README's sign-in. */
let signedIn: string
beforeAll(async () => {
  folder = dataFolder()
  linkProgram(root, folder)
  symlinkSync(await usedDataFolder(), join(folder, 'data'))
  patio = await start('up', { DATA_DIR: join(folder, 'data') }, { cwd: folder })
  // once, because each sign-in takes a second
  const shell = openShell(folder, { strict: true })
  // the only changed line: this server chose its own port
  await typeAll(shell, statementsOf(signIn.text.replace(/^PATIO=.*$/m, `PATIO=${patio.url}`)))
  const variables = [...signIn.text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  signedIn = await shell.type(`declare -p ${variables.join(' ')}; declare -f show`)
  shell.close()
})
afterAll(async () => {
  await patio?.stop()
  endAll()
  removeFolders()
})

describe('every command of a guide works when pasted, twice, after the sign-in of the README', () => {
  test.for(guides.filter(({ blocks }) => blocks.length > 0))('$name', async ({ name, blocks }) => {
    const shell = openShell(folder, { strict: true })
    try {
      await shell.type(signedIn)
      const statements = blocks.flatMap(({ info, text }) => (notRun.test(info) ? [] : statementsOf(text)))
      await typeAll(shell, statements)
      const printed = shell.output().replaceAll(/^statement \d+ ended with 0\n/gm, '')
      for (const pattern of mustPrint[name] ?? []) expect(printed).toMatch(pattern)
      // on the same demo: pasting a guide again must work
      await typeAll(shell, statements)
    } finally {
      shell.close()
    }
  })
})

/** Runs statements. A variable must get a value, and a shown field must exist. */
async function typeAll(shell: Shell, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const printed = await shell.type(statement)
    expect(printed.split('\n'), statement).not.toContain('undefined')
    const [, variable] = /^(?:export )?([A-Z_]+)=/.exec(statement) ?? []
    if (variable)
      expect(await shell.type(`echo "$${variable}"`), statement).not.toMatch(/^(undefined|null)?$/)
  }
}

test('few blocks are not run, and each gives its reason', () => {
  const marked = guides.flatMap(({ blocks }) => blocks.filter(({ info }) => info !== ''))
  for (const { info, text } of marked) expect(notRun.exec(info)?.[1]?.length ?? 0, text).toBeGreaterThan(15)
  const others = guides.filter(({ name }) => !guidesOfMachines.includes(name))
  const count = others.flatMap(({ blocks }) => blocks.filter(({ info }) => info !== '')).length
  expect(count).toBeLessThanOrEqual(mostNotRun)
})

test('all commands are in blocks that run, and have no fixed dates', () => {
  for (const { name, blocks } of guides) {
    const text = readFileSync(join(root, 'docs/guides', name), 'utf8')
    const others = codeBlocks(text).filter(({ language }) => language !== 'sh')
    for (const block of others) expect(block.text, name).not.toMatch(command)
    expect(text, name).not.toMatch(indentedCommand)
    // it would be in the past some day
    for (const block of blocks) expect(block.text, name).not.toMatch(/\b20\d\d-\d\d-\d\d/)
  }
})

test('a refused call fails, and so does a missing field', async () => {
  const shell = openShell(folder, { strict: true })
  try {
    await shell.type(signedIn)
    await typeAll(shell, ['curl -s $PATIO/api/auth/me -H "$AUTH" | show .person'])
    await expect(typeAll(shell, ['curl -s $PATIO/api/auth/me | show'])).rejects.toThrow('401')
    await expect(typeAll(shell, ['NAME=$(curl -s $PATIO/api/auth/me | show .message)'])).rejects.toThrow()
    await expect(
      typeAll(shell, ['NAME=$(curl -s $PATIO/api/auth/me -H "$AUTH" | show .none)']),
    ).rejects.toThrow()
  } finally {
    shell.close()
  }
})
