import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cancelBudget, readBudget, updateBudget } from '#contract/crm/budgets.ts'
import { listSignatures, readSignature, verifySignature } from '#contract/crm/signatures.ts'
import { revokeSigningLink } from '#contract/crm/signing-links.ts'
import * as contract from '#contract/crm/signing-page.ts'
import { limits } from '#contract/limits.ts'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { newId } from '#platform/ids.ts'
import { writing } from '#platform/language.ts'
import { openLog } from '#platform/log.ts'
import { openApiProcess } from '#server/api.ts'
import { type MadeBudget, makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { issueBareLink, issueLink, type MadeLink, shownHash, signLink } from '#tests/support/crm/signing.ts'
import { defined, only } from '#tests/support/elements.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import { setUsed } from '#tests/support/rates.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { consentTexts } from '../consent.ts'
import { newToken } from '../signing-link.token.ts'

let server: TestServer
let organization: Organization
let owner: Person
let budget: MadeBudget
let link: MadeLink
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  await server.sql('delete from rate_window')
  organization = await server.organization({ name: 'Faro & Co' })
  owner = await organization.person({ role: 'OWNER' })
  budget = await makeBudget(owner, { title: 'Web <b>nueva</b>' })
  link = await issueLink(owner, budget.id)
})
afterAll(() => server?.close())

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const at = (path: string) => `${server.url}/s/${path}`
const get = (path: string, headers: Record<string, string> = html) => fetch(at(path), { headers })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = html) =>
  fetch(at(path), { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
const status = async () => (await owner.call(readBudget, { params: { id: budget.id } })).status
const signatures = async () => (await owner.call(listSignatures, { params: { budgetId: budget.id } })).items
const pageRequest = (token = link.token) => ({ params: { token } })

describe('the page', () => {
  test('shows the budget in Spanish or English and loads nothing external', async () => {
    const answer = await get(link.token)
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain('<html lang="es">')
    expect(text).toContain(`Presupuesto ${budget.code}`)
    expect(text).toContain('<header class="sender">Faro &#38; Co</header>')
    expect(text).toContain('Web &#60;b&#62;nueva&#60;/b&#62;')
    expect(text).toContain(link.documentHash)
    expect(text).not.toMatch(/<script|https?:\/\//)
    const { headers } = answer
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
    const policy = defined(headers.get('content-security-policy'))
    for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
    const [, style = ''] = defined(/<style>(.*?)<\/style>/s.exec(text))
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'))
    const english = await get(link.token, { ...html, 'accept-language': 'en-GB,en;q=0.9,es;q=0.5' })
    expect(await english.text()).toContain('Sign the budget')
    const other = await get(link.token, { ...html, 'accept-language': 'de-DE,de' })
    expect(await other.text()).toContain('Firmar el presupuesto')
  })

  test('shows the whole budget without a PDF', async () => {
    const rich = await makeBudget(owner, {
      title: 'Obra',
      validUntil: '2999-01-31',
      sections: [
        {
          title: 'Fase <1>',
          items: [
            {
              name: 'Diseño',
              description: 'A mano',
              quantity: '2.5',
              unit: 'h',
              unitPriceCents: 123_456,
              discount: { kind: 'PERCENT', value: '10' },
              taxes: [{ name: 'IVA', rate: '21' }],
            },
            { name: 'Extra', unitPriceCents: 1_000, optional: true, selected: false },
          ],
        },
      ],
      discounts: [{ name: 'Alta', kind: 'AMOUNT', value: 100 }],
      conditions: 'Pago\na 30 días',
      notes: 'Sin prisa',
    })
    const bare = await issueBareLink(server, owner, rich.id)
    const text = await (await get(bare.token)).text()
    for (const shown of [
      'Fase &#60;1&#62;',
      'Diseño',
      'A mano',
      '2,5 h',
      '10 %',
      'IVA 21 %',
      'opcional, no incluido',
      'Alta',
      '<p>Pago</p><p>a 30 días</p>',
      'Sin prisa',
      'Válido hasta: 31 de enero de 2999',
      writing.es.moneyIn('eur')(rich.totalCents),
    ])
      expect(text.replaceAll('\u00a0', ' ')).toContain(shown.replaceAll('\u00a0', ' '))
    expect(text).not.toContain('/pdf')
  })

  test('shows the lines of the document, but not those of a budget that was changed after it (LNKS-20)', async () => {
    const total = writing.es.moneyIn('eur')(budget.totalCents)
    const same = await (await get(link.token)).text()
    expect(same).toContain(total)
    expect(same).toContain(`href="/s/${link.token}/pdf"`)
    // internal notes are not in the document
    await owner.call(updateBudget, { params: { id: budget.id }, body: { internalNotes: 'They want it' } })
    expect(await (await get(link.token)).text()).toContain(total)
    await owner.call(updateBudget, { params: { id: budget.id }, body: { conditions: 'Another price' } })
    const changed = await (await get(link.token)).text()
    expect(changed).not.toContain(total)
    expect(changed).not.toContain('Another price')
    expect(changed).toContain(`href="/s/${link.token}/pdf"`)
  })

  test('does not use the link when it is opened, and records the first view', async () => {
    expect((await fetch(at(link.token), { method: 'HEAD', headers: html })).status).toBe(200)
    const [before] = await server.sql('select viewed_at from signing_link where id = $1', [link.id])
    expect(before).toEqual({ viewed_at: null })
    for (let time = 0; time < 3; time++) expect((await get(link.token)).status).toBe(200)
    const head = await fetch(at(`${link.token}/pdf`), { method: 'HEAD' })
    const pdf = await fetch(at(`${link.token}/pdf`))
    expect(head.headers.get('content-length')).toBe(pdf.headers.get('content-length'))
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(
      createHash('sha256')
        .update(await pdf.bytes())
        .digest('hex'),
    ).toBe(link.documentHash)
    const views = await server.sql(
      `select host(ip) as ip, user_agent from budget_event where budget_id = $1 and kind = 'VIEWED'`,
      [budget.id],
    )
    expect(views).toEqual([{ ip: '127.0.0.1', user_agent: expect.any(String) }])
    expect((await signLink(server, link.token)).status).toBe(200)
  })

  test('is the same for all invalid links', async () => {
    const bad: Record<string, () => Promise<string>> = {
      unknown: async () => newToken(organization.id),
      ofNobody: async () => newToken(newId()),
      mistyped: async () => `${link.token.slice(0, -1)}~`,
      short: async () => 'x',
      revoked: async () => {
        const created = await issueLink(owner, budget.id, { signerEmail: 'r@example.test' })
        await owner.call(revokeSigningLink, { params: { id: budget.id, linkId: created.id } })
        return created.token
      },
      expired: async () => {
        const created = await issueLink(owner, budget.id, { signerEmail: 'e@example.test' })
        await server.sql(
          'update signing_link set expires_at = now() - make_interval(secs => 0.001) where id = $1',
          [created.id],
        )
        return created.token
      },
      cancelled: async () => {
        const other = await makeBudget(owner)
        const created = await issueLink(owner, other.id)
        await owner.call(cancelBudget, { params: { id: other.id } })
        return created.token
      },
      usedLongAgo: async () => {
        const created = await issueLink(owner, (await makeBudget(owner)).id)
        await signLink(server, created.token)
        await server.sql(`update signing_link set used_at = now() - $2 * interval '1 day' where id = $1`, [
          created.id,
          limits.signedLinkDays,
        ])
        return created.token
      },
      declined: async () => {
        const created = await issueLink(owner, (await makeBudget(owner)).id)
        await server
          .client()
          .call(contract.declineByLink, { ...pageRequest(created.token), body: { reason: '' } })
        return created.token
      },
      suspended: async () => {
        const other = await server.organization()
        const by = await other.person({ role: 'OWNER' })
        const created = await issueLink(by, (await makeBudget(by)).id)
        await server.sql('update organization set suspended_at = now() where id = $1', [other.id])
        return created.token
      },
    }
    const seen = new Set<string>()
    for (const make of Object.values(bad)) {
      const token = await make()
      const page = await get(token)
      const refused = [
        await get(`${token}/pdf`),
        await post(`${token}/sign`, { name: 'A', consent: 'es', documentHash: defined(link.documentHash) }),
        await post(`${token}/decline`, { reason: '' }),
      ]
      for (const answer of [page, ...refused]) {
        expect(answer.status).toBe(404)
        seen.add(await answer.text())
      }
      expect(refusalOf(await server.client().send(contract.openSigningPage, pageRequest(token)))).toEqual([
        404,
        'SIGNING_LINK_NOT_VALID',
      ])
    }
    expect(seen.size).toBe(1)
    expect([...seen][0]).toContain('Este enlace ya no es válido')
  })

  test('names the issuer after the last day, until the budget is extended', async () => {
    const params = { id: budget.id }
    const until = (validUntil: string) =>
      owner.call(updateBudget, { params, body: { issueDate: '2020-01-01', validUntil } })
    await setIssuer(owner, { email: 'office@faro.test' })
    await until('2020-01-31')
    expect(await owner.call(readBudget, { params })).toMatchObject({ status: 'SENT', isExpired: true })
    const page = await get(link.token)
    const text = await page.text()
    expect(page.status).toBe(200)
    for (const shown of [
      `El plazo del presupuesto ${budget.code} ha terminado`,
      'hasta el 31 de enero de 2020',
      'pide a Faro &#38; Co',
      'mailto:office@faro.test',
      `/s/${link.token}/pdf`,
    ])
      expect(text).toContain(shown)
    expect(text).not.toContain('<form')
    const input = { documentHash: defined(link.documentHash) }
    expect(refusalOf(await signLink(server, link.token, input))).toEqual([409, 'BUDGET_EXPIRED'])
    // the day has not ended in every time zone, so the budget can still be signed
    await until(new Date(Date.now() - 12 * 3_600_000).toISOString().slice(0, 10))
    expect((await signLink(server, link.token, input)).status).toBe(200)
    const events = () => mailsTo(server, owner.email).map(mail => mail.includes('Ada Lovelace ha firmado'))
    await expect.poll(events).toEqual([true])
  })

  test('limits calls per address', async () => {
    await get(link.token)
    await setUsed(server, limits.signingPagesPerHour)
    const page = await get(link.token)
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await page.text()).toContain('Demasiadas visitas')
    const sign = { name: 'Ada', consent: 'es', documentHash: defined(link.documentHash) }
    await post(`${link.token}/sign`, { ...sign, documentHash: '0'.repeat(64) })
    await setUsed(server, limits.signingsPerHour)
    expect((await post(`${link.token}/sign`, sign)).status).toBe(429)
    expect(await signatures()).toEqual([])
  })
})

describe('signing', () => {
  test('accepts a form once and answers with a page', async () => {
    const documentHash = await shownHash(server, link.token)
    expect(documentHash).toBe(link.documentHash)
    const fields = { name: ' Ada Lovelace ', consent: 'es', documentHash }
    const answer = await post(`${link.token}/sign`, fields, { ...html, 'user-agent': 'Browser 1.0' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`El presupuesto ${budget.code} está firmado`)
    expect(await status()).toBe('SIGNED')
    const signature = only(await signatures())
    expect(signature).toEqual({
      id: expect.any(String),
      signedAt: expect.any(String),
      signerName: 'Ada Lovelace',
      signerEmail: link.signerEmail,
      ipAddressMasked: '127.0.0.x',
      signingTokenId: link.id,
      documentHash,
      hashVersion: 3,
    })
    const params = { budgetId: budget.id, sigId: signature.id }
    expect(await owner.call(readSignature, { params })).toMatchObject({ userAgent: 'Browser 1.0' })
    const again = await post(`${link.token}/sign`, fields)
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('está firmado')])
    expect(await signatures()).toHaveLength(1)
    await server.relayed()
    const events = await server.sql(
      `select data from event where name = 'BUDGET_SIGNED' and data ->> 'budgetId' = $1`,
      [budget.id],
    )
    expect(events).toHaveLength(1)
    expect(events[0]).toEqual({
      data: {
        budgetId: budget.id,
        code: budget.code,
        signatureId: signature.id,
        signedAt: signature.signedAt,
        hashVersion: 3,
        via: 'LINK',
        signingTokenId: link.id,
      },
    })
    expect((await auditedChanges(server, budget.id)).at(-1)).toEqual(['signatures'])
    const audit = JSON.stringify(await server.sql('select t::text from audit t'))
    for (const events of [link.token, 'Lovelace', link.signerEmail]) expect(audit).not.toContain(events)
    expect(server.logged()).not.toContain(link.token)
  })

  test('shows the signed page for repeated clicks', async () => {
    const fields = { name: 'Ada', consent: 'es', documentHash: defined(link.documentHash) }
    const answers = await Promise.all([1, 2, 3].map(() => post(`${link.token}/sign`, fields)))
    for (const answer of answers)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('está firmado')])
    expect(await signatures()).toHaveLength(1)
  })

  test('of data has hashVersion 2 and covers the shown budget', async () => {
    const bare = await issueBareLink(server, owner, budget.id)
    const shown = await shownHash(server, bare.token)
    await owner.call(updateBudget, { params: { id: budget.id }, body: { notes: 'Otra' } })
    const stale = await signLink(server, bare.token, { documentHash: shown })
    expect(refusalOf(stale)).toEqual([409, 'SIGNED_DOCUMENT_DIFFERS'])
    expect(await status()).toBe('SENT')
    const { body } = await signLink(server, bare.token)
    expect(body).toMatchObject({ hashVersion: 2, documentHash: expect.not.stringMatching(shown) })
    expect((await signatures())[0]).toMatchObject({ hashVersion: 2, signingTokenId: bare.id })
  })

  test('of data during a change covers the current data or is refused', async () => {
    const bare = await issueBareLink(server, owner, budget.id)
    const documentHash = await shownHash(server, bare.token)
    const [signed, changed] = await Promise.all([
      signLink(server, bare.token, { documentHash }),
      owner.send(updateBudget, { params: { id: budget.id }, body: { notes: 'Otra' } }),
    ])
    const isSigned = signed.status === 200
    expect([signed.status, changed.status]).toEqual(isSigned ? [200, 409] : [409, 200])
    if (!isSigned) return
    const params = { budgetId: budget.id, sigId: signed.body.signatureId }
    expect(await owner.call(verifySignature, { params })).toMatchObject({ status: 'VALID' })
  })

  test('is refused for another document, and the page says so', async () => {
    const fields = { name: 'Ada', consent: 'es', documentHash: '0'.repeat(64) }
    const page = await post(`${link.token}/sign`, fields)
    expect([page.status, await page.text()]).toEqual([409, expect.stringContaining('Algo ha cambiado')])
    expect(refusalOf(await signLink(server, link.token, { documentHash: '0'.repeat(64) }))).toEqual([
      409,
      'SIGNED_DOCUMENT_DIFFERS',
    ])
    expect(await signatures()).toEqual([])
    expect((await signLink(server, link.token)).status).toBe(200)
  })

  test('behind a proxy records the forwarded address, or that of the proxy if it is invalid', async () => {
    const other = await issueLink(owner, budget.id, { signerEmail: 'grace@hopper.test' })
    const proxied = await openApiProcess(
      { ...server.config, trustProxy: 'loopback' },
      openLog('error', 'test'),
      failOnContractBreach(),
    )
    const look = (token: string, forwarded: string) =>
      fetch(`${proxied.url}/s/${token}`, { headers: { ...html, 'x-forwarded-for': forwarded } })
    try {
      expect((await look(link.token, '203.0.113.7')).status).toBe(200)
      expect((await look(other.token, 'unknown')).status).toBe(200)
    } finally {
      await proxied.close()
    }
    const views = await server.sql(
      `select host(ip) as ip from budget_event where budget_id = $1 and kind = 'VIEWED' order by at`,
      [budget.id],
    )
    expect(views).toEqual([{ ip: '203.0.113.7' }, { ip: '127.0.0.1' }])
  })

  test('counts an IPv6 /64 network as one visitor, and an invalid address as the proxy', async () => {
    const proxied = await openApiProcess(
      { ...server.config, trustProxy: 'loopback' },
      openLog('error', 'test'),
      failOnContractBreach(),
    )
    await server.sql('delete from rate_window')
    const forwarded = [
      '2001:db8:1:2::1',
      '2001:0DB8:1:2:ffff::9',
      '2001:db8:1:3::1',
      '198.51.100.7',
      '::ffff:198.51.100.7',
      '::ffff:c633:6407',
      'unknown',
      '<script>',
      '2001:db8:1:2::zz',
    ]
    try {
      for (const address of forwarded)
        await fetch(`${proxied.url}/s/${link.token}`, { headers: { ...html, 'x-forwarded-for': address } })
    } finally {
      await proxied.close()
    }
    const counted = await server.sql(
      'select caller, sum(used)::int as used from rate_window group by caller order by caller',
    )
    expect(counted).toEqual([
      { caller: '127.0.0.1', used: 3 },
      { caller: '198.51.100.7', used: 3 },
      { caller: '2001:db8:1:2::/64', used: 2 },
      { caller: '2001:db8:1:3::/64', used: 1 },
    ])
  })

  test('requires a name, a consent and a digest', async () => {
    const good = { name: 'Ada', consent: 'es', documentHash: defined(link.documentHash) }
    for (const [field, wrong] of [
      ['name', ''],
      ['name', ' '],
      ['name', 'x'.repeat(limits.signerName + 1)],
      ['name', 'a\0b'],
      ['consent', ''],
      ['consent', 'on'],
      ['documentHash', 'X'.repeat(64)],
      ['documentHash', ''],
      ['extra', '1'],
    ] as [string, string][]) {
      const answer = await post(`${link.token}/sign`, { ...good, [field]: wrong })
      expect([field, answer.status]).toEqual([field, 400])
      expect(await answer.text()).toContain('Falta algo')
    }
    const { name: _name, ...nameless } = good
    expect((await post(`${link.token}/sign`, nameless, { accept: '*/*' })).status).toBe(400)
    expect(await signatures()).toEqual([])
  })

  test('concurrently, with one link or two, leaves one signature', async () => {
    const other = await issueLink(owner, budget.id, { signerEmail: 'grace@hopper.test' })
    const documentHash = defined(link.documentHash)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        signLink(server, n % 2 === 0 ? link.token : other.token, { documentHash }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 200) expect(refusalOf(answer)).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    expect(await signatures()).toHaveLength(1)
  })

  test('concurrently with declining, revoking and cancelling: one succeeds', async () => {
    const outcomes = await Promise.all([
      signLink(server, link.token, { documentHash: defined(link.documentHash) }).then(({ status }) => status),
      server
        .client()
        .send(contract.declineByLink, { ...pageRequest(), body: { reason: 'No' } })
        .then(({ status }) => status),
      owner.send(cancelBudget, { params: { id: budget.id } }).then(({ status }) => status),
    ])
    expect(outcomes.filter(status => status === 200)).toHaveLength(1)
    const there = await signatures()
    expect((await status()) === 'SIGNED').toBe(there.length === 1)
  })

  test('stores the consent text hash and the truncated user agent', async () => {
    const english = { name: 'Ada', consent: 'en', documentHash: defined(link.documentHash) }
    await post(`${link.token}/sign`, english, { ...html, 'user-agent': 'x'.repeat(limits.userAgent + 9) })
    const stored = await server.sql(
      'select consent_hash, user_agent from budget_signature where budget_id = $1',
      [budget.id],
    )
    const consent_hash = createHash('sha256').update(consentTexts.en).digest('hex')
    expect(stored).toEqual([{ consent_hash, user_agent: 'x'.repeat(limits.userAgent) }])
  })

  test('lets the signer open the signed document and nothing else', async () => {
    const signed = await signLink(server, link.token)
    for (const time of ['first', 'again']) {
      const page = await get(link.token)
      const text = await page.text()
      expect([time, page.status]).toEqual([time, 200])
      for (const shown of [
        'está firmado',
        'Ada Lovelace',
        // Spanish writes 9:05:00, not 09:05:00
        signed.body.signedAt.slice(11, 19).replace(/^0/, ''),
        defined(link.documentHash),
      ])
        expect(text).toContain(shown)
      expect(text).toContain(`href="/s/${link.token}/pdf"`)
      expect(text).not.toContain('<form')
    }
    await owner.call(updateBudget, { params: { id: budget.id }, body: { internalNotes: 'Won' } })
    const pdf = await fetch(at(`${link.token}/pdf`))
    expect(
      createHash('sha256')
        .update(await pdf.bytes())
        .digest('hex'),
    ).toBe(link.documentHash)
    const again = await signLink(server, link.token, { documentHash: defined(link.documentHash) })
    expect(refusalOf(again)).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    const no = await server.client().send(contract.declineByLink, { ...pageRequest(), body: { reason: '' } })
    expect(refusalOf(no)).toEqual([404, 'SIGNING_LINK_NOT_VALID'])
    expect(await status()).toBe('SIGNED')
  })

  test('of data lets the signer open the signed page', async () => {
    const bare = await issueBareLink(server, owner, budget.id)
    await signLink(server, bare.token)
    expect(await (await get(bare.token)).text()).not.toContain('/pdf')
    expect((await get(`${bare.token}/pdf`)).status).toBe(404)
  })

  test.each(['gone', 'another offer'])('is refused for an unreadable PDF: %s', async content => {
    const hash = defined(link.documentHash)
    const path = join(server.config.dataDir, 'files', 'objects', hash.slice(0, 2), hash)
    rmSync(path)
    if (content !== 'gone') writeFileSync(path, content)
    const fields = { name: 'Ada', consent: 'es', documentHash: hash }
    for (const answer of [await get(`${link.token}/pdf`), await post(`${link.token}/sign`, fields)]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await answer.text()).toContain('Vuelve a intentarlo dentro de un rato')
    }
    expect(refusalOf(await signLink(server, link.token))).toEqual([503, 'UNAVAILABLE'])
    expect([await status(), await signatures()]).toEqual(['SENT', []])
  })
})

describe('declining', () => {
  test('settles the budget with a reason', async () => {
    const answer = await post(`${link.token}/decline`, { reason: ' Demasiado caro ' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`Has rechazado el presupuesto ${budget.code}`)
    expect(await owner.call(readBudget, { params: { id: budget.id } })).toMatchObject({
      status: 'DECLINED',
      declineReason: 'Demasiado caro',
      declinedAt: expect.any(String),
    })
    expect(await signatures()).toEqual([])
    const events = () => mailsTo(server, owner.email).map(mail => mail.includes('Motivo: Demasiado caro'))
    await expect.poll(events).toEqual([true])
    expect((await auditedChanges(server, budget.id)).at(-1)).toEqual(['status', 'declineReason'])
    const audit = JSON.stringify(await server.sql('select t::text from audit t'))
    expect(audit).not.toContain('Demasiado caro')
  })

  test('answers a program with data', async () => {
    const answer = await server
      .client()
      .send(contract.declineByLink, { ...pageRequest(), body: { reason: '' } })
    expect([answer.status, answer.body]).toEqual([200, { declinedAt: expect.any(String) }])
    const { declineReason } = await owner.call(readBudget, { params: { id: budget.id } })
    expect(declineReason).toBeNull()
  })
})
