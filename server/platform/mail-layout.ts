import { accentColors } from './accent-colors.ts'
import type { MailMessage } from './adapters/mail.ts'
import { Html, html } from './http/html-page.ts'
import type { Language } from './language.ts'

/** How an organization presents itself in mails to its customers. */
export type MailSender = {
  /** The display name of the sender. */
  name: string
  /** The address for replies. */
  replyTo: string | null
  /** `#rrggbb` */
  accentColor: string | null
  /** Lines below each mail, such as an entry in a register. */
  footer: string | null
  logo: { bytes: Buffer; contentType: 'image/png' | 'image/jpeg' } | null
}

/** The content of a mail to a customer. Line breaks in a paragraph stay. */
export type MailLetter = {
  language: Language
  subject: string
  paragraphs: readonly string[]
  facts?: readonly (readonly [name: string, value: string])[]
  /** The one button; its address is shown as text too. */
  action?: { label: string; url: string } | undefined
  /** Less important paragraphs below the button. */
  remarks?: readonly string[]
  /** A short version for a customer who may prefer another language. */
  translation?: { language: Language; paragraphs: readonly string[]; label: string }
}

type LaidOutMail = Pick<MailMessage, 'fromName' | 'subject' | 'text'> & {
  replyTo?: string
  html: string
  /** The logo, which the HTML part shows. */
  attachments: NonNullable<MailMessage['attachments']>
}

/** Mails name the logo by this id (RFC 2392). */
const logoId = 'logo@mail'

/**
 * Writes a mail to a customer: a text part and an HTML part that say the same. The HTML part loads nothing from the network.
 */
export function layOutMail(sender: MailSender, letter: MailLetter): LaidOutMail {
  const { name, replyTo, logo } = sender
  return {
    fromName: name,
    ...(replyTo !== null && { replyTo }),
    subject: oneLine(letter.subject),
    text: textPart(sender, letter),
    html: htmlPart(sender, letter).text,
    attachments: logo
      ? [
          {
            filename: fileNames[logo.contentType],
            content: logo.bytes,
            contentType: logo.contentType,
            contentId: logoId,
          },
        ]
      : [],
  }
}

const fileNames = { 'image/png': 'logo.png', 'image/jpeg': 'logo.jpg' }

/** The HTML part of a mail for a browser, which cannot show attachments: with the logo in it. */
export function browsableHtml({ html, attachments }: Pick<LaidOutMail, 'html' | 'attachments'>): string {
  return attachments.reduce(
    (page, { contentType, content }) =>
      page.replace(`cid:${logoId}`, `data:${contentType};base64,${Buffer.from(content).toString('base64')}`),
    html,
  )
}

