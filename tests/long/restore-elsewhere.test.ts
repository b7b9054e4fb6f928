import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyAudit } from '#contract/identity/audit-log.ts'
import { createAsset, readAsset } from '#contract/studio/assets.ts'
import { addressOfFile, listFiles } from '#contract/studio/files.ts'
import { firstOf } from '#tests/support/elements.ts'
import { dataFolder, endAll, removeFolders, run, start, usedDataFolder } from '#tests/support/processes.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { clientOf, readDemo } from '../faults/demo.ts'

const root = join(import.meta.dirname, '../..')
/** A user without a name and a home, who owns nothing here. */
const otherUser = 61_234
const clones: string[] = []

afterAll(() => {
  endAll()
  removeFolders()
  for (const clone of clones) rmSync(clone, { recursive: true, force: true })
})

/** The committed sources, as another machine gets them, with the packages of this checkout. */
function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patio-clone-'))
  clones.push(folder)
  const clone = join(folder, 'patio')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  chmodSync(folder, 0o755)
  return clone
}

function giveTo(user: number, folder: string): string {
  execFileSync('chown', ['--recursive', `${user}:${user}`, folder])
  return folder
}

/** The line with what a verification counted. */
const countsIn = (output: string) => /^The backup is whole.*$/m.exec(output)?.[0]

test('a backup of this server is restored by another user in a fresh clone, and everything in it holds', async () => {
  expect(process.getuid?.(), 'only root can run a process as another user').toBe(0)
  const dataDir = await usedDataFolder()
  const store = dataFolder()
  const env = { BACKUP_TO: `file:${store}`, BACKUP_KEY: randomBytes(32).toString('base64url') }
  const patio = await start('up', { DATA_DIR: dataDir, ...env, BACKUP_EVERY_HOURS: '0' })
  const demo = readDemo(dataDir)
  const client = await clientOf(patio.url, firstOf(firstOf(demo.organizations).people))
  const { id } = await client.call(createAsset, { body: { type: 'PROMPT', name: 'Acknowledged last' } })
  const bytes = randomBytes(1_000_000)
  await addFiles(client, id, [['drawing.bin', bytes]])
  expect(await run('backup', { DATA_DIR: dataDir, ...env }).exited).toMatchObject({ code: 0 })
  const here = await run('restore', { DATA_DIR: dataFolder(), ...env }, { args: ['--verify'] }).exited
  await patio.stop()
  rmSync(dataDir, { recursive: true })

  const clone = freshClone()
  const copy = dataFolder()
  cpSync(store, copy, { recursive: true })
  rmSync(store, { recursive: true })
  giveTo(otherUser, copy)
  const elsewhere = giveTo(otherUser, dataFolder())
  const settings = {
    BACKUP_TO: `file:${copy}`,
    BACKUP_KEY: env.BACKUP_KEY,
    DATA_DIR: elsewhere,
    HOME: '/nowhere',
  }
  const as = {
    cwd: clone,
    program: join(clone, 'server/main.mjs'),
    via: ['setpriv', `--reuid=${otherUser}`, `--regid=${otherUser}`, '--clear-groups', '--no-new-privs'],
  }
  const verified = await run('restore', settings, { ...as, args: ['--verify'] }).exited
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The backup is whole') })
  expect(countsIn(verified.output)).toBe(countsIn(here.output))
  expect(await run('restore', settings, as).exited).toMatchObject({ code: 0 })
  const owners = readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).map(
    name => lstatSync(join(elsewhere, name)).uid,
  )
  expect([...new Set(owners)]).toEqual([otherUser])

  const restored = await start(
    'up',
    { ...settings, BACKUP_EVERY_HOURS: '0', DEMO: '0', DASHBOARD: 'off' },
    as,
  )
  for (const { people } of demo.organizations) {
    const person = await clientOf(restored.url, firstOf(people))
    expect(await person.call(verifyAudit)).toMatchObject({ valid: true })
  }
  const again = await clientOf(restored.url, firstOf(firstOf(demo.organizations).people))
  await again.call(readAsset, { params: { id } })
  const params = { id, version: 'current' }
  const file = firstOf((await again.call(listFiles, { params })).items)
  const { url } = await again.call(addressOfFile, { params: { ...params, fileId: file.id } })
  const downloaded = await (await fetch(new URL(url, restored.url))).arrayBuffer()
  expect(Buffer.from(downloaded).equals(bytes)).toBe(true)
  expect(restored.lines().filter(({ level }) => level >= 50)).toEqual([])

  // the data that the restored server uses holds too: audit chains, signatures, ledgers and files
  expect(await run('backup', settings, as).exited).toMatchObject({ code: 0 })
  const after = await run('restore', settings, { ...as, args: ['--verify'] }).exited
  expect(after).toMatchObject({ code: 0, output: expect.stringContaining('The backup is whole') })
  process.stdout.write(`${countsIn(here.output)}\n${countsIn(after.output)}\n`)
  await restored.stop()
})
