import { required } from '#platform/required.ts'
import { type CustomSecretNames, filtered, isSecretKey, noCustomNames } from './secret-keys.ts'

/** Replace masked addresses and numbers. The fingerprint recognizes them. */
export const maskedEmail = '[email]'
export const maskedCard = '[card]'
const maskedAccount = '[account]'

/**
 * Removes secrets from a text and masks e-mail addresses. Secrets are private keys, passwords in URLs, bearer and basic
 * credentials, JSON web tokens, keys of well-known services and of Patio, values of secret fields in common notations,
 * card numbers and bank account numbers. `customNames` are the secret field names of the organization. All patterns are
 * bounded, so the time is linear in the length of the text.
 */
export function scrubText(text: string, customNames: CustomSecretNames = noCustomNames): string {
  let clean = text
  if (clean.includes('-----BEGIN ')) clean = removePrivateKeys(clean)
  if (clean.includes('://') && clean.includes('@')) clean = clean.replace(inAddress, `$1${filtered}@`)
  if (/bearer|basic/i.test(clean)) clean = clean.replace(afterScheme, scrubCredential)
  if (clean.includes('eyJ')) clean = clean.replace(webToken, filtered)
  clean = clean.replace(wellKnown, filtered)
  if (/<|&lt;/i.test(clean))
    clean = clean.replace(element, (whole, name) => scrubElement(whole, name, customNames))
  if (/[=:,%]/.test(clean)) clean = removeNamedValues(clean, customNames)
  if (clean.includes('-')) clean = removeOptionValues(clean, customNames)
  if (/name=/i.test(clean)) clean = clean.replace(formPart, (...found) => scrubFormPart(found, customNames))
  if (/\b(?:dni|nie|nif|iban)\b/i.test(clean)) clean = clean.replace(identityNumber, `$1${filtered}`)
  if (/\d{4}/.test(clean)) {
    clean = clean.replace(ibanLike, number => (isIban(number) ? maskedAccount : number))
    clean = clean.replace(cardLike, number => (isCard(number) ? maskedCard : number))
  }
  return clean.includes('@') ? maskEmails(clean) : clean
}

// a password, or a long user name such as the public key of a DSN
const inAddress =
  /(?<![a-z\d+.-])([a-z][a-z\d+.-]{1,20}:\/\/)(?:[^\s/@:]{0,100}:[^\s/@]{1,200}|[\da-f]{32}|[\w-]{20,200})@/gi
