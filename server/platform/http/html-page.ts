import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Language } from '../language.ts'

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

// what turns the direction of other letters: a page shows them in the order in which they stand, as paper does
const bidiControls = /\p{Bidi_Control}/gu

/** Markup with values in it: whatever is not markup itself is escaped. */
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
  /** In place of the usual ones, such as a policy that lets a script in. */
  headers?: Readonly<Record<string, string>>
}

/** An answer that a browser shows. An operation that promises `page` may give it instead of its reply. */
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

/** Shows a PDF to somebody in their browser; `name` is what it is called when they keep it. */
export function sendPdf(reply: FastifyReply, pdf: Buffer, name: string): FastifyReply {
  return reply
    .type('application/pdf')
    .headers({
      'content-disposition': `inline; filename="${name}"`,
      // a policy for pages keeps some browsers from showing it
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
/** What a page may load and do; `more` lets something in that the usual policy keeps out. */
export function contentSecurityPolicy(more: string): string {
  return `default-src 'none'; style-src 'sha256-${digestOfStyle}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${more}`
}
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(''),
  // with less, browsers would post our own forms with `Origin: null`, as a foreign page can
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

/** The language in which a browser wants a page: Spanish unless it prefers the other one. */
export function languageOf({ 'accept-language': accepted = '' }: IncomingHttpHeaders): Language {
  const weights = { es: -1, en: -1 }
  for (const part of accepted.split(',')) {
    const [, language, weight = '1'] = /^\s*(es|en)\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(part) ?? []
    const name = language?.toLowerCase() as Language | undefined
    if (name) weights[name] = Math.max(weights[name], Number(weight))
  }
  return weights.en > weights.es ? 'en' : 'es'
}

/** Whether whoever asks shows pages to somebody, unlike a program that wants data. */
export function wantsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/html')
}

/** What is told by the status alone: whatever is wrong with a link, its page is the same. */
export function errorPage(language: Language, status: number): HtmlPage {
  const [title, text] = errorPages[status]?.[language] ?? defaultErrorPage[language]
  return new HtmlPage({ language, title, body: html`<p>${text}</p>`, status })
}

type ErrorPageText = Record<Language, [title: string, text: string]>
const errorPages: Record<number, ErrorPageText> = {
  400: {
    es: ['Falta algo', 'Lo que se ha enviado no está completo. Vuelve atrás y revísalo.'],
    en: ['Something is missing', 'What was sent is not complete. Go back and look at it again.'],
  },
  401: {
    es: ['Tienes que entrar', 'Abre el enlace de tu correo, o pide uno nuevo.'],
    en: ['You have to sign in', 'Open the link in your mail, or ask for a new one.'],
  },
  403: {
    es: ['No se puede hacer desde aquí', 'Abre el enlace que recibiste y hazlo en su página.'],
    en: ['This cannot be done from here', 'Open the link that you were sent and do it on its page.'],
  },
  404: {
    es: ['Este enlace ya no es válido', 'Pide uno nuevo a quien te lo envió.'],
    en: ['This link is no longer valid', 'Ask whoever sent it to you for a new one.'],
  },
  409: {
    es: ['Algo ha cambiado', 'Lo que se mostraba ya no es lo actual. Abre de nuevo el enlace.'],
    en: ['Something has changed', 'What was shown is not how it is now. Open the link again.'],
  },
  413: {
    es: ['Es demasiado grande', 'Lo que se ha enviado no cabe. Vuelve atrás y elige algo más pequeño.'],
    en: ['This is too large', 'What was sent does not fit. Go back and choose something smaller.'],
  },
  429: {
    es: ['Demasiadas visitas', 'Espera un poco y vuelve a intentarlo.'],
    en: ['Too many visits', 'Wait a while and try again.'],
  },
}
const defaultErrorPage: ErrorPageText = {
  es: ['No se ha podido hacer', 'Vuelve a intentarlo dentro de un rato.'],
  en: ['This could not be done', 'Try again in a while.'],
}
