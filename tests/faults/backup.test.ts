import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createStreamToken } from '#contract/identity/sessions.ts'
import { createAsset, readAsset } from '#contract/studio/assets.ts'
import { addressOfFile, listFiles } from '#contract/studio/files.ts'
import type { Client } from '#sdk/client.ts'
import { firstOf } from '#tests/support/elements.ts'
import {
  dataFolder,
  endAll,
  removeFolders,
  run,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { clientOf, readDemo } from './demo.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

const newKey = () => randomBytes(32).toString('base64url')

/** Creates assets all the time, and notes those that were acknowledged. */
function keepWriting(client: Client) {
  const ids: string[] = []
  let isStopping = false
  const done = (async () => {
    while (!isStopping) {
      const body = { type: 'PROMPT' as const, name: `Kept ${ids.length}`, bodyMarkdown: 'Kept.'.repeat(200) }
      ids.push((await client.call(createAsset, { body })).id)
    }
  })()
  return {
    ids,
    async stop() {
      isStopping = true
      await done
    },
  }
}

test('a backup that was made under load has everything that was acknowledged before it, on another machine', async () => {
  const dataDir = await usedDataFolder()
  const store = dataFolder()
  const env = { BACKUP_TO: `file:${store}`, BACKUP_KEY: newKey() }
  const patio = await start('up', { DATA_DIR: dataDir, ...env })
  // a server makes its first backup when it starts
  await until('the first backup is there', () => readdirSync(store).includes('manifests'))
  const demo = readDemo(dataDir)
  const person = firstOf(firstOf(demo.organizations).people)
  const client = await clientOf(patio.url, person)
  const writing = keepWriting(client)
  await until('assets are written', () => writing.ids.length > 20)
  const withFile = firstOf(writing.ids)
  const bytes = randomBytes(3_000_000)
  await addFiles(client, withFile, [['drawing.bin', bytes]])
  const acknowledged = [...writing.ids]
  const made = await run('backup', { DATA_DIR: dataDir, ...env }).exited
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Made the backup') })
  await writing.stop()
  await patio.stop()

  const elsewhere = dataFolder()
  const wrongKey = { ...env, BACKUP_KEY: newKey() }
  expect(await run('restore', { DATA_DIR: elsewhere, ...wrongKey }).exited).toMatchObject({
    code: 1,
    output: expect.stringContaining('BACKUP_KEY is not the one of this backup'),
  })
  const verified = await run('restore', { DATA_DIR: elsewhere, ...env }, { args: ['--verify'] }).exited
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The backup is whole') })
  expect(await run('restore', { DATA_DIR: elsewhere, ...env }).exited).toMatchObject({ code: 0 })
  expect(await run('restore', { DATA_DIR: elsewhere, ...env }).exited).toMatchObject({
    code: 1,
    output: expect.stringContaining('Restore into an empty folder'),
  })

  const restored = await start('up', { DATA_DIR: elsewhere, DEMO: '0' })
  // the password works, so the secrets came along
  const again = await clientOf(restored.url, person)
  for (const id of acknowledged) await again.call(readAsset, { params: { id } })
  const params = { id: withFile, version: 'current' }
  const file = firstOf((await again.call(listFiles, { params })).items)
  const { url } = await again.call(addressOfFile, { params: { ...params, fileId: file.id } })
  const downloaded = await fetch(new URL(url, restored.url))
  expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true)
  // who has seen events that the backup does not have starts again
  expect(await firstFrames(restored.url, again, '1')).toContain('event: resync')
  await restored.stop()
})

test('an altered part of a backup is found before anything is restored', async () => {
  const dataDir = await usedDataFolder()
  const store = dataFolder()
  const env = { BACKUP_TO: `file:${store}`, BACKUP_KEY: newKey() }
  expect(await run('backup', { DATA_DIR: dataDir, ...env }).exited).toMatchObject({ code: 0 })
  const part = firstOf(
    readdirSync(join(store, 'databases'), { recursive: true, encoding: 'utf8' }).filter(name =>
      name.includes('/'),
    ),
  )
  const path = join(store, 'databases', part)
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  writeFileSync(path, bytes)
  const target = dataFolder()
  expect(await run('restore', { DATA_DIR: target, ...env }).exited).toMatchObject({
    code: 1,
    output: expect.stringContaining('it was altered'),
  })
  expect(readdirSync(target)).not.toContain('postgres')
})

/** The text of a stream until its first event that is not the greeting. */
async function firstFrames(url: string, client: Client, lastEventId: string): Promise<string> {
  const { token } = await client.call(createStreamToken)
  const path = `${url}/api/studio/events?token=${token}&lastEventId=${lastEventId}`
  return new Promise((resolve, reject) => {
    const request = get(path, { agent: false }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', piece => {
        text += piece
        if ((text.match(/^event: /gm)?.length ?? 0) < 2) return
        resolve(text)
        request.destroy()
      })
    }).on('error', reject)
  })
}