const afterScheme = /\b(bearer|basic)(\s{1,3}|%20|\+)([\w.~+/=-]{8,4096})/gi
const webToken = /\beyJ[\w-]{5,4096}\.[\w-]{5,8192}(?:\.[\w-]{0,2048})?/g
/** Formats of keys and tokens, as their services publish them. */
const wellKnown = new RegExp(
  [
    '[spr]k_(?:live|test)_\\w{8,200}',
    'gh[pousr]_\\w{16,255}',
    'github_pat_\\w{20,255}',
    'xox[abeoprs]-[\\w-]{10,255}',
    'xapp-\\d-[\\w-]{10,255}',
    '(?:https(?:://|%3A%2F%2F))?hooks\\.slack\\.com(?:/|%2F)(?:services|workflows|triggers)(?:/|%2F)[\\w/%-]{10,255}',
    '(?:https(?:://|%3A%2F%2F))?discord(?:app)?\\.com(?:/|%2F)api(?:/|%2F)webhooks(?:/|%2F)\\d{5,30}(?:/|%2F)[\\w-]{20,120}',
    'A[KS]IA[0-9A-Z]{16}',
    'AIza[\\w-]{30,60}',
    'ya29\\.[\\w-]{20,255}',
    'GOCSPX-[\\w-]{20,60}',
    'gl(?:pat|ptt|dt|rt|ft|imt|agent|cbt|soat|feedtoken)-[\\w.-]{16,100}',
    'npm_\\w{30,60}',
    'pypi-[\\w-]{30,255}',
    'whsec_[\\w+/=-]{16,255}',
    'sk-[\\w-]{20,255}',
    'SG\\.[\\w-]{16,40}\\.[\\w-]{16,80}',
    'SK[0-9a-f]{32}',
    'key-[0-9a-f]{32}',
    '[0-9a-f]{32}-us\\d{1,2}',
    'do[opr]_v1_[0-9a-f]{64}',
    'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
    'sq0(?:atp|csp|idp)-[\\w-]{22,60}',
    'hf_[A-Za-z]{20,60}',
    'hv[sbr]\\.[\\w-]{20,255}',
    'glsa_[\\w]{20,80}',
    'dapi[0-9a-f]{32}',
    'lin_api_\\w{20,80}',
    'ntn_\\w{30,80}',
    'NRAK-[A-Z0-9]{20,60}',
    'PMAK-[\\w-]{20,100}',
    'ATATT3[\\w=-]{20,255}',
    'sbp_[0-9a-f]{40}',
    'AGE-SECRET-KEY-1[0-9A-Z]{50,70}',
    '\\d{8,10}(?::|%3A)AA[\\w-]{33}',
    'patio_[a-z]{3,8}(?:_[a-z]{3,8})?_\\w{20,255}',
  ]
    .map(form => `(?<![A-Za-z0-9])${form}`)
    .join('|'),
  'g',
)
/** Percent-encoded characters of nested text: `%22`, `%2522`. */
const encoded = (digits: string) => `%(?:25){0,3}${digits}`
const named = new RegExp(
  `(?:(?<=%[\\da-f]{2}|\\\\[nrt]|(?<![\\p{L}\\w.-])--?)|(?<![\\p{L}\\w.-]))(\\p{L}(?:[\\p{L}\\w.-]|%C3%B1|\\\\u00f1){0,60})` +
    `(\\\\{0,8}["']|${encoded('2[27]')})?(?:\\]|${encoded('5D')})?\\s{0,3}` +
    `(?:=>|:=|[=:]|${encoded('3[AD]')}|(,))(?:\\s|${encoded('20')}){0,3}`,
  'giu',
)
const valued = new RegExp(
  '\\[filtered\\]' +
    `|(\\\\{1,8})(["'])(?:(?!(?<!\\\\)\\1\\2)[^\\n]){0,1000}(?:\\1\\2)?` +
    `|"(?:[^"\\\\\\n]|\\\\.){0,1000}"?|'(?:[^'\\\\\\n]|\\\\.){0,1000}'?` +
    `|(?:${encoded('2[27]')})?(?:(?!${encoded('(?:26|2[27C]|3B|7D|0[AD])')}|\\\\{1,8}["'nr])[^\\s,;&"'()[\\]{}<>]){1,1000}`,
  'yi',
)
// a cookie header has several pairs, all of which are removed
const ofCookie = /\[filtered\]|"[^"\n]{0,4000}"|'[^'\n]{0,4000}'|[^\r\n"']{1,4000}/y
// a scheme precedes the value
const ofAuthorization =
  /\[filtered\](?: \[filtered\])?|[a-z][\w-]{1,20}\s{1,3}\w{1,30}=[^\r\n]{0,4000}|(?:[a-z][\w-]{1,20}\s{1,3}(?:\[filtered\]|[\w.~+/=:-]{8,4096})|(?=["'\\]))/iy
const element =
  /((?:<|&lt;)([\p{L}_][\p{L}\w:.-]{0,60})(?:\s[^<>&]{0,500})?(?:>|&gt;)(?:<!\[CDATA\[)?)([^<&]{1,1000}|(?:(?!&lt;)[^<]){1,1000})(?=<|&lt;|\]\]>|$)/giu
const option =
  /(?<![\w-])(--?\p{L}[\p{L}\w-]{0,60})\s{1,3}("[^"\n]{1,1000}"|'[^'\n]{1,1000}'|[^\s"'-][^\s"']{0,1000})/gu
const formPart = /(name=\\{0,4}["']([^"'\\\n]{1,60})\\{0,4}["'](?:\r?\n|\\r\\n|\\n){2})([^\r\n\\]{1,1000})/g
const identityNumber =
  /\b((?:dni|nie|nif|iban)\b[\s:=.#nº]{0,5})(?!\[filtered\])(?:[XYZ]?[-. ]?\d[\d.]{6,9}[-. ]?[A-Z]\b|[A-Z]{2}\d{2}(?: ?[\dA-Z]{1,4}){3,8}\b)/gi
const ibanLike = /(?<![\w-])[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){2,7}(?: ?[\dA-Z]{1,4})?(?![\w-])/g
const cardLike = /(?<![\w.-])\d(?:[ -]?\d){14,18}(?![\w-]|\.\d)/g

function scrubCredential(whole: string, scheme: string, space: string, value: string): string {
  // "basic authentication" is not a credential
  const isPlain = /^[a-z-]{1,30}[.,:]?$/i.test(value) && !/[a-z][A-Z]/.test(value)
  return isPlain ? whole : `${scheme}${space}${filtered}`
}

/** Values of secret fields: `token=…`, `"password": "…"`, `%22token%22%3A%22…`, `['secret', '…']`. */
function removeNamedValues(text: string, customNames: CustomSecretNames): string {
  let clean = ''
  let at = 0
  named.lastIndex = 0
  for (let found = named.exec(text); found; found = named.exec(text)) {
    const name = required(found[1], 'the name of a field')
    const [quote, comma] = found.slice(2)
    // a pair in a list is quoted on both sides
    const isPair = comma === undefined || (quote !== undefined && /["'\\%]/.test(text[named.lastIndex] ?? ''))
    const isCode = isOauthCode(name, text, found.index)
    if (!isPair || !(isCode || isSecretKey(name, customNames))) {
      // the value of a field that is not secret may itself contain a pair
      if (named.lastIndex > found.index + name.length + 1) named.lastIndex = found.index + name.length + 1
      continue
    }
    const form = formOf(name)
    form.lastIndex = named.lastIndex
    let [value] = form.exec(text) ?? []
    let end = form.lastIndex
    if (!value) {
      valued.lastIndex = named.lastIndex
      ;[value] = valued.exec(text) ?? []
      end = valued.lastIndex
    }
    if (!value || /^(?:undefined|null|true|false|\/\/.*)$/.test(value)) continue
    if (isCode && /^\d{0,6}$/.test(value)) continue
    clean += text.slice(at, named.lastIndex) + filtered
    at = end
    named.lastIndex = at
  }
  return clean + text.slice(at)
}

function formOf(name: string): RegExp {
  if (/cookies?$/i.test(name)) return ofCookie
  return /^(?:proxy-)?authorization$/i.test(name) ? ofAuthorization : valued
}

/** An OAuth `code` appears in a URL; elsewhere a code is a number. */
function isOauthCode(name: string, text: string, at: number): boolean {
  return (
    name.toLowerCase() === 'code' &&
    /(?:[?&]|%(?:25){0,3}(?:3F|26))$/i.test(text.slice(Math.max(0, at - 10), at))
  )
}

/** `--password X` and `-u name:X`. */
function removeOptionValues(text: string, customNames: CustomSecretNames): string {
  return text.replace(option, (whole, name: string, value: string) => {
    const isLogin = /^(?:-u|--user)$/.test(name) && value.includes(':')
    return isLogin || (name.startsWith('--') && isSecretKey(name.slice(2), customNames))
      ? `${whole.slice(0, whole.length - value.length)}${filtered}`
      : whole
  })
}

/** `<password>X</password>`; the value follows the opening tag. */
function scrubElement(whole: string, opening: string, customNames: CustomSecretNames): string {
  const [, name = ''] = /^(?:<|&lt;)(?:[\w.-]{1,30}:)?([^\s>&]{1,61})/i.exec(opening) ?? []
  return isSecretKey(name, customNames) ? `${opening}${filtered}` : whole
}

/** A field of a multipart form; the value follows the header lines. */
function scrubFormPart([whole, head, name]: readonly unknown[], customNames: CustomSecretNames): string {
  return isSecretKey(name as string, customNames) ? `${head}${filtered}` : (whole as string)
}

function removePrivateKeys(text: string): string {
  let clean = ''
  let at = 0
  for (;;) {
    const from = text.indexOf('-----BEGIN ', at)
    if (from === -1) return clean + text.slice(at)
    const end = text.indexOf('-----END ', from)
    const last = end === -1 ? -1 : text.indexOf('-----', end + 9)
    clean += text.slice(at, from) + filtered
    if (last === -1) return clean
    at = last + 5
  }
}

/** Checks the prefix and the length of card brands and the check digit, so that timestamps and most ids do not match. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  const isBrand =
    /^(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|4|5|2)\d{12,13})$/.test(digits)
  if (!isBrand) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** An IBAN with valid check digits (ISO 13616). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  let rest = 0
  for (const letter of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const isLocal = (code: number) =>
  isAlnum(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45
const isDomain = (code: number) => isAlnum(code) || code === 46 || code === 45
function isAlnum(code: number): boolean {
  return (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123)
}

function maskEmails(text: string): string {
  let clean = ''
  let at = 0
  for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
    let from = sign
    while (from > at && sign - from < 64 && isLocal(text.charCodeAt(from - 1))) from--
    let to = sign + 1
    while (to < text.length && to - sign < 255 && isDomain(text.charCodeAt(to))) to++
    while (to > sign + 1 && !isAlnum(text.charCodeAt(to - 1))) to--
    const domain = text.slice(sign + 1, to)
    const top = domain.lastIndexOf('.')
    if (from === sign || top < 1 || !/^[a-z]{2,24}$/i.test(domain.slice(top + 1))) continue
    clean += text.slice(at, from) + maskedEmail
    at = to
  }
  return clean + text.slice(at)
}
