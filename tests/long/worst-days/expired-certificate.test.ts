import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { reportError } from '#contract/error-reports/errors.ts'
import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { connect } from '#sdk/client.ts'
import { firstOf } from '#tests/support/elements.ts'
import { dataFolder, endAll, removeFolders, until } from '#tests/support/processes.ts'
import { openWorstDay } from '#tests/support/worst-day.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

/** A certificate authority in a folder, which signs certificates for localhost. */
function openAuthority(folder: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=ca')
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', ...name)
  return {
    file: join(folder, 'ca.pem'),
    sign(days: number) {
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy']
      openssl('x509', '-req', '-in', 'request.pem', ...by, '-days', String(days), '-out', 'cert.pem')
      const read = (file: string) => readFileSync(join(folder, file))
      return { cert: read('cert.pem'), key: read('key.pem') }
    },
  }
}

test('the certificate of a receiver has expired: nothing is sent to it, and all arrives once it is renewed', async () => {
  const authority = openAuthority(dataFolder())
  const received: string[] = []
  const receiver = createServer(authority.sign(-1), (request, response) => {
    received.push(String(request.headers['x-service-delivery-id']))
    request.resume()
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo

  const day = await openWorstDay({ env: { NODE_EXTRA_CA_CERTS: authority.file } })
  const application = firstOf(firstOf(day.demo.organizations).applications)
  const params = { id: application.id }
  const body = { url: `https://localhost:${port}/`, events: ['ERROR_REPORTED'] }
  await day.client.call(setWebhook, { params, body })
  const list = async () => (await day.client.call(listDeliveries, { params, query: { limit: 100 } })).items
  const reporter = connect(day.patio.url, { apiKey: application.key }, { retries: 0 })

  day.watch.begin('expired')
  for (let n = 0; n < 10; n++)
    await reporter.call(reportError, {
      body: { message: `Unknown failure ${'abcdefghij'[n]}`, module: `m${n}` },
    })
  await until('each was tried twice', async () => {
    const deliveries = await list()
    return deliveries.length >= 10 && deliveries.every(({ attempts }) => attempts >= 2)
  })
  expect(received).toEqual([])
  const outcomes = new Set((await list()).map(({ status, outcome }) => `${status} ${outcome}`))
  process.stdout.write(`with the expired certificate: ${[...outcomes].join(', ')}\n`)

  receiver.setSecureContext(authority.sign(1))
  day.watch.begin('renewed')
  const renewedAt = performance.now()
  await until('all are delivered', async () => (await list()).every(({ status }) => status === 'DELIVERED'))
  process.stdout.write(
    `all were delivered ${Math.round(performance.now() - renewedAt)} ms after the renewal\n`,
  )
  expect(received.toSorted()).toEqual((await list()).map(({ id }) => id).toSorted())
  for (const kind of ['healthz', 'readyz', 'read', 'write'] as const)
    expect(day.watch.failures('expired', kind)).toEqual([])
  await day.verify('expired certificate')
  expect((await day.patio.stop()).code).toBe(0)
  receiver.closeAllConnections()
  receiver.close()
})
