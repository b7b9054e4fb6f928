import { afterAll, expect, test } from 'vitest'
import { addressOfFile, listFiles, uploadFiles } from '#contract/studio/files.ts'
import { openFaultProxy } from '#tests/support/fault-proxy.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { s3Keys, startS3 } from '#tests/support/s3.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { formOf } from '#tests/support/studio/files.ts'
import { startTestServer } from '#tests/support/test-server.ts'
import { openWatch } from '#tests/support/watch.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

test('an object store that accepts and never answers: only files are unavailable, and they return', async () => {
  const server = await startTestServer()
  const person = await (await server.organization()).person()
  const s3 = await startS3(dataFolder())
  const proxy = await openFaultProxy(s3.url)
  const api = await start('api', {
    ...server.env,
    DATA_DIR: dataFolder(),
    FILES_URL: 's3://patio/files',
    S3_ENDPOINT: `http://${new URL(proxy.url).host}`,
    AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  })
  const client = person.at(api.url)
  const { id } = await makeAsset(person)
  const params = { id, version: 'current' }
  const upload = (name: string) => client.send(uploadFiles, { params, form: formOf([name, name]) })
  const download = async (fileId: string) => {
    const { url } = await client.call(addressOfFile, { params: { ...params, fileId } })
    return fetch(url.replace(/^http:\/\/[^/]+/, api.url))
  }
  const first = await client.call(uploadFiles, { params, form: formOf(['first', 'first']) })
  const watch = openWatch(api.url, client)

  watch.begin('black hole')
  proxy.swallow()
  const startedAt = performance.now()
  // more than there are database connections
  const answers = await Promise.all([
    ...Array.from({ length: 30 }, () => download(first.id)),
    ...Array.from({ length: 10 }, (_, n) => upload(`lost-${n}`)),
  ])
  const refusedAfterMs = performance.now() - startedAt
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  for (const kind of ['healthz', 'readyz', 'read', 'write'] as const)
    expect(watch.failures('black hole', kind)).toEqual([])

  await proxy.heal()
  watch.begin('back')
  const healedAt = performance.now()
  await until('files are served', async () => (await (await download(first.id)).text()) === 'first')
  await until('files are stored', async () => (await upload('again')).status === 201)
  const backAfterMs = performance.now() - healedAt
  const { items } = await client.call(listFiles, { params })
  expect(items.map(({ path }) => path)).toEqual(['again', 'first'])
  await watch.stop()
  process.stdout.write(
    `S3 black hole: refused after ${refusedAfterMs.toFixed()} ms, back after ${backAfterMs.toFixed()} ms\n${watch.report()}\n`,
  )
  expect((await api.stop()).code).toBe(0)
  await proxy.close()
  await s3.stop()
  await server.close()
})
