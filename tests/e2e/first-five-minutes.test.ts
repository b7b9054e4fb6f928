import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWebhook, removeWebhook, setWebhook } from '#contract/integrations/webhook.ts'
import { settings } from '#server/config.ts'
import { quickStart } from '#server/quick-start.ts'
import { clientOf, readDemo } from '#tests/faults/demo.ts'
import { allCaptured, exactly, firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/support/processes.ts'
import { codeBlocks, linkProgram, openShell, type Shell } from '#tests/support/shell.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** The blocks of the quick start, each a list of lines. */
const blocks = codeBlocks(readme)
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text.split('\n'))

let folder: string
let patio: Patio
let shell: Shell
beforeAll(async () => {
  folder = dataFolder()
  // as after npm start: the shell is in the program's folder, with the data
  linkProgram(root, folder)
  patio = await start('up', { DATA_DIR: join(folder, 'data') }, { cwd: folder })
  shell = openShell(folder, { strict: true })
})
afterAll(async () => {
  shell?.close()
  await patio?.stop()
  endAll()
  removeFolders()
})

test('the README and the banner of npm start show the same quick start', () => {
  expect(blocks).toEqual(
    quickStart('http://localhost:4000', 'data/demo.json').map(({ commands }) => commands),
  )
  for (const { title } of quickStart('', '')) expect(readme).toContain(`\n${title}:\n`)
  for (const { title, commands } of quickStart(patio.url, join('data', 'demo.json'))) {
    expect(patio.output()).toContain(`. ${title}\n${commands.map(command => `   ${command}\n`).join('')}`)
  }
})

test('every line of the quick start works when pasted', async () => {
  const person = firstOf(firstOf(readDemo(join(folder, 'data')).organizations).people)
  const [
    signIn = [],
    create = [],
    install = [],
    watch = [],
    receive = [],
    talk = [],
    bill = [],
    verify = [],
  ] = blocks

  for (const line of signIn.slice(0, -1)) {
    // the only changed line: this server chose its own port
    expect(await shell.type(line.replace(/^PATIO=.*$/, `PATIO=${patio.url}`)), line).toBe('')
  }
  expect(await shell.type(lastOf(signIn))).toContain(person.id)

  const [createAsset, listAssets] = exactly(2, create)
  const created = await shell.type(createAsset)
  expect(created).toContain("name: 'Greeting'")
  expect(created).toContain("status: 'DRAFT'")
  expect(await shell.type(listAssets)).toContain("'Greeting'")

  const [findEntry, installEntry] = exactly(2, install)
  expect(await shell.type(findEntry)).toBe('')
  expect(await shell.type(installEntry)).toContain("installedVersion: '1.0.0'")

  const [token = '', open = '', change = '', stop = ''] = watch
  expect(await shell.type(token)).toBe('')
  await shell.type(open)
  await until('the stream is open', () => shell.output().includes('retry: '))
  expect(shell.output()).not.toContain('event: asset-created')
  expect(await shell.type(change)).toContain('farewell')
  await until('the event arrives', () =>
    /event: asset-created\ndata: .*"slug":"farewell"/.test(shell.output()),
  )
  await shell.type(stop)

  const [receiver = '', key = '', report = '', end = ''] = receive
  const before = shell.output().length
  const arrived = () => shell.output().slice(before)
  await shell.type(receiver)
  await until('the test arrives', () => /^WEBHOOK_TEST c\w{24} has a valid signature/m.test(arrived()))
  await shell.type(key)
  expect(await shell.type(report)).toContain('deduplicated: false')
  await until('the notice arrives', () =>
    /^ERROR_REPORTED c\w{24} has a valid signature: .*"message":"Out of stock"/m.test(arrived()),
  )
  await shell.type(end)
  const { applications } = firstOf(readDemo(join(folder, 'data')).organizations)
  const owner = await clientOf(patio.url, person)
  const params = { id: firstOf(applications).id }
  await until('its webhook is gone', async () => (await owner.send(readWebhook, { params })).status === 404)

  for (const line of talk.slice(0, 2)) expect(await shell.type(line), line).toBe('')
  expect(await shell.type(itemAt(talk, 2))).toContain("kind: 'APP'")
  expect(await shell.type(itemAt(talk, 3))).toContain('It left this morning.')

  const [findInvoice, makeLink] = exactly(2, bill)
  expect(await shell.type(findInvoice)).toBe('')
  const page = await fetch(await shell.type(makeLink))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Harbour Books')])

  for (const line of verify.slice(0, 2)) expect(await shell.type(line), line).toBe('')
  expect(await shell.type(itemAt(verify, 2))).toContain("'VALID'")
})

test('the demo receiver replaces the webhook of a killed run, and no other', async () => {
  const { people, applications } = firstOf(readDemo(join(folder, 'data')).organizations)
  const owner = await clientOf(patio.url, firstOf(people))
  const params = { id: firstOf(applications).id }
  const program = `node_modules/.bin/node tools/demo-receiver.ts ${patio.url} data/demo.json`
  const arrived = () => [...shell.output().matchAll(/^WEBHOOK_TEST c\w{24} has a valid signature/gm)].length
  const before = arrived()
  await shell.type(`${program} &`)
  await until('the test arrives', () => arrived() === before + 1)
  await shell.type('kill -9 $!')
  await shell.type(`${program} &`)
  await until('the test arrives again', () => arrived() === before + 2)
  await shell.type('kill $!; wait $!')

  await owner.call(setWebhook, { params, body: { url: 'http://127.0.0.1:9/mine', events: [] } })
  expect(await shell.type(`! ${program}`)).toContain('already has a webhook, at http://127.0.0.1:9/mine')
  expect((await owner.call(readWebhook, { params })).url).toBe('http://127.0.0.1:9/mine')
  expect(await shell.type(`! ${program.replace('demo.json', 'none.json')}`)).toContain('npm start')
  await owner.call(removeWebhook, { params })
})

test('every link of the README works', async () => {
  expect((await fetch(`${patio.url}/docs`)).status).toBe(200)
  const links = allCaptured(/\]\((?!http)([^)]+)\)/g, readme)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(link => !existsSync(join(root, link.replace(/#.*/, ''))))).toEqual([])
  for (const [, name] of readme.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)) {
    expect(
      settings.map(setting => setting.name),
      'a setting that the README names',
    ).toContain(name)
  }
})
