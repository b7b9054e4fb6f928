import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { accentColors } from '../accent-colors.ts'
import type { Language } from '../language.ts'

/** Markup that needs no escaping. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

// characters that change the direction of text: pages show text in stored order, as PDFs do
const bidiControls = /\p{Bidi_Control}/gu

/** Markup with values, which are escaped unless they are markup. */
export function html(texts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(texts.map((text, at) => (at === 0 ? text : markupOf(values[at - 1]) + text)).join(''))
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object') return value.map(markupOf).join('')
  return String(value)
    .replace(bidiControls, '')
    .replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

type HtmlPageOptions = {
  language: Language
  title: string
  /** The organization whose page it is. */
  sender?: PageSender | undefined
  body: Html
  status?: number
  /** Directives that are appended to the content security policy, for example to allow a script. */
  policy?: string
  headers?: Readonly<Record<string, string>>
}

/** How the organization of a page presents itself above it. */
export type PageSender = {
  name: string
  /** `#rrggbb` */
  accentColor: string | null
  /** The path of its logo. */
  logo: string | null
}

/** A reply for browsers. An operation with `isHtmlPage` may return it instead of its reply. */
export class HtmlPage {
  readonly status: number
  readonly #given: HtmlPageOptions
  constructor(options: HtmlPageOptions) {
    this.status = options.status ?? 200
    this.#given = options
  }

  send(reply: FastifyReply): FastifyReply {
    const { language, sender, policy = '', headers } = this.#given
    const accent = sender ? accentStyle(sender.accentColor) : ''
    return reply
      .code(this.status)
      .headers({
        ...pageHeaders,
        'content-security-policy': contentSecurityPolicy(accent, policy),
        'content-language': language,
        ...headers,
      })
      .send(document(this.#given, accent))
  }
}

/** Sends a PDF for display in the browser; `name` is the file name for saving it. */
export function sendPdf(reply: FastifyReply, pdf: Buffer, name: string): FastifyReply {
  return reply
    .type('application/pdf')
    .headers({
      'content-disposition': `inline; filename="${name}"`,
      // some browsers do not display a PDF with the policy of pages
      'content-security-policy': "frame-ancestors 'none'",
      'x-robots-tag': 'noindex, nofollow',
    })
    .send(pdf)
}

// the colours are those of the dashboard, see dashboard/styles/tokens.css
const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums;
--ground:#fbfaf8;--raised:#fff;--ink:#201e18;--quiet:#636058;--line:#dfdeda;--edge:#88867e;--accent:#0b703f;--on-accent:#fff;--danger:#ba1e20;--focus:#0076d3}
@media(prefers-color-scheme:dark){:root{--ground:#131310;--raised:#1d1c18;--ink:#e9e8e3;--quiet:#a5a39b;--line:#302f2b;--edge:#76746d;--accent:#67d191;--on-accent:#131310;--danger:#fb817a;--focus:#52a9fe}}
*{box-sizing:border-box}
body{margin:0;padding:0 16px 64px;background:var(--ground);color:var(--ink)}
.sender,main{margin:0 auto;max-width:704px}
.sender{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:24px 0 16px;font-weight:650}
.sender img{max-width:min(240px,100%);max-height:48px}
@media(prefers-color-scheme:dark){.sender img{padding:6px;background:#fff;border-radius:4px}}
h1{margin:0 0 16px;font-size:24px;line-height:32px;font-weight:650}
h2{margin:32px 0 8px;font-size:18px;line-height:24px;font-weight:650}
p,ul{margin:8px 0}
ul{padding-left:20px}
li{margin:6px 0}
table{border-collapse:collapse;width:100%;margin:16px 0}
th,td{padding:10px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);font-weight:inherit}
thead th{padding:4px 0;color:var(--quiet);font-size:14px}
tr.sum{font-weight:650}
tr:last-child>*{border-bottom:0}
table+table{border-top:1px solid var(--ink)}
.figure{padding-left:16px;text-align:right;white-space:nowrap}
a{color:var(--accent)}
label{display:block;margin:16px 0 4px}
label.tick{display:flex;gap:10px;align-items:start}
label.tick input{flex:none;width:20px;height:20px;margin:2px 0;accent-color:var(--accent)}
input[type=text],input[type=email],textarea{width:100%;min-height:44px;padding:9px 12px;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--edge);border-radius:4px}
button,a.button{display:inline-block;min-height:44px;margin-top:16px;padding:9px 20px;font:inherit;font-weight:550;border:1px solid var(--accent);border-radius:4px;background:var(--accent);color:var(--on-accent);text-decoration:none;text-align:center;cursor:pointer}
button.quiet,a.quiet{background:none;border-color:var(--edge);color:inherit}
details{margin-top:32px}
summary{padding:10px 0;color:var(--quiet);cursor:pointer}
[role=alert]{color:var(--danger);font-weight:550}
nav{display:flex;gap:24px;margin-bottom:24px;border-bottom:1px solid var(--line)}
nav a{padding:10px 0}
nav a[aria-current]{margin-bottom:-1px;border-bottom:2px solid;color:inherit;font-weight:650;text-decoration:none}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
code{font-size:14px;overflow-wrap:anywhere}
small,.quiet-text{color:var(--quiet);font-size:14px}
body>main:first-child{margin-top:24px}
input[type=file]{width:100%;font:inherit}
::file-selector-button{min-height:44px;margin-right:12px;padding:9px 20px;font:inherit;font-weight:550;color:inherit;background:none;border:1px solid var(--edge);border-radius:4px;cursor:pointer}
@media(min-width:760px){body>main:first-child{margin-top:40px}main{padding:40px 48px 48px;background:var(--raised);border:1px solid var(--line);border-radius:8px}.sender{padding:40px 48px 16px}}
@media(max-width:480px){form button,a.button{width:100%}}`

const sourceOf = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`
const styleSource = sourceOf(style)
function contentSecurityPolicy(accent: string, more: string): string {
  const sources = accent === '' ? styleSource : `${styleSource} ${sourceOf(accent)}`
  return `default-src 'none'; style-src ${sources}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${more}`
}

/** The rules that replace the accent colour; none without one. */
function accentStyle(accentColor: string | null): string {
  if (accentColor === null) return ''
  const { light, dark } = accentColors(accentColor)
  return `:root{--accent:${light.accent}}@media(prefers-color-scheme:dark){:root{--accent:${dark.accent}}}`
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  // with a stricter policy, browsers would post our own forms with `Origin: null`, like a foreign page
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, accept-language',
}

function document({ language, title, sender, body }: HtmlPageOptions, accent: string): string {
  return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
${
  accent !== '' &&
  html`<style>${new Html(accent)}</style>
`
}<body>
${sender && html`<header class="sender">${sender.logo && html`<img src="${sender.logo}" alt="">`}${sender.name}</header>`}
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text
}

/** The language that a browser prefers: Spanish unless it prefers English. */
export function languageOf({ 'accept-language': accepted = '' }: IncomingHttpHeaders): Language {
  const weights = { es: -1, en: -1 }
  for (const part of accepted.split(',')) {
    const [, language, weight = '1'] = /^\s*(es|en)\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(part) ?? []
    const name = language?.toLowerCase() as Language | undefined
    if (name) weights[name] = Math.max(weights[name], Number(weight))
  }
  return weights.en > weights.es ? 'en' : 'es'
}

/** Whether the client wants a page, unlike a program that wants data. */
export function wantsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html')
}

/** A page that depends on the status only, so that it does not reveal what is wrong with a link. */
export function errorPage(language: Language, status: number): HtmlPage {
  const [title, text] = errorPages[status]?.[language] ?? defaultErrorPage[language]
  return new HtmlPage({ language, title, body: html`<p>${text}</p>`, status })
}

type ErrorPageText = Record<Language, [title: string, text: string]>
const errorPages: Record<number, ErrorPageText> = {
  400: {
    es: ['Falta algo', 'Lo que se ha enviado no está completo. Vuelve atrás y revísalo.'],
    en: ['Something is missing', 'The form is not complete. Go back and check it.'],
  },
  401: {
    es: ['Tienes que entrar', 'Abre el enlace de tu correo, o pide uno nuevo.'],
    en: ['Please sign in', 'Open the link in your mail, or request a new one.'],
  },
  403: {
    es: ['No se puede hacer desde aquí', 'Abre el enlace que recibiste y hazlo en su página.'],
    en: ['This cannot be done from here', 'Open the link that you received, and continue on its page.'],
  },
  404: {
    es: ['Este enlace ya no es válido', 'Pide uno nuevo a quien te lo envió.'],
    en: ['This link is no longer valid', 'Ask the sender for a new one.'],
  },
  409: {
    es: ['Algo ha cambiado', 'Lo que se mostraba ya no es lo actual. Abre de nuevo el enlace.'],
    en: ['Something has changed', 'The page was out of date. Open the link again.'],
  },
  413: {
    es: ['Es demasiado grande', 'Lo que se ha enviado no cabe. Vuelve atrás y elige algo más pequeño.'],
    en: ['This is too large', 'Go back and choose something smaller.'],
  },
  429: {
    es: ['Demasiadas visitas', 'Espera un poco y vuelve a intentarlo.'],
    en: ['Too many visits', 'Wait a moment and try again.'],
  },
}
const defaultErrorPage: ErrorPageText = {
  es: ['No se ha podido hacer', 'Vuelve a intentarlo dentro de un rato.'],
  en: ['This could not be done', 'Try again later.'],
}

/** The answer to a browser for an address that nothing has. */
export function unknownAddressPage(language: Language): HtmlPage {
  const { title, text, start } = unknownAddress[language]
  const body = html`<p>${text}</p>\n<p><a href="/">${start}</a></p>`
  return new HtmlPage({ language, title, body, status: 404 })
}

const unknownAddress = {
  es: {
    title: 'No hay nada en esta dirección',
    text: 'Comprueba que esté completa, o abre de nuevo el enlace que recibiste.',
    start: 'Ir al inicio',
  },
  en: {
    title: 'There is nothing at this address',
    text: 'Check that it is complete, or open the link that you received again.',
    start: 'Go to the start page',
  },
}
