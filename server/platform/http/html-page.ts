import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
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
  body: Html
  status?: number
  /** Override the default headers, for example with a policy that allows a script. */
  headers?: Readonly<Record<string, string>>
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
    const { language, title, body, headers } = this.#given
    return reply
      .code(this.status)
      .headers({ ...pageHeaders, 'content-language': language, ...headers })
      .send(document(language, title, body))
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

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:44rem;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25}
h2{margin:1.75rem 0 .5rem;font-size:1.125rem;line-height:1.25}
ul{margin:.5rem 0;padding-left:1.25rem}
li{margin:.4rem 0}
table{border-collapse:collapse;width:100%}
th,td{padding:.35rem .5rem .35rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #8884}
.figure{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
label{display:block;margin:1rem 0 .25rem}
label.tick{display:flex;gap:.6rem;align-items:start}
input[type=text],input[type=email],textarea{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid #888;border-radius:.3rem}
button,a.button{display:inline-block;margin-top:1rem;padding:.7rem 1.2rem;font:inherit;border:1px solid #1b5e3b;border-radius:.3rem;background:#1b5e3b;color:#fff;text-decoration:none;cursor:pointer}
button.quiet{background:none;border-color:#888;color:inherit}
:focus-visible{outline:3px solid #4a90d9;outline-offset:2px}
code{overflow-wrap:anywhere}
small{opacity:.8}`

const digestOfStyle = createHash('sha256').update(style).digest('base64')
/** The content security policy of a page; `more` is appended. */
export function contentSecurityPolicy(more: string): string {
  return `default-src 'none'; style-src 'sha256-${digestOfStyle}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${more}`
}
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(''),
  // with a stricter policy, browsers would post our own forms with `Origin: null`, like a foreign page
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, accept-language',
}

function document(language: Language, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
<body>
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
