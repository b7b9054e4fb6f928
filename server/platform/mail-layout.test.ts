import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { exactly, firstOf, lastOf } from '#tests/support/elements.ts'
import { makePng } from '#tests/support/pictures.ts'
import { decoded, openSmtpServer, partsOf, type SmtpServer } from '#tests/support/smtp.ts'
import { type Mail, openMail } from './adapters/mail.ts'
import { browsableHtml, layOutMail, type MailLetter, type MailSender } from './mail-layout.ts'

let folder: string
let smtp: SmtpServer
let mail: Mail
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-layout-'))
  smtp = await openSmtpServer()
  mail = openMail(smtp.url, folder, 'Patio <patio@example.com>')
})
beforeEach(() => {
  smtp.taken.length = 0
})
afterAll(async () => {
  await mail?.close()
  await smtp?.close()
  await rm(folder, { recursive: true })
})

const logo = { bytes: makePng(4, 4), contentType: 'image/png' } as const
const sender: MailSender = {
  name: 'Taller Ñandú & Söhne',
  replyTo: 'hola@taller.example',
  accentColor: '#b3005e',
  footer: 'Registro Mercantil de Cádiz',
  logo,
}
const letter: MailLetter = {
  language: 'es',
  subject: 'Factura F2026-000001 de Ñandú',
  paragraphs: ['Hola, <b>Ana</b>:', 'primera línea\nsegunda línea'],
  facts: [['Total', '121,00 €']],
  action: { label: 'Pagar 121,00 €', url: 'https://patio.example.com/p/secret' },
  remarks: ['Es personal.'],
  translation: { language: 'en', paragraphs: ['You can pay it.'], label: 'Pay' },
}
const pdf = { filename: 'F2026-000001.pdf', content: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' }

async function sent(given: Partial<MailLetter> = {}, from: Partial<MailSender> = {}) {
  const { attachments, ...laidOut } = layOutMail({ ...sender, ...from }, { ...letter, ...given })
  await mail.send({ ...laidOut, to: 'ana@example.com', attachments: [...attachments, pdf] })
  return lastOf(smtp.taken).raw
}

test('a mail has the name, the reply address and the logo of the organization, and its document', async () => {
  const raw = await sent()
  const headers = decoded(raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll('\r\n ', ' '))
  expect(headers).toContain('From: Taller Ñandú & Söhne <patio@example.com>')
  expect(headers).toContain('Reply-To: hola@taller.example')
  expect(headers).toContain('Subject: Factura F2026-000001 de Ñandú')
  const [text, html, picture, document] = exactly(4, partsOf(raw))
  expect([text.type, html.type, picture.type, document.type]).toEqual([
    'text/plain',
    'text/html',
    'image/png',
    'application/pdf',
  ])
  expect(picture.head).toContain('Content-ID: <logo@mail>')
  expect(picture.head).toContain('Content-Disposition: inline; filename=logo.png')
  expect(picture.bytes.equals(logo.bytes)).toBe(true)
  expect(document.head).toContain('Content-Disposition: attachment; filename=F2026-000001.pdf')
})

test('both parts say the same, and the HTML part loads nothing from the network', async () => {
  const [text, html] = partsOf(await sent()).map(({ bytes }) => bytes.toString()) as [string, string]
  for (const shown of [
    'segunda línea',
    '121,00 €',
    'Pagar 121,00 €',
    'https://patio.example.com/p/secret',
    'Es personal.',
    'You can pay it.',
    'Registro Mercantil de Cádiz',
  ]) {
    expect(text).toContain(shown)
    expect(html).toContain(shown)
  }
  expect(text).toContain('Hola, <b>Ana</b>:')
  expect(html).toContain('Hola, &#60;b&#62;Ana&#60;/b&#62;:')
  expect(html.match(/\b(?:src|background|poster)="[^"]*"|url\([^)]*\)|@import/g)).toEqual([
    'src="cid:logo@mail"',
  ])
  expect(html).not.toContain('<script')
  const addresses = new Set(html.match(/https?:[^"<\s]*/g))
  expect([...addresses]).toEqual(['https://patio.example.com/p/secret'])
})

test('every line ends with CRLF and is short enough for SMTP', async () => {
  const raw = await sent({ paragraphs: ['a\nb\r\nc\rd', 'ñ'.repeat(5_000)] })
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...raw.split('\r\n').map(line => line.length))).toBeLessThanOrEqual(998)
})

test.each([
  ['Eve\r\nBcc: eve@example.com', 'Eve Bcc: eve example.com'],
  ['<eve@example.com>', 'eve example.com'],
  ['Eve", <eve@example.com>,', 'Eve",'],
])('a name cannot add a header or a recipient: %j', async (name, shown) => {
  const raw = await sent({ subject: `Factura de ${name}` }, { name })
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n'))
  expect(headers).not.toMatch(/^Bcc:/im)
  expect(headers).toMatch(/^From: .*<patio@example\.com>$/m)
  expect(decoded(headers)).toContain(firstOf(shown.split('"')))
  expect(lastOf(smtp.taken).to).toEqual(['ana@example.com'])
})

test('a reply address or a content id that is none is refused', async () => {
  await expect(sent({}, { replyTo: 'a@example.com\r\nBcc: eve@example.com' })).rejects.toThrow(/replyTo/)
  const attachments = [{ ...pdf, contentId: 'logo>\r\nX: y' }]
  await expect(mail.send({ to: 'ana@example.com', subject: 'x', text: 'x', attachments })).rejects.toThrow(
    /contentId/,
  )
  expect(smtp.taken).toEqual([])
})

test('attachments have a bound together', async () => {
  const half = { ...pdf, content: Buffer.alloc(limits.mailAttachmentBytes / 2) }
  const message = { to: 'ana@example.com', subject: 'x', text: 'x' }
  await expect(mail.send({ ...message, attachments: [half, half, pdf] })).rejects.toThrow(/too large/)
  expect(smtp.taken).toEqual([])
})

test('without a logo the name of the organization is above the mail; in a browser the logo is in the page', () => {
  const bare = layOutMail({ ...sender, logo: null }, letter)
  expect(bare.attachments).toEqual([])
  expect(bare.html).not.toContain('<img')
  expect(bare.html).toContain('Taller Ñandú &#38; Söhne')
  expect(browsableHtml(layOutMail(sender, letter))).toContain(
    `src="data:image/png;base64,${logo.bytes.toString('base64')}"`,
  )
})