/** A subject has one line, whatever the inserted names contain. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function textPart(sender: MailSender, letter: MailLetter): string {
  const { paragraphs, facts = [], action, remarks = [], translation } = letter
  const blocks = [
    ...paragraphs,
    facts.map(fact => fact.join(': ')).join('\n'),
    action && `${action.label}:\n${action.url}`,
    ...remarks,
    translation && ['--', ...translation.paragraphs].join('\n'),
    ['—', sender.name, sender.footer].filter(Boolean).join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const addressTexts: Record<Language, string> = {
  es: 'Si el botón no se abre, copia esta dirección en tu navegador:',
  en: 'If the button does not open, copy this address into your browser:',
}

// the colours are those of the pages, see html-page.ts; mail programs need them inline
const ground = '#ffffff'
const inkStyle = 'color:#201e18'
const quietStyle = 'color:#636058;font-size:14px;line-height:20px'
const paragraphStyle = 'margin:0 0 16px'

function styleOf(accentDark: string): Html {
  return new Html(`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media(prefers-color-scheme:dark){
.ground{background:#131310!important}
.sheet{background:#1d1c18!important;border-color:#302f2b!important}
.ink{color:#e9e8e3!important}
.quiet{color:#a5a39b!important}
.line{border-color:#302f2b!important}
.button{background:${accentDark}!important;color:#131310!important}
.accent{color:${accentDark}!important}
.bar{background:${accentDark}!important}
}
@media(max-width:480px){.sheet{padding:24px 20px!important}.button{display:block!important;text-align:center!important}}`)
}

function htmlPart(sender: MailSender, letter: MailLetter): Html {
  const { language, subject, paragraphs, facts = [], action, remarks = [], translation } = letter
  const { light, dark } = accentColors(sender.accentColor)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${styleOf(dark.accent)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${ground}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${ground}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;text-align:left">
<tr><td class="ink" style="padding:0 4px 16px;font-weight:bold;${inkStyle}">${head(sender)}</td></tr>
<tr><td class="bar" height="4" style="height:4px;font-size:0;line-height:0;background:${light.accent}">&nbsp;</td></tr>
<tr><td class="sheet ink" style="padding:32px;background:#ffffff;border:1px solid #dfdeda;border-top:0;overflow-wrap:anywhere;word-break:break-word;${inkStyle}">
${paragraphs.map(paragraph)}
${facts.length > 0 && factTable(facts)}
${action && button(action, light.accent)}
${remarks.map(remark)}
${action && addressOf(action.url, addressTexts[language], light.accent)}
${translation && inOtherLanguage(translation, action?.url, light.accent)}
</td></tr>
<tr><td class="quiet" style="padding:16px 4px 0;${quietStyle}">${lines([sender.name, sender.footer].filter(Boolean).join('\n'))}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** A logo is made for white paper. */
function head({ name, logo }: MailSender): Html {
  if (!logo) return html`${name}`
  return html`<img src="cid:${logoId}" alt="${name}" style="display:block;max-width:240px;max-height:56px;padding:6px;background:#ffffff;border-radius:4px;border:0">`
}

function paragraph(text: string): Html {
  return html`<p style="${paragraphStyle}">${lines(text)}</p>
`
}

function remark(text: string): Html {
  return html`<p class="quiet" style="${paragraphStyle};${quietStyle}">${lines(text)}</p>
`
}

function lines(text: string) {
  return text.split('\n').map((line, at) => [at > 0 && html`<br>`, line])
}

function factTable(facts: NonNullable<MailLetter['facts']>): Html {
  const line = 'padding:8px 0;border-bottom:1px solid #dfdeda;vertical-align:top'
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-size:16px;line-height:24px">
${facts.map(
  ([
    name,
    value,
  ]) => html`<tr><th scope="row" class="quiet line" align="left" style="${line};font-weight:normal;color:#636058">${name}</th><td class="ink line" align="right" style="${line};padding-left:16px;${inkStyle}">${value}</td></tr>
`,
)}</table>`
}

function button({ label, url }: NonNullable<MailLetter['action']>, accent: string): Html {
  return html`<p style="margin:8px 0 24px"><a class="button" href="${url}" style="display:inline-block;padding:12px 24px;border-radius:4px;background:${accent};color:#ffffff;font-weight:bold;text-decoration:none">${label}</a></p>
`
}

function addressOf(url: string, text: string, accent: string): Html {
  return html`<p class="quiet" style="margin:0;${quietStyle}">${text}<br><a class="accent" href="${url}" style="color:${accent};word-break:break-all">${url}</a></p>
`
}

function inOtherLanguage(
  { language, paragraphs, label }: NonNullable<MailLetter['translation']>,
  url: string | undefined,
  accent: string,
): Html {
  return html`<div lang="${language}" class="line" style="margin-top:24px;padding-top:16px;border-top:1px solid #dfdeda">
${paragraphs.map(remark)}${url && html`<p class="quiet" style="margin:0;${quietStyle}"><a class="accent" href="${url}" style="color:${accent}">${label}</a></p>`}
</div>`
}
